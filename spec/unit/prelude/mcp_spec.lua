local cjson = require "cjson"
local script = require "support.script"
local registry = require("unit").registry

-- The tools that a script with this source registers.
local function tools(source, name)
  local generation = assert(registry.load(script.folder { [(name or "x") .. ".lua"] = source }, {}))
  local list = {}
  for i, tool in ipairs(generation:tools()) do list[i] = cjson.decode(tool.json) end
  return list
end

local function problem(code)
  return script.failure("local mcp = require 'mcp'\n" .. code)
end

describe("mcp.tool", function()
  after_each(script.clean)

  it("needs nothing but a handler", function()
    assert.same({
      { name = "x", inputSchema = { type = "object", additionalProperties = false } },
    }, tools "require 'mcp'.tool { handler = print }")
  end)

  it("takes the name of the file where none is given", function()
    local list = tools("require 'mcp'.tool { handler = print }", "my-tool_2.b")
    assert.equal("my-tool_2.b", list[1].name)
  end)

  it("registers any number of tools in one file", function()
    local list = tools [[
      local mcp = require "mcp"
      for i = 1, 5 do mcp.tool { name = "t" .. i, handler = print } end
    ]]
    assert.equal(5, #list)
    assert.equal("t5", list[5].name)
  end)

  it("leaves the table that it was given as it was", function()
    assert.equal("true", script.eval [[
      local definition = { handler = print }
      require "mcp".tool(definition)
      return next(definition) == "handler" and next(definition, "handler") == nil
    ]])
  end)

  it("says at the script's line what to mend", function()
    for code, text in pairs {
      ["mcp.tool()"] = "mcp.tool: give it a table: mcp.tool { name = …, handler = … }",
      ["mcp.tool 'name'"] = "mcp.tool: give it a table: mcp.tool { name = …, handler = … }",
      ["mcp.tool { name = 'a' }"] = "mcp.tool: handler is missing: "
        .. "handler = function(args, ctx) … end",
      ["mcp.tool { name = 'a', handler = 'f' }"] = "mcp.tool: handler must be a function, "
        .. "not a string",
      ["mcp.tool { handler = print, inputSchema = {} }"] =
        'mcp.tool: inputSchema.type must be "object"',
      ["mcp.tool { handler = print, inputSchema = { type = 'string' } }"] =
        'mcp.tool: inputSchema.type must be "object"',
      ["mcp.tool { handler = print, annotations = { readonlyHint = true } }"] =
        "mcp.tool: annotations: unknown field 'readonlyHint' (did you mean 'readOnlyHint'?)",
      ["mcp.tool { handler = print, annotations = { readOnlyHint = 1 } }"] =
        "mcp.tool: annotations: readOnlyHint must be a boolean, not a number",
      ["mcp.tool { handler = print, icons = { src = 'i' } }"] =
        "mcp.tool: icons must be a list: icons = { { src = … }, … }",
      ["mcp.tool { handler = print, icons = {} }"] =
        "mcp.tool: icons must be a list: icons = { { src = … }, … }",
    } do
      assert.equal("scripts/x.lua:2: " .. text, problem(code), code)
    end
  end)

  it("takes only names that every client takes", function()
    for _, name in ipairs { "a", "A-Z.0_9", ("n"):rep(128) } do
      local list = tools(("require 'mcp'.tool { name = %q, handler = print }"):format(name))
      assert.equal(name, list[1].name)
    end
    for _, name in ipairs { "", "a b", "ä", "a/b", "a\n", ("n"):rep(129) } do
      assert.equal("scripts/x.lua:2: mcp.tool: name must be 1 to 128 letters, digits, '_', '-' "
        .. "or '.'", problem(("mcp.tool { name = %q, handler = print }"):format(name)))
    end
  end)

  it("says so when the file's name is no name for a tool", function()
    local generation, why = registry.load(script.folder {
      ["my tool.lua"] = "require 'mcp'.tool { handler = print }",
    }, {})
    assert.is_nil(generation)
    assert.equal("scripts/my tool.lua:1: mcp.tool: name must be 1 to 128 letters, digits, '_', '-' "
      .. "or '.'; there is none, and the file's (my tool) won't do", why)
  end)
end)

describe("mcp.fail", function()
  after_each(script.clean)

  it("wants a text", function()
    for argument, kind in pairs { [""] = "nil", ["1"] = "number", ["{}"] = "table" } do
      assert.equal("scripts/x.lua:2: mcp.fail: the text must be a string, not "
        .. (kind == "nil" and "nil" or "a " .. kind), problem("mcp.fail(" .. argument .. ")"))
    end
  end)

  it("ends a load as well as a run", function()
    assert.equal("no licence", problem "mcp.fail 'no licence'")
    assert.equal("no licence", (script.handle "require 'mcp'.fail 'no licence'":failure()))
  end)
end)

describe("the module mcp", function()
  after_each(script.clean)

  it("has what is decided, and nothing else", function()
    assert.equal("array audio base64 error fail image link null ordered prompt resource "
      .. "resource_template structured text tool",
      script.eval [[
        local names = {}
        for name in pairs(require "mcp") do names[#names + 1] = name end
        table.sort(names)
        return table.concat(names, " ")
      ]])
  end)
end)

describe("mcp.ordered", function()
  after_each(script.clean)

  for code, why in pairs {
    ["{ time = {} }"] = "give it a list of { \"name\", value }, as tables with names have no order",
    ["'time'"] = "give it a list of { \"name\", value }",
    ["{ { 'a', 1 }, 'b' }"] = "element 2 must be { \"name\", value }",
    ["{ { 'a' } }"] = "element 1 must be { \"name\", value }",
    ["{ { 1, 1 } }"] = "element 1 must be { \"name\", value }",
    ["{ { 'a', 1 }, { 'a', 2 } }"] = "'a' comes twice",
  } do
    it("refuses " .. code, function()
      assert.equal("scripts/x.lua:2: mcp.ordered: " .. why, problem("mcp.ordered(" .. code .. ")"))
    end)
  end
end)
