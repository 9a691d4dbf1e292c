local inside = require "support.inside"

describe("resources/templates/list", function()
  it("has the templates, and no resource", function()
    local host = inside.start { settle = true, scripts = { s = [[
      local mcp = require "mcp"
      mcp.resource { uri = "docs://a", handler = print }
      mcp.resource_template { uriTemplate = "docs://{page}", title = "T", handler = print }
    ]] } }
    local expected = { { uriTemplate = "docs://{page}", name = "s", title = "T" } }
    assert.same(expected, host:modern("resources/templates/list"):result().resourceTemplates)
    local session = host:initialize()
    assert.same(expected,
      session:request("resources/templates/list", {}):result().resourceTemplates)
    inside.close(host)
  end)
end)
