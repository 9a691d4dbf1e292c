local inside = require "support.inside"

local INFO = "io.modelcontextprotocol/serverInfo"

local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "plain", handler = function() return "text" end }
mcp.tool { name = "marked", handler = function()
  return { content = { mcp.text "text" }, _meta = { ["example.com/a"] = 1, b = { 2 } } }
end }
mcp.tool { name = "posing", handler = function()
  return { content = { mcp.text "text" }, _meta = {
    ["io.modelcontextprotocol/serverInfo"] = "someone else", kept = true } }
end }
]]

describe("a modern result", function()
  local host

  setup(function()
    host = inside.start { settle = true, scripts = { s = SCRIPT },
      config = [[name = "spec", version = "7", list_ttl = 5000]] }
  end)

  teardown(function()
    inside.close(host)
  end)

  it("is complete and says who gave it", function()
    local result = host:call("plain"):result()
    assert.equal("complete", result.resultType)
    assert.same({ [INFO] = { name = "spec", version = "7" } }, result._meta)
    assert.is_nil(result.ttlMs)
    assert.is_nil(result.cacheScope)
  end)

  it("carries what the script has added to its _meta", function()
    assert.same({ [INFO] = { name = "spec", version = "7" }, ["example.com/a"] = 1, b = { 2 } },
      host:call("marked"):result()._meta)
  end)

  it("says who gave it once, and does not let a script say otherwise", function()
    local visit = host:call "posing"
    assert.same({ [INFO] = { name = "spec", version = "7" }, kept = true }, visit:result()._meta)
    assert.is_nil(visit:told().body:find("someone else", 1, true))
  end)

  it("that is a list says how long it may be kept", function()
    for _, method in ipairs { "tools/list", "server/discover" } do
      local result = host:modern(method):result()
      assert.equal(5000, result.ttlMs)
      assert.equal("public", result.cacheScope)
      assert.equal("complete", result.resultType)
    end
  end)
end)
