local script = require "support.script"
local registry = require("unit").registry

-- Loads a tool whose inputSchema is `type = "object"` and `rest`.
local function load(rest)
  return registry.load(script.folder {
    ["x.lua"] = "require 'mcp'.tool { handler = print, inputSchema = { type = 'object', "
      .. rest .. " } }",
  }, {})
end

local function refused(rest, reason)
  local generation, why = load(rest)
  assert.is_nil(generation, rest)
  assert.truthy(why:find("mcp.tool x: " .. reason, 1, true), why)
end

local function property(fields)
  return ("properties = { a = { %s, ['x-mcp-header'] = 'A' } }"):format(fields)
end

describe("x-mcp-header", function()
  after_each(script.clean)

  it("is for strings, integers and booleans, at any depth of properties", function()
    for _, rest in ipairs {
      property "type = 'string'",
      property "type = 'integer'",
      property "type = 'boolean'",
      property "type = { 'string', 'null' }",
      "properties = { o = { type = 'object', " .. property "type = 'string'" .. " } }",
      "properties = { a = { type = 'string', ['x-mcp-header'] = 'a!#$%&*+-.^_`|~9' } }",
    } do
      assert(load(rest))
    end
  end)

  it("is for no other type", function()
    for _, type in ipairs { "'number'", "'object'", "'array'", "'null'", "{ 'string', 'number' }",
      "{ 'null' }" } do
      refused(property("type = " .. type),
        "inputSchema/a: x-mcp-header is only for the types string, integer and boolean")
    end
    refused("properties = { a = { ['x-mcp-header'] = 'A' } }",
      "inputSchema/a: x-mcp-header is only for the types")
  end)

  it("is the token of a header's name", function()
    for _, name in ipairs { "''", "'a b'", "'a:b'", "'ä'", "'a\\n'", "'a\\0'", "1", "{}" } do
      refused("properties = { a = { type = 'string', ['x-mcp-header'] = " .. name .. " } }",
        "inputSchema/a: x-mcp-header must be the end of a header's name")
    end
  end)

  it("comes once only, whatever its case", function()
    local _, why = load [[properties = {
      a = { type = "string", ["x-mcp-header"] = "Region" },
      b = { type = "string", ["x-mcp-header"] = "REGION" } }]]
    assert.matches("inputSchema/b: x%-mcp%-header has a name that another one has", why)
  end)

  it("is nowhere but in properties that are reached by properties alone", function()
    local own = "type = 'string', ['x-mcp-header'] = 'A'"
    for rest, place in pairs {
      ["['x-mcp-header'] = 'A'"] = "inputSchema",
      ["properties = { l = { type = 'array', items = { " .. own .. " } } }"] =
        "inputSchema/l/items",
      ["additionalProperties = { " .. own .. " }"] = "inputSchema/additionalProperties",
      ["anyOf = { { properties = { a = { " .. own .. " } } } }"] = "inputSchema/…/a",
      ["['if'] = { properties = { a = { " .. own .. " } } }"] = "inputSchema/if/a",
      ["['$defs'] = { d = { " .. own .. " } }"] = "inputSchema/d",
    } do
      refused(rest, place .. ": x-mcp-header is only for properties")
    end
  end)

  it("means nothing as the name of a property, or within a value", function()
    assert(load [[properties = { ["x-mcp-header"] = { type = "string" } },
      default = { ["x-mcp-header"] = 1 }]])
  end)
end)
