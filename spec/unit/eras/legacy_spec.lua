-- Legacy sessions: begun, bound, listened to, idle, deleted.

local inside = require "support.inside"
local rpc = require "support.rpc"

local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "ask", handler = function(_, ctx)
  local answer = ctx:elicit { message = "?", requestedSchema = { type = "object", properties = {
    ok = { type = "boolean" } } } }
  ctx.store:put("c", "k", answer.action)
  return answer.action
end }
mcp.tool { name = "count", handler = function(_, ctx) return tostring(ctx.store:count "c") end }
]]

local HOUR = 3600
local MODERN_HEADERS = { ["MCP-Protocol-Version"] = "2026-07-28" }

describe("a legacy session", function()
  local host

  local function start(config, store)
    host = inside.start { scripts = { s = SCRIPT }, config = config, store = store }
  end

  after_each(function()
    inside.close(host)
    host = nil
  end)

  local function alive(session)
    return session:request("ping"):status() == 200
  end

  it("is made up to the limit, and again when one has ended", function()
    start "sessions = 2"
    local first = host:initialize()
    assert.is_string(host:initialize().id)
    local third = host:initialize()
    assert.is_nil(third.id)
    assert.equal(503, third.opened:status())
    assert.equal("Too many sessions are open (sessions); try again later",
      third.opened:error().message)
    assert.equal(1, third.opened:told().retry_after)
    assert.equal(204, first:delete():status())
    assert.is_string(host:initialize().id)
  end)

  it("ends when it has been idle, and not before", function()
    start "session_idle = 3600"
    local session = host:initialize()
    host:tick(HOUR - 1)
    assert.is_true(alive(session))
    host:tick(HOUR + 1)
    local reply = session:request "ping"
    assert.equal(404, reply:status())
    assert.equal(-32001, reply:error().code)
  end)

  it("is not idle while a call of it waits for a person", function()
    start "session_idle = 3600, answer_timeout = 100000"
    local session = host:initialize()
    local visit = session:call "ask"
    host:tick(2 * HOUR)
    session:answer(visit, { action = "accept", content = {} })
    host:settle()
    assert.equal("accept", visit:text())
    assert.is_true(alive(session))
    host:tick(2 * HOUR)
    assert.is_false(alive(session))
  end)

  it("is not idle while its stream is open", function()
    start "session_idle = 3600"
    local session = host:initialize()
    local stream = session:listen()
    host:tick(2 * HOUR)
    assert.is_true(stream:open())
    stream:leave()
    host:tick(HOUR - 1)
    assert.is_true(alive(session))
    host:tick(HOUR + 1)
    assert.is_false(alive(session))
  end)

  it("is not found by another principal, whatever it is asked", function()
    start()
    local session = host:initialize { principal = "ada" }
    local visit = session:call "ask"
    for _, principal in ipairs { "", "bob" } do
      local thief = setmetatable({ principal = principal }, { __index = session })
      assert.equal(404, thief:request("ping"):status())
      assert.equal(404, thief:listen():status())
      assert.equal(404, thief:delete():status())
      assert.equal(404, thief:post({ jsonrpc = "2.0", id = visit:question().id,
        result = { action = "accept" } }):status())
    end
    assert.is_true(visit:open())
    assert.same({}, host:rows("s", "c"))
    assert.is_true(alive(session))
  end)

  it("ends with its parked call when it is deleted: told to the call, nothing stored", function()
    start()
    local session = host:initialize()
    local visit, stream = session:call "ask", session:listen()
    assert.equal(204, session:delete():status())
    assert.equal("The session was ended", visit:error().message)
    assert.is_true(visit:told().closed)
    assert.is_true(stream:told().closed)
    assert.equal("", host:states())
    assert.same({}, host:rows("s", "c"))
    assert.equal(404, session:delete():status())
  end)

  it("has one stream: a new one ends the old one", function()
    start()
    local session = host:initialize()
    local old, new = session:listen(), session:listen()
    assert.is_true(old:told().closed)
    assert.is_true(new:open())
    new:leave()
    assert.is_true(session:listen():open())
  end)

  it("keeps its stream when the client asks for another that it does not accept", function()
    start()
    local session = host:initialize()
    local old = session:listen()
    assert.equal(400, session:listen({ streams = false }):status())
    assert.is_true(old:open())
  end)

  it("has no new stream while the host waits for its last call", function()
    start(nil, "file")
    local session = host:initialize()
    local visit = session:call "count"
    host.native:stop()
    local late = session:listen()
    assert.equal(503, late:status())
    assert.is_false(late:open())
    host:turn_until("the host to stop", function() return host.native:stopped() end)
    assert.equal("0", visit:text())
  end)

  it("is not begun while the host stops", function()
    start()
    host.native:stop()
    local late = host:initialize()
    assert.equal(503, late.opened:status())
    assert.equal("The server is shutting down", late.opened:error().message)
  end)

  it("ends when the host stops, and closes its stream", function()
    start()
    local session = host:initialize()
    local stream = session:listen()
    host.native:stop()
    assert.is_true(stream:told().closed)
    assert.equal(404, session:request("ping"):status())
  end)

  it("is missed with the id of the request, so that the client knows which", function()
    start()
    for _, case in ipairs { { nil, 400, -32600 }, { ("0"):rep(32), 404, -32001 } } do
      local reply = host:post('{"jsonrpc":"2.0","id":"seven","method":"ping"}',
        { headers = { ["Mcp-Session-Id"] = case[1] } })
      assert.equal(case[2], reply:status())
      assert.equal(case[3], reply:error().code)
      assert.equal("seven", reply:message().id)
    end
  end)

  it("is missed without an id where a response is posted: that id is not the client's", function()
    start()
    local reply = host:post('{"jsonrpc":"2.0","id":1,"result":{}}', { headers = {} })
    assert.equal(400, reply:status())
    assert.is_nil(reply:message().id)
  end)

  it("is told by its id alone when the header came twice", function()
    start()
    local session = host:initialize()
    local reply = session:request("ping", nil, { headers = { ["Mcp-Session-Id"] = "" } })
    assert.equal(404, reply:status())
  end)

  for _, version in ipairs { "2025-03-26", "2025-06-18", "2025-11-25" } do
    it("takes the header of version " .. version .. ", whichever it speaks", function()
      start()
      local session = host:initialize { version = "2025-06-18" }
      session.version = version
      assert.is_true(alive(session))
    end)
  end

  for _, version in ipairs { "", "2024-11-05", "2026-07-28", "banana" } do
    it("refuses the header of version '" .. version .. "'", function()
      start()
      local session = host:initialize()
      session.version = version
      local reply = session:request "ping"
      assert.equal(400, reply:status())
      assert.matches("MCP%-Protocol%-Version", reply:error().message)
    end)
  end

  it("does without the header of the version", function()
    start()
    local session = host:initialize()
    session.version = nil
    assert.is_true(alive(session))
  end)

  it("is no session for a transport without headers", function()
    start()
    local reply = host:post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { headers = false })
    assert.equal(400, reply:status())
  end)

  it("takes batches in 2025-03-26 alone", function()
    start()
    local batch = rpc.encode { { jsonrpc = "2.0", id = 1, method = "ping" } }
    for version, status in pairs { ["2025-03-26"] = 200, ["2025-06-18"] = 400,
      ["2025-11-25"] = 400 } do
      assert.equal(status, host:initialize({ version = version }):post(batch):status())
    end
  end)

  it("is begun by initialize whatever the headers say", function()
    start()
    for _, headers in ipairs { MODERN_HEADERS, { ["Mcp-Session-Id"] = "old" }, {} } do
      local reply = host:post({ jsonrpc = "2.0", id = 1, method = "initialize",
        params = { protocolVersion = "2025-11-25", capabilities = {} } }, { headers = headers })
      assert.equal(200, reply:status())
      assert.equal("2025-11-25", reply:result().protocolVersion)
    end
  end)
end)
