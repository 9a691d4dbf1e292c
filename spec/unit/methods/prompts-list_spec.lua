local inside = require "support.inside"

describe("prompts/list", function()
  it("has the prompts in the order of their names, and nothing of the scripts' own", function()
    local host = inside.start { settle = true, scripts = { s = [[
      local mcp = require "mcp"
      mcp.prompt { name = "b", title = "B", description = "d", handler = print, check = print,
        arguments = { { name = "a", required = true } }, complete = { a = { "x" } } }
      mcp.prompt { name = "a", handler = print }
      mcp.tool { name = "a", handler = print }
    ]] } }
    local expected = {
      { name = "a" },
      { name = "b", title = "B", description = "d",
        arguments = { { name = "a", required = true } } },
    }
    assert.same(expected, host:modern("prompts/list"):result().prompts)
    assert.same(expected, host:initialize():request("prompts/list", {}):result().prompts)
    inside.close(host)
  end)
end)
