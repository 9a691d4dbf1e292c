local inside = require "support.inside"

local SCRIPT = [[
local mcp = require "mcp"
mcp.resource { uri = "docs://b", name = "b", title = "B", description = "d",
  mimeType = "text/plain", size = 3, annotations = { audience = { "user" }, priority = 0.5,
    lastModified = "2025-01-12T15:00:58Z" }, icons = { { src = "https://example.com/i.png" } },
  _meta = { ["example.com/x"] = 1 }, text = "abc", ttlMs = 5, cacheScope = "public" }
mcp.resource { uri = "docs://a", handler = print }
mcp.resource_template { uriTemplate = "docs://{page}", title = "T", handler = print,
  complete = { page = { "a" } } }
]]

describe("resources/list", function()
  it("has the resources in the order of their URIs, and nothing of the scripts' own", function()
    local host = inside.start { scripts = { s = SCRIPT }, settle = true }
    local expected = {
      { uri = "docs://a", name = "s" },
      { uri = "docs://b", name = "b", title = "B", description = "d", mimeType = "text/plain",
        size = 3, annotations = { audience = { "user" }, priority = 0.5,
          lastModified = "2025-01-12T15:00:58Z" },
        icons = { { src = "https://example.com/i.png" } }, _meta = { ["example.com/x"] = 1 } },
    }
    assert.same(expected, host:modern("resources/list"):result().resources)
    assert.same(expected, host:initialize():request("resources/list", {}):result().resources)
    inside.close(host)
  end)
end)
