-- Both eras over one pair of pipes, as a client that starts the host speaks them.

local stdio = require "support.stdio"
local store = require "support.store"

local YES = { action = "accept", content = { approved = true, time = "14:30" } }

for _, era in ipairs { "legacy", "modern" } do
  describe("stdio in the " .. era .. " era", function()
    local host, client, booked

    setup(function()
      host = stdio.start()
      client = stdio.connect(host, era)
    end)

    teardown(function()
      stdio.close(host)
    end)

    before_each(function()
      booked = store.bookings_from_now(host)
    end)

    it("lists the tools", function()
      local tools = client:tools()
      assert.equal(1, #tools)
      assert.equal("book_meeting", tools[1].name)
    end)

    it("asks on the channel and books what the person accepts", function()
      local call = client:ask("book_meeting", { topic = "Q3 roadmap" })
      assert.equal("Q3 roadmap", call.question.requestedSchema.properties.topic.default)
      assert.same({}, booked())
      call:answer(YES)
      assert.equal("Booked: meeting about 'Q3 roadmap' at 14:30.", call.text)
      assert.equal(1, #call.questions)
      assert.same({ { topic = "Q3 roadmap", time = "14:30" } }, booked())
    end)

    it("books nothing when the person declines, cancels, or leaves approved out", function()
      local texts = {
        decline = "Not booked: user declined the meeting about 'Q3'.",
        cancel = "Not booked: user cancelled the request to book 'Q3'.",
        accept = "Not booked: user did not approve the meeting about 'Q3'.",
      }
      for action, text in pairs(texts) do
        local call = client:ask("book_meeting", { topic = "Q3" })
        call:answer { action = action, content = action == "accept" and {} or nil }
        assert.equal(text, call.text)
        assert.is_false(call.is_error)
      end
      assert.same({}, booked())
    end)

    it("rejects a topic with a quote before anything is asked", function()
      local call = client:ask("book_meeting", { topic = 'a "quoted" topic' })
      assert.is_true(call.is_error)
      assert.same({}, call.questions)
      assert.same({}, booked())
    end)

    it("answers an unknown tool with a protocol error", function()
      local call = client:ask("nope", {})
      assert.equal(-32602, call.error.code)
    end)

    it("says nothing to notifications, whatever is wrong with them", function()
      client:notify "notifications/nonsense"
      client:notify("notifications/cancelled", { requestId = "never sent" })
      client:notify "notifications/cancelled"
      host:send '{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{"io.modelcontext'
      host:receive() -- that was no JSON
      host:send {
        jsonrpc = "2.0",
        method = "notifications/x",
        params = { _meta = { ["io.modelcontextprotocol/protocolVersion"] = "1900-01-01" } },
      }
      assert.equal(1, #client:tools())
    end)

    it("says nothing to responses to what it never asked", function()
      host:send '{"jsonrpc":"2.0","id":77,"result":{"action":"accept"}}'
      host:send '{"jsonrpc":"2.0","id":77,"error":{"code":-1,"message":"no"}}'
      host:send '{"jsonrpc":"2.0","id":77,"error":{},"result":{}}'
      assert.equal(1, #client:tools())
      assert.same({}, booked())
    end)
  end)
end

local PING = '{"jsonrpc":"2.0","id":%s,"method":"ping"}'

describe("the lines of stdio", function()
  local host

  setup(function()
    host = stdio.start { config = { body_limit = 1024 } }
    stdio.connect(host, "legacy")
  end)

  teardown(function()
    stdio.close(host)
  end)

  local function assert_pong(id)
    local _, text = host:receive()
    assert.equal('{"jsonrpc":"2.0","id":' .. id .. ',"result":{}}', text)
  end

  it("may be many in one write, and one in many", function()
    host:write(PING:format(1) .. "\n" .. PING:format(2) .. "\n" .. PING:format(3):sub(1, 9))
    assert_pong(1)
    assert_pong(2)
    host:write(PING:format(3):sub(10, 20))
    host:write(PING:format(3):sub(21) .. "\n")
    assert_pong(3)
  end)

  it("may end in CRLF, and blank ones are ignored", function()
    host:write("\r\n\n \t\n" .. PING:format(4) .. "\r\n\r\n")
    assert_pong(4)
  end)

  it("give an id back as it was sent", function()
    for _, id in ipairs { "0", '""', "9007199254740993", '"a\\u0062"' } do
      host:send(PING:format(id))
      assert_pong(id)
    end
  end)

  it("that are no JSON get -32700 without an id, and the next is read as ever", function()
    for _, line in ipairs { "nonsense", '{"jsonrpc":', '"\xff"', "\0", "{} {}" } do
      host:send(line)
      local message = host:receive()
      assert.equal(-32700, message.error.code)
      assert.is_nil(message.id)
    end
    host:send(PING:format(5))
    assert_pong(5)
  end)

  it("that are no message get -32600", function()
    for _, line in ipairs { "1", "null", '{"id":1}', '{"jsonrpc":"2.0","id":null,"method":"x"}',
      '{"jsonrpc":"2.0","id":1}' } do
      host:send(line)
      assert.equal(-32600, host:receive().error.code, line)
    end
  end)

  it("over body_limit get an error that names it, before they end, and are skipped", function()
    host:write(("x"):rep(1025))
    local message = host:receive()
    assert.equal(-32600, message.error.code)
    assert.truthy(message.error.message:find("1024 bytes (body_limit)", 1, true))
    host:write(("y"):rep(5000) .. "\n" .. PING:format(6) .. "\n")
    assert_pong(6)
  end)

  it("of body_limit exactly are read", function()
    local ping = PING:format(7)
    host:send(ping .. (" "):rep(1024 - #ping))
    assert_pong(7)
  end)
end)
