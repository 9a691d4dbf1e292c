local inside = require "support.inside"

local ONE = [[
local mcp = require "mcp"
mcp.tool { name = "zebra", description = "Last.", handler = function() return "" end }
mcp.tool { name = "ant", title = "Ant", annotations = { readOnlyHint = true },
  inputSchema = { type = "object", properties = { n = { type = "integer" } } },
  handler = function() return "" end }
]]
local TWO = [[
require("mcp").tool { name = "Bee", handler = function() return "" end }
]]

describe("tools/list", function()
  local host

  after_each(function()
    inside.close(host)
  end)

  it("lists the tools of all scripts on one page, in the order of their names", function()
    host = inside.start { scripts = { one = ONE, two = TWO } }
    for _, visit in ipairs { host:modern "tools/list", host:initialize():request "tools/list" } do
      local result, names = visit:result(), {}
      for i, tool in ipairs(result.tools) do names[i] = tool.name end
      assert.same({ "Bee", "ant", "zebra" }, names)
      assert.is_nil(result.nextCursor)
    end
  end)

  it("shows what a script registered, and nothing that is its own", function()
    host = inside.start { scripts = { one = ONE } }
    local ant, zebra = table.unpack(host:modern("tools/list"):result().tools)
    assert.same({ name = "ant", title = "Ant", annotations = { readOnlyHint = true },
      inputSchema = { type = "object", properties = { n = { type = "integer" } } } }, ant)
    assert.same({ name = "zebra", description = "Last.",
      inputSchema = { type = "object", additionalProperties = false } }, zebra)
  end)

  it("is empty when there are no scripts", function()
    host = inside.start {}
    assert.matches('"tools":%[%]', host:modern("tools/list"):told().body)
  end)
end)
