-- One event loop's worth of host: who is let in, which era a message is of, how it stops.

local inside = require "support.inside"

local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "ask", handler = function(_, ctx)
  local answer = ctx:elicit { message = "?", requestedSchema = { type = "object", properties = {
    ok = { type = "boolean" } } } }
  ctx.store:put("c", "k", answer.action)
  return answer.action
end }
mcp.tool { name = "era", handler = function(_, ctx) return ctx.era end }
]]

describe("a worker", function()
  local host

  local function start(config, store)
    host = inside.start { scripts = { s = SCRIPT }, config = config, store = store }
  end

  after_each(function()
    inside.close(host)
    host = nil
  end)

  it("lets in who calls it by its name, from no browser or one that is allowed", function()
    start [[allowed_origins = { "https://app.example" }, allowed_hosts = { "mcp.example" }]]
    for _, case in ipairs {
      { "localhost:3000", nil, "welcome" }, { "127.0.0.1", nil, "welcome" },
      { "mcp.example", nil, "welcome" }, { "mcp.example:8080", nil, "welcome" },
      { "localhost", "https://app.example", "welcome" },
      { "localhost", "https://other.example", "bad origin" }, { "localhost", "null", "bad origin" },
      { "localhost", "", "bad origin" }, { "evil.example", nil, "bad host" },
      { "evil.example", "https://app.example", "bad host" }, { nil, nil, "bad host" },
    } do
      assert.equal(case[3], host.native:admit { host = case[1], origin = case[2] })
    end
  end)

  it("lets in nobody whose Origin comes twice, allowed or not", function()
    start [[allowed_origins = { "https://app.example" }]]
    assert.equal("bad origin", host.native:admit { host = "localhost",
      origin = "https://app.example", origin_repeated = true })
  end)

  it("tells the era of a message by its body first", function()
    start()
    local session = host:initialize()
    local modern, headers = host:prepare("tools/call", { name = "era" })
    assert.equal("modern", host:post(modern, { headers = headers }):text())
    assert.equal("legacy", session:call("era"):text())
    for name, value in pairs(session:headers()) do headers[name] = headers[name] or value end
    assert.equal("modern", host:post(modern, { headers = headers }):text())
  end)

  it("tells a message that no parser takes where it breaks", function()
    start()
    for body, at in pairs { [""] = 0, ["{"] = 1, ['{"a":1,"a":2}'] = 7, ["[1]x"] = 3 } do
      local visit = host:post(body)
      assert.equal(400, visit:status())
      assert.equal(-32700, visit:error().code)
      assert.matches("^Parse error: .+ at byte " .. at .. "$", visit:error().message)
    end
  end)

  it("keeps the loop from waiting for what is late: its own timer looks", function()
    start "answer_timeout = 1"
    local visit = host:initialize():call "ask"
    host:turn_until("the answer to be late", function() return not visit:open() end)
    assert.equal("Nobody answered within 1 seconds.", visit:text())
    assert.same({}, host:rows("s", "c"))
  end)

  it("stops at once when there is nothing to wait for", function()
    start()
    assert.is_false(host.native:stopped())
    host.native:stop()
    host:turn_until("the host to stop", function() return host.native:stopped() end)
  end)

  it("stops with the questions it waits for: told to their clients, and nothing stored", function()
    start(nil, "file")
    local session, visits = host:initialize(), {}
    for i = 1, 20 do visits[i] = session:call "ask" end
    host.native:stop()
    host:turn_until("the host to stop", function() return host.native:stopped() end)
    for _, visit in ipairs(visits) do
      assert.equal(-32603, visit:error().code)
      assert.is_true(visit:told().closed)
    end
    assert.same({}, host:rows("s", "c"))
  end)

  it("answers what still comes while it stops", function()
    start()
    host.native:stop()
    assert.equal(200, host:modern("tools/list"):status())
    assert.equal(503, host:call("era"):status())
  end)
end)
