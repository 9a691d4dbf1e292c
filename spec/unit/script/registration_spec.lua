local cjson = require "cjson"
local script = require "support.script"
local registry = require("unit").registry

-- Loads a script that registers `definition`, the text of a table.
local function load(definition)
  return registry.load(script.folder {
    ["x.lua"] = "local mcp = require 'mcp'\nmcp.tool " .. definition,
  }, {})
end

local function registered(definition)
  local generation = assert(load(definition))
  return cjson.decode(generation:tools()[1].json), script.lines(generation:log())
end

local function refused(definition)
  local generation, why = load(definition)
  assert.is_nil(generation)
  return (why:gsub("^scripts/x.lua:2: mcp.tool x: ", ""))
end

local HANDLER = "handler = print, "

describe("a registration", function()
  after_each(script.clean)

  it("keeps the Tool object, without what is the script's own", function()
    local tool = registered("{ name = 't', title = 'T', description = 'D', check = print, "
      .. HANDLER .. "inputSchema = { type = 'object', properties = { a = { type = 'string' } } }, "
      .. "outputSchema = { type = 'object' }, annotations = { readOnlyHint = true }, "
      .. "icons = { { src = 'https://example.com/i.png' } }, _meta = { ['example.com/a'] = 1 } }")
    assert.same({
      name = "t",
      title = "T",
      description = "D",
      inputSchema = { type = "object", properties = { a = { type = "string" } } },
      outputSchema = { type = "object" },
      annotations = { readOnlyHint = true },
      icons = { { src = "https://example.com/i.png" } },
      _meta = { ["example.com/a"] = 1 },
    }, tool)
  end)

  it("says where a schema has a mistake, and which of the two it is", function()
    assert.matches("^inputSchema/properties/a/minLength: ", refused("{ " .. HANDLER
      .. "inputSchema = { type = 'object', properties = { a = { minLength = -1 } } } }"))
    assert.matches("^outputSchema/properties/a/minLength: ", refused("{ " .. HANDLER
      .. "outputSchema = { type = 'object', properties = { a = { minLength = -1 } } } }"))
    assert.matches("^outputSchema/type: ", refused("{ " .. HANDLER
      .. "outputSchema = { type = 'objct' } }"))
  end)

  it("says how to write an empty list where one was meant", function()
    assert.matches("^inputSchema/required: .* %(an empty one is mcp%.array {}%)$", refused("{ "
      .. HANDLER .. "inputSchema = { type = 'object', required = {} } }"))
    registered("{ " .. HANDLER .. "inputSchema = { type = 'object', required = mcp.array {} } }")
  end)

  it("says what in the definition can't be JSON", function()
    assert.equal("a function can't be JSON (at inputSchema.properties.a)", refused("{ " .. HANDLER
      .. "inputSchema = { type = 'object', properties = { a = print } } }"))
  end)

  it("warns of an unknown keyword, with a suggestion, and goes on", function()
    local tool, log = registered("{ " .. HANDLER .. "inputSchema = { type = 'object', "
      .. "properties = { a = { type = 'string', maxlength = 3 } } }, outputSchema = { typ = 1 } }")
    assert.equal("x", tool.name)
    assert.same({
      "warning scripts/x.lua:2: tool x: inputSchema/properties/a: unknown keyword \"maxlength\" "
        .. "(did you mean \"maxLength\"?)",
      "warning scripts/x.lua:2: tool x: outputSchema: unknown keyword \"typ\" "
        .. "(did you mean \"type\"?)",
    }, log)
  end)

  it("is refused for a name that the script has given already", function()
    local definition = "{ name = 'a', handler = print }"
    local generation, why = load(definition .. "\nmcp.tool " .. definition)
    assert.is_nil(generation)
    assert.equal("scripts/x.lua:3: mcp.tool a: "
      .. "the script has registered a tool of this name already", why)
  end)

  it("leaves nothing behind when it is refused and the script goes on", function()
    local generation = assert(registry.load(script.folder { ["x.lua"] = [[
      local mcp = require "mcp"
      local bad = { type = "object", properties = 1 }
      assert(not pcall(mcp.tool, { name = "a", handler = print, inputSchema = bad }))
      mcp.tool { name = "a", handler = function() return "second try" end }
      assert(not pcall(mcp.tool, { name = "b", handler = print, inputSchema = bad }))
    ]] }, {}))
    assert.equal(1, #generation:tools())
    assert.equal("second try", script.run(generation, "a"):text())
  end)

  it("is refused in a handler", function()
    local run = script.handle [[
      require "mcp".tool { name = "late", handler = function() end }
    ]]
    assert.matches("mcp%.tool late: tools are registered while the script loads, not in a handler$",
      run:reason())
  end)
end)
