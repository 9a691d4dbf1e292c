-- The legacy era (2025-11-25 and before): sessions, questions on the call's own stream, and all the
-- ways in which an answer may come, not come, or come twice.

local http = require "support.http"
local legacy = require "support.legacy"
local process = require "support.process"
local rpc = require "support.rpc"
local socket = require "socket"
local store = require "support.store"
local wait = require "support.wait"

local YES = { action = "accept", content = { approved = true, time = "14:30" } }

-- Longer than a session_idle of one second, and than what the host's own clock may lag behind.
local IDLE = 2.5

describe("a legacy session", function()
  local host, booked

  setup(function()
    host = process.start()
  end)

  teardown(function()
    process.close(host)
  end)

  before_each(function()
    booked = store.bookings_from_now(host)
  end)

  local function ask(client, topic)
    return client:ask("book_meeting", { topic = topic })
  end

  for _, version in ipairs { "2025-11-25", "2025-06-18" } do
    it("speaks " .. version .. " with a client that does", function()
      local client = legacy.connect(host, { version = version })
      assert.equal(version, client.version)
      local call = ask(client, "in " .. version)
      call:answer(YES)
      assert.same({ { topic = "in " .. version, time = "14:30" } }, booked())
    end)
  end

  it("speaks 2025-03-26, which has no elicitation, and says so where a tool needs it", function()
    local client = legacy.connect(host, { version = "2025-03-26" })
    assert.equal("2025-03-26", client.version)
    local call = ask(client, "in 2025-03-26")
    assert.is_true(call.is_error)
    assert.equal("book_meeting needs a client that supports elicitation.form; this one did not "
      .. "declare it, or its protocol version (2025-03-26) does not have it.", call.text)
    assert.same({}, booked())
  end)

  it("speaks 2025-11-25 with a client whose version nobody knows", function()
    assert.equal("2025-11-25", legacy.connect(host, { version = "1900-01-01" }).version)
  end)

  it("starts with who the host is and an id in visible ASCII that nobody guesses", function()
    local one, two = legacy.connect(host), legacy.connect(host)
    local info = one.opened.result.serverInfo
    assert.same({ "elicitation-server", "0.1.0" }, { info.name, info.version })
    assert.is_table(one.opened.result.capabilities.tools)
    assert.truthy(one.session:find "^[\x21-\x7E]+$")
    assert.is_true(#one.session >= 22)
    assert.not_equal(one.session, two.session)
  end)

  it("says nothing of the modern era in its results", function()
    local result = legacy.connect(host):request("tools/list").result
    assert.is_nil(result.resultType)
    assert.is_nil(result.ttlMs)
  end)

  it("answers a ping with an empty object", function()
    local reply = legacy.connect(host):request "ping"
    assert.equal(200, reply.status)
    assert.truthy(reply.body:find('"result":{}', 1, true), reply.body)
  end)

  it("has no method of another name, and lives on", function()
    local client = legacy.connect(host)
    local reply = client:request("no/such")
    assert.equal(-32601, reply.error.code)
    assert.equal(200, reply.status) -- a 404 would tell the client that its session is gone
    assert.equal(200, client:request("ping").status)
  end)

  it("is needed: a request without it is refused", function()
    local client = legacy.connect(host)
    assert.equal(400, client:request("tools/list", nil, { ["Mcp-Session-Id"] = false }).status)
  end)

  it("must exist: a request with another id is not found", function()
    local client = legacy.connect(host)
    local reply = client:request("tools/list", nil, { ["Mcp-Session-Id"] = ("x"):rep(22) })
    assert.equal(404, reply.status)
  end)

  it("does not take a version it has never heard of in the header", function()
    local headers = { ["MCP-Protocol-Version"] = "1900-01-01" }
    local reply = legacy.connect(host):request("ping", nil, headers)
    assert.equal(400, reply.status)
  end)

  it("remembers the version for a client that leaves out the header", function()
    local client = legacy.connect(host)
    assert.equal(200, client:request("ping", nil, { ["MCP-Protocol-Version"] = false }).status)
  end)

  it("ends when it is deleted", function()
    local client = legacy.connect(host)
    local status = client:delete().status
    assert.is_true(status == 204 or status == 200)
    assert.equal(404, client:request("ping").status)
    assert.equal(404, client:delete().status)
  end)

  it("ends its waiting calls when it is deleted, and books nothing", function()
    local client = legacy.connect(host)
    local call = ask(client, "deleted")
    client:delete()
    call:advance()
    assert.is_nil(call.question)
    assert.is_nil(call.result)
    assert.equal(404, call:post_answer(YES).status)
    assert.same({}, booked())
  end)

  it("has a stream of its own for a client that asks for it", function()
    local stream = legacy.connect(host):listen()
    assert.equal(200, stream.status)
    assert.truthy(stream.headers["content-type"]:find("^text/event%-stream"))
    assert.equal("no", stream.headers["x-accel-buffering"])
    stream:close()
  end)

  it("has no stream for a client that does not accept one", function()
    local client = legacy.connect(host)
    local reply = client:listen { Accept = "application/json" }
    assert.equal(406, reply.status)
    reply:close()
  end)

  it("has no stream without an id, or with a wrong one", function()
    local client = legacy.connect(host)
    for id, status in pairs { [false] = 400, wrong = 404 } do
      local reply = client:listen { ["Mcp-Session-Id"] = id }
      assert.equal(status, reply.status)
      reply:close()
    end
  end)

  it("asks on the stream of the call, and ends that stream with the result", function()
    local client = legacy.connect(host)
    local call = ask(client, "streamed")
    assert.truthy(call.content_type:find("^text/event%-stream"))
    assert.equal("no", call.stream.headers["x-accel-buffering"])
    assert.equal("elicitation/create", call.question_method)
    call:answer(YES)
    assert.equal("Booked: meeting about 'streamed' at 14:30.", call.text)
    assert.is_false(call.stream.unread)
    assert.same({ { topic = "streamed", time = "14:30" } }, booked())
  end)

  it("answers a refusal that asks nobody with plain JSON", function()
    local call = ask(legacy.connect(host), "it's")
    assert.equal("application/json", call.content_type)
    assert.is_true(call.is_error)
  end)

  it("takes an answer once: the second is accepted and ignored", function()
    local client = legacy.connect(host)
    local call = ask(client, "answered twice")
    assert.equal(202, call:post_answer({ action = "decline" }).status)
    assert.equal(202, call:post_answer(YES).status)
    call:advance()
    assert.equal("Not booked: user declined the meeting about 'answered twice'.", call.text)
    assert.same({}, booked())
  end)

  it("does not take an answer of another session", function()
    local client, thief = legacy.connect(host), legacy.connect(host)
    local call = ask(client, "mine")
    assert.equal(202, thief:respond(call.question_id, YES).status)
    call:answer { action = "decline" }
    assert.equal("Not booked: user declined the meeting about 'mine'.", call.text)
    assert.same({}, booked())
  end)

  it("ignores an answer to a question that was never asked", function()
    local client = legacy.connect(host)
    assert.equal(202, client:respond("nothing", YES).status)
    assert.same({}, booked())
  end)

  it("takes an error for an answer, and books nothing", function()
    local client = legacy.connect(host)
    local call = ask(client, "failed")
    local reply = client:post {
      jsonrpc = "2.0",
      id = call.question_id,
      error = { code = -32603, message = "the dialog crashed" },
    }
    assert.equal(202, reply.status)
    call:advance()
    assert.is_nil((call.text or ""):match "^Booked")
    assert.is_true(call.is_error or call.error ~= nil or call.text:find("^Not booked") ~= nil)
    assert.same({}, booked())
  end)

  it("keeps apart two calls that wait at once", function()
    local client = legacy.connect(host)
    local one, two = ask(client, "one"), ask(client, "two")
    assert.not_equal(one.question_id, two.question_id)
    two:answer(YES)
    one:answer { action = "cancel" }
    assert.equal("Not booked: user cancelled the request to book 'one'.", one.text)
    assert.same({ { topic = "two", time = "14:30" } }, booked())
  end)

  it("ends a call that is cancelled without a word, and books nothing", function()
    local client = legacy.connect(host)
    local call = ask(client, "called off")
    local reply = client:notify("notifications/cancelled", { requestId = call.id })
    assert.equal(202, reply.status)
    call:advance()
    assert.is_true(call.ended_silently)
    assert.is_nil(call.result)
    assert.is_nil(call.error)
    assert.equal(202, call:post_answer(YES).status)
    assert.same({}, booked())
  end)

  it("does not let one session cancel a call of another", function()
    local client, stranger = legacy.connect(host), legacy.connect(host)
    local call = ask(client, "not yours")
    stranger:notify("notifications/cancelled", { requestId = call.id })
    call:answer(YES)
    assert.same({ { topic = "not yours", time = "14:30" } }, booked())
  end)

  it("goes on with a call whose client lost the connection and answers later", function()
    local client = legacy.connect(host)
    local call = ask(client, "connection lost")
    call.stream:close()
    assert.equal(202, call:post_answer(YES).status)
    wait.for_condition("the booking", function()
      return #booked() == 1
    end)
    assert.same({ { topic = "connection lost", time = "14:30" } }, booked())
  end)

  it("hands the result to a client that takes its lost stream up again", function()
    local client = legacy.connect(host)
    local call = ask(client, "taken up again")
    assert.is_string(call.last_event_id)
    call.stream:close()
    assert.equal(202, call:post_answer(YES).status)
    call:reconnect()
    call:advance()
    assert.equal("Booked: meeting about 'taken up again' at 14:30.", call.text)
    assert.same({ { topic = "taken up again", time = "14:30" } }, booked())
  end)

  it("takes the stream up again before the answer, and does not ask twice", function()
    local client = legacy.connect(host)
    local call = ask(client, "early bird")
    call:reconnect()
    assert.equal(200, call.stream.status)
    call:answer(YES)
    assert.equal("Booked: meeting about 'early bird' at 14:30.", call.text)
    assert.equal(1, #call.questions)
    assert.same({ { topic = "early bird", time = "14:30" } }, booked())
  end)

  it("tells a client of 2025-11-25 first of all with which id, and when, to come back", function()
    local client = legacy.connect(host)
    local message = client:message("tools/call", {
      name = "book_meeting", arguments = { topic = "primed" } })
    local stream = http.open(host, client:http_request(message))
    local first, second = stream:event(), stream:event()
    assert.same({ "", "1000" }, { first.data, first.retry })
    assert.truthy(first.id:find "^[!-~]+$")
    assert.is_nil(second.retry)
    assert.not_equal(first.id, second.id)
    assert.equal("elicitation/create", rpc.decode(second.data).method)
    stream:close()
  end)

  it("sends no event without data to a client of 2025-06-18, which would choke on it", function()
    local client = legacy.connect(host, { version = "2025-06-18" })
    local message = client:message("tools/call", {
      name = "book_meeting", arguments = { topic = "not primed" } })
    local stream = http.open(host, client:http_request(message))
    local first = stream:event()
    assert.equal("elicitation/create", rpc.decode(first.data).method)
    assert.is_string(first.id)
    stream:close()
  end)

  it("refuses an id of no stream of its own with 400, and lives on", function()
    local client, stranger = legacy.connect(host), legacy.connect(host)
    local call = ask(client, "foreign")
    for _, id in ipairs { "nonsense", call.last_event_id } do
      local reply = rpc.open(stranger:listen({ ["Last-Event-ID"] = id }):read())
      assert.equal(400, reply.status)
      assert.equal(-32600, reply.error.code)
    end
    call:answer(YES)
    assert.same({ { topic = "foreign", time = "14:30" } }, booked())
  end)

  it("hands the whole of a call to a client that comes back from its first event", function()
    local client = legacy.connect(host)
    local call = ask(client, "again and again")
    local first = call.last_event_id
    call.stream:close()
    assert.equal(202, call:post_answer(YES).status)
    for _ = 1, 3 do -- whenever it was lost again
      call.last_event_id = first
      call:reconnect()
      call:advance()
      assert.equal("Booked: meeting about 'again and again' at 14:30.", call.text)
    end
    assert.same({ { topic = "again and again", time = "14:30" } }, booked())
  end)

  for name, options in pairs {
    ["accepts no stream"] = { accept = "application/json" },
    ["declared no elicitation"] = { capabilities = { roots = {} } },
    ["declared elicitation by URL alone"] = { capabilities = { elicitation = { url = {} } } },
  } do
    it("tells a client that " .. name .. " at once that it cannot ask", function()
      local call = ask(legacy.connect(host, options), "mute")
      assert.equal("application/json", call.content_type)
      assert.is_true(call.is_error)
      assert.same({}, call.questions)
      assert.same({}, booked())
    end)
  end

  it("takes several messages at once in 2025-03-26", function()
    local client = legacy.connect(host, { version = "2025-03-26" })
    local reply = client:post {
      client:message "ping",
      { jsonrpc = "2.0", method = "notifications/initialized" },
      client:message "tools/list",
    }
    assert.equal(200, reply.status)
    local results = {}
    for _, message in ipairs(reply.json) do
      results[message.id] = message.result
    end
    assert.equal(2, #reply.json)
    assert.same({}, results[client.last_id - 1])
    assert.equal("book_meeting", results[client.last_id].tools[1].name)
  end)

  it("takes several notifications at once in 2025-03-26 and says nothing", function()
    local client = legacy.connect(host, { version = "2025-03-26" })
    local note = { jsonrpc = "2.0", method = "notifications/initialized" }
    local reply = client:post { note, note }
    assert.equal(202, reply.status)
    assert.equal("", reply.body)
  end)

  it("takes one message at a time in every later version", function()
    for _, version in ipairs { "2025-06-18", "2025-11-25" } do
      local client = legacy.connect(host, { version = version })
      local reply = client:post { client:message "ping" }
      assert.equal(400, reply.status)
      assert.equal(-32600, reply.error.code)
    end
  end)

  it("refuses an empty batch", function()
    local reply = legacy.connect(host, { version = "2025-03-26" }):post "[]"
    assert.equal(400, reply.status)
    assert.equal(-32600, reply.error.code)
  end)
end)

describe("a legacy session that idles", function()
  local host

  setup(function()
    host = process.start { config = { session_idle = 1 } }
  end)

  teardown(function()
    process.close(host)
  end)

  it("ends by itself", function()
    local client = legacy.connect(host)
    assert.equal(200, client:request("ping").status)
    wait.for_clock(socket.gettime() + IDLE)
    assert.equal(404, client:request("ping").status)
  end)

  it("lives on while a call of it waits for a person", function()
    local booked = store.bookings_from_now(host)
    local client = legacy.connect(host)
    local call = client:ask("book_meeting", { topic = "slow reader" })
    wait.for_clock(socket.gettime() + IDLE)
    call:answer(YES)
    assert.same({ { topic = "slow reader", time = "14:30" } }, booked())
  end)
end)

describe("a person who never answers", function()
  local host

  setup(function()
    host = process.start { config = { answer_timeout = 1 } }
  end)

  teardown(function()
    process.close(host)
  end)

  it("ends the call with an error after answer_timeout, and books nothing", function()
    local booked = store.bookings_from_now(host)
    local call = legacy.connect(host):ask("book_meeting", { topic = "no answer" })
    call:advance()
    assert.is_true(call.is_error or call.error ~= nil)
    call:post_answer(YES)
    assert.same({}, booked())
  end)
end)

describe("the limits of the legacy era", function()
  local host

  setup(function()
    host = process.start { config = { sessions = 2, parked_calls = 1 } }
  end)

  teardown(function()
    process.close(host)
  end)

  it("refuse one session too many, and one waiting call too many, and no more", function()
    local booked = store.bookings_from_now(host)
    local client = legacy.connect(host)
    local other = legacy.connect(host)
    local initialize = other:message("initialize", {
      protocolVersion = "2025-11-25",
      capabilities = {},
      clientInfo = { name = "third", version = "1" },
    })
    assert.equal(503, http.post(host, rpc.encode(initialize)).status)

    local first = client:ask("book_meeting", { topic = "first" })
    local second = client:ask("book_meeting", { topic = "second" })
    assert.is_true(second.is_error or second.error ~= nil)
    first:answer(YES)
    local third = other:ask("book_meeting", { topic = "third" })
    third:answer(YES)
    assert.same({
      { topic = "first", time = "14:30" },
      { topic = "third", time = "14:30" },
    }, booked())

    other:delete()
    assert.equal(200, http.post(host, rpc.encode(initialize)).status)
  end)
end)
