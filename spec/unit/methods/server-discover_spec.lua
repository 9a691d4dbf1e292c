local inside = require "support.inside"

describe("server/discover", function()
  local host

  setup(function() host = inside.start { config = "list_ttl = 60000" } end)
  teardown(function() inside.close(host) end)

  it("tells versions and capabilities, and how long that may be kept", function()
    local visit = host:modern "server/discover"
    assert.equal(200, visit:status())
    local result = visit:result()
    assert.equal("2026-07-28", result.supportedVersions[1])
    assert.is_table(result.capabilities)
    assert.equal(60000, result.ttlMs)
    assert.equal("public", result.cacheScope)
  end)
end)
