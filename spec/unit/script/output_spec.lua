local inside = require "support.inside"

local SCRIPT = [[
local mcp = require "mcp"
local function tool(name, outputSchema, value)
  mcp.tool { name = name, outputSchema = outputSchema, handler = function(_, ctx)
    ctx.store:append("c", name)
    return value()
  end }
end
local POINT = { type = "object", required = { "x" }, properties = { x = { type = "integer" } } }
tool("fits", POINT, function() return mcp.structured { x = 1 } end)
tool("wrong", POINT, function() return mcp.structured { x = "one" } end)
tool("missing", POINT, function() return "x is 1" end)
tool("refuses", POINT, function() return nil, "no points today" end)
tool("list", { type = "array", items = { type = "integer" } },
  function() return mcp.structured(mcp.array { 1, 2 }) end)
tool("number", { type = "integer" }, function() return mcp.structured(3) end)
tool("bare", nil, function() return mcp.structured(mcp.array {}) end)
]]

describe("the structured result of a tool", function()
  local host, session

  before_each(function()
    host = inside.start { scripts = { s = SCRIPT }, settle = true }
    session = host:initialize()
  end)

  after_each(function()
    inside.close(host)
  end)

  it("is sent where it is what the outputSchema says, with its text", function()
    for _, visit in ipairs { host:call("fits", {}), session:call("fits", {}) } do
      assert.same({ x = 1 }, visit:result().structuredContent)
      assert.equal('{"x":1}', visit:text())
    end
    assert.equal(2, #host:rows("s", "c"))
  end)

  it("is an error where it is not, tells the log where, and stores nothing", function()
    for name, reason in pairs {
      wrong = "does not fit outputSchema: x must be an integer, not a string",
      missing = "does not fit outputSchema: structuredContent is missing: return",
    } do
      for _, visit in ipairs { host:call(name, {}), session:call(name, {}) } do
        assert.is_true(visit:is_error())
        assert.matches("^" .. name .. " failed %(reference %x+%)", visit:text())
        assert.is_nil(visit:result().structuredContent)
      end
      assert.matches("tool " .. name .. " failed %(reference %x+%): %S+/s%.lua:3: .*" .. reason,
        host:log())
    end
    assert.same({}, host:rows("s", "c"))
  end)

  it("may be left out of a result that is an error", function()
    assert.equal("no points today", host:call("refuses", {}):text())
    assert.same({}, host:rows("s", "c"))
  end)

  it("may be no object for modern clients, and is a text for the others", function()
    for name, value in pairs { list = { 1, 2 }, number = 3 } do
      local visit = host:call(name, {})
      assert.same(value, visit:result().structuredContent)
      local legacy = session:call(name, {})
      assert.is_nil(legacy:result().structuredContent)
      assert.equal(visit:text(), legacy:text())
    end
  end)

  it("has an outputSchema in the lists of all that can have it", function()
    local function schemas(visit)
      local known = {}
      for _, tool in ipairs(visit:result().tools) do
        known[tool.name] = tool.outputSchema and tool.outputSchema.type
      end
      return known
    end
    local modern = schemas(host:modern("tools/list"))
    local legacy = schemas(session:request("tools/list", {}))
    assert.equal("array", modern.list)
    assert.equal("object", modern.fits)
    assert.equal("object", legacy.fits)
    assert.is_nil(legacy.list)
    assert.is_nil(legacy.number)
  end)

  it("that is no object needs an outputSchema", function()
    assert.is_true(host:call("bare", {}):is_error())
    assert.matches("structuredContent that is no object needs an outputSchema", host:log())
  end)
end)
