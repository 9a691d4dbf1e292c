-- What the host says of itself to both eras.

local inside = require "support.inside"

describe("the host", function()
  local host

  after_each(function()
    inside.close(host)
  end)

  local function start(config)
    host = inside.start { config = config }
  end

  it("says the same of itself in both eras", function()
    start [[name = 'a "name"', version = "1.2", instructions = "Ask."]]
    local modern = host:modern("server/discover"):result()
    local legacy = host:initialize().opened:result()
    assert.same({ logging = {}, tools = { listChanged = true } }, legacy.capabilities)
    assert.same({ ["io.modelcontextprotocol/tasks"] = {} }, modern.capabilities.extensions)
    modern.capabilities.extensions = nil -- there are none in the legacy era
    assert.same(modern.capabilities, legacy.capabilities)
    assert.equal("Ask.", modern.instructions)
    assert.equal("Ask.", legacy.instructions)
    assert.same({ name = 'a "name"', version = "1.2" }, legacy.serverInfo)
    assert.same(legacy.serverInfo, modern._meta["io.modelcontextprotocol/serverInfo"])
  end)

  it("declares beside tools what its scripts offer now", function()
    host = inside.start { scripts = { s = [[
      local mcp = require "mcp"
      mcp.prompt { handler = print, arguments = { { name = "a" } }, complete = { a = { "x" } } }
      mcp.resource { uri = "a:b", text = "" }
    ]] } }
    assert.same({ logging = {}, tools = { listChanged = true }, prompts = { listChanged = true },
      resources = { subscribe = true, listChanged = true }, completions = {} },
      host:initialize().opened:result().capabilities)
  end)

  it("gives no instructions when the operator gave none", function()
    start()
    assert.is_nil(host:modern("server/discover"):result().instructions)
    assert.is_nil(host:initialize().opened:result().instructions)
  end)

  it("speaks each version that it lists", function()
    start()
    local versions = host:modern("server/discover"):result().supportedVersions
    assert.same({ "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26" }, versions)
    for i = 2, #versions do
      assert.equal(versions[i],
        host:initialize({ version = versions[i] }).opened:result().protocolVersion)
    end
  end)
end)
