-- Which methods there are in which era.

local inside = require "support.inside"

local BOTH = { "tools/list", "tools/call" }
local NEITHER = { "", "tools", "tools/", "tools/lis", "tools/listx", "Tools/List", "tools/list\0",
  "tools-list", "subscriptions/listener" }

describe("the methods", function()
  local host, session

  setup(function()
    host = inside.start {}
    session = host:initialize()
  end)

  teardown(function()
    inside.close(host)
  end)

  local function has(visit)
    return (visit:error() or {}).code ~= -32601
  end

  it("of both eras are found in both", function()
    for _, method in ipairs(BOTH) do
      assert.is_true(has(host:modern(method, { name = "x" })), method)
      assert.is_true(has(session:request(method, { name = "x" })), method)
    end
  end)

  it("of one era are not found in the other", function()
    assert.is_true(has(host:modern "server/discover"))
    assert.is_false(has(session:request "server/discover"))
    assert.is_true(has(host:modern "subscriptions/listen"))
    assert.is_false(has(session:request "subscriptions/listen"))
    assert.is_true(has(session:request "ping"))
    assert.is_false(has(host:modern "ping"))
  end)

  it("are found by their whole name only", function()
    for _, method in ipairs(NEITHER) do
      local modern, legacy = host:modern(method), session:request(method)
      assert.is_false(has(modern), method)
      assert.equal(404, modern:status())
      assert.is_false(has(legacy), method)
      assert.equal(200, legacy:status()) -- a 404 would say that the session is gone
    end
  end)

  it("that are not there are named, cut when the name is endless", function()
    local message = session:request(("x"):rep(5000)):error().message
    assert.matches("^Method not found: x+$", message)
    assert.is_true(#message < 1100)
  end)
end)
