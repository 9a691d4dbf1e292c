local inside = require "support.inside"

describe("ping", function()
  local host

  setup(function() host = inside.start {} end)
  teardown(function() inside.close(host) end)

  it("is answered with an empty object and the id as it was sent", function()
    local session = host:initialize()
    for _, id in ipairs { "1", "0", "-7", "9007199254740993", '""', '"\\u0061 b"' } do
      local visit = session:post(('{"jsonrpc":"2.0","id":%s,"method":"ping"}'):format(id))
      assert.equal(200, visit:status())
      assert.equal(('{"jsonrpc":"2.0","id":%s,"result":{}}'):format(id), visit:told().body)
    end
  end)
end)
