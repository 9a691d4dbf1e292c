-- Batches of 2025-03-26: many messages in, one array out.

local inside = require "support.inside"
local rpc = require "support.rpc"

local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "echo", inputSchema = { type = "object" }, handler = function(args)
  return args.text
end }
mcp.tool { name = "read", handler = function(_, ctx)
  local n = ctx.store:count "c"
  ctx.store:append("c", n)
  return "read"
end }
mcp.tool { name = "ask", handler = function(_, ctx)
  ctx.store:put("c", "asked", 1)
  return #ctx:roots() .. " roots"
end }
]]

local PING = '{"jsonrpc":"2.0","id":%s,"method":"ping"}'
local CALL = '{"jsonrpc":"2.0","id":%s,"method":"tools/call",'
  .. '"params":{"name":"%s","arguments":{%s}}}'
local NOTE = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
local RESPONSE = '{"jsonrpc":"2.0","id":99,"result":{}}'

describe("a batch", function()
  local host, session

  before_each(function()
    host = inside.start { scripts = { s = SCRIPT }, store = "file" }
    session = host:initialize { version = "2025-03-26", capabilities = { roots = {} } }
  end)

  after_each(function()
    inside.close(host)
  end)

  local function post(...)
    return session:post("[" .. table.concat({ ... }, ",") .. "]")
  end

  -- Returns the replies by id, and how many there are.
  local function replies(visit)
    local list, by_id = rpc.decode(visit:told().body), {}
    for _, message in ipairs(list) do by_id[message.id or "none"] = message end
    return by_id, #list
  end

  it("is answered with one array of the replies to its requests", function()
    local visit = post(PING:format "1", NOTE, CALL:format('"two"', "echo", '"text":"hi"'), RESPONSE,
      CALL:format("3", "no such tool", ""))
    assert.equal(200, visit:status())
    local by_id, n = replies(visit)
    assert.equal(3, n)
    assert.same({}, by_id[1].result)
    assert.equal("hi", by_id.two.result.content[1].text)
    assert.equal(-32602, by_id[3].error.code)
  end)

  it("waits for the last of its calls, whichever that is", function()
    local visit = post(CALL:format("1", "read", ""), CALL:format("2", "read", ""), PING:format "3")
    assert.is_true(visit:open())
    host:settle()
    local by_id, n = replies(visit)
    assert.equal(3, n)
    assert.equal("read", by_id[1].result.content[1].text)
    assert.equal("read", by_id[2].result.content[1].text)
    assert.equal(2, #host:rows("s", "c"))
  end)

  it("of notifications and responses alone is taken without a word", function()
    local visit = post(NOTE, RESPONSE, NOTE)
    assert.equal(202, visit:status())
    assert.is_nil(visit:told().body)
  end)

  it("that is empty is refused", function()
    local visit = post()
    assert.equal(400, visit:status())
    assert.equal("A batch must not be empty", visit:error().message)
  end)

  it("has an error for each of its elements that is no message, and answers the others", function()
    local visit = post("7", "[]", "[" .. PING:format "8" .. "]", "null", PING:format "1",
      '{"jsonrpc":"2.0","id":2}', "{}")
    local list = rpc.decode(visit:told().body)
    assert.equal(7, #list)
    for i, message in ipairs(list) do
      if i == 5 then
        assert.same({}, message.result)
      else
        assert.equal(-32600, message.error.code)
        assert.equal(i == 6 and 2 or nil, message.id)
      end
    end
  end)

  it("can't begin a session", function()
    local visit = post('{"jsonrpc":"2.0","id":1,"method":"initialize","params":'
      .. '{"protocolVersion":"2025-03-26","capabilities":{}}}')
    local by_id = replies(visit)
    assert.equal(-32600, by_id[1].error.code)
    assert.equal("initialize must not be part of a batch", by_id[1].error.message)
    assert.is_nil(visit:told().session_id)
  end)

  it("can't ask: such a call is an error at once, stores nothing, and the rest goes on", function()
    local visit = post(CALL:format("1", "ask", ""), PING:format "2")
    host:settle()
    local by_id = replies(visit)
    assert.is_true(by_id[1].result.isError)
    assert.matches("in a batch", by_id[1].result.content[1].text)
    assert.same({}, by_id[2].result)
    assert.same({}, host:rows("s", "c"))
  end)

  it("answers a call that asks outside of it", function()
    local waiting = session:call "ask"
    local visit = post(('{"jsonrpc":"2.0","id":%d,"result":{"roots":[]}}'):format(
      waiting:question().id), PING:format "1")
    assert.equal(200, visit:status())
    host:settle()
    assert.equal("0 roots", waiting:text())
  end)

  it("whose client leaves in the middle goes on, and sends nothing", function()
    local visit = post(PING:format "1", CALL:format("2", "read", ""), CALL:format("3", "read", ""))
    visit:leave()
    host:settle()
    assert.equal(0, visit:told().replies)
    assert.equal("", host:states())
    assert.equal(2, #host:rows("s", "c"))
  end)

  it("may cancel one of its own calls, which then has no reply", function()
    local visit = post(CALL:format("1", "read", ""), PING:format "2",
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
    host:settle()
    local by_id, n = replies(visit)
    assert.equal(1, n)
    assert.same({}, by_id[2].result)
    assert.same({}, host:rows("s", "c"))
  end)

  it("whose only call is cancelled ends without a word", function()
    local visit = post(CALL:format("1", "read", ""), NOTE)
    session:notify("notifications/cancelled", { requestId = 1 })
    host:settle()
    assert.equal(202, visit:status())
    assert.is_nil(visit:told().body)
  end)

  it("is answered with errors when its session is deleted", function()
    local visit = post(CALL:format("1", "read", ""), CALL:format("2", "read", ""), PING:format "3")
    session:delete()
    local by_id, n = replies(visit)
    assert.equal(3, n)
    assert.equal(-32001, by_id[1].error.code)
    assert.equal(-32001, by_id[2].error.code)
    host:settle()
    assert.same({}, host:rows("s", "c"))
  end)

  it("is answered when the host stops", function()
    local visit = post(CALL:format("1", "read", ""), CALL:format("2", "read", ""))
    host.native:stop()
    host:turn_until("the host to stop", function() return host.native:stopped() end)
    local _, n = replies(visit)
    assert.equal(2, n)
    assert.equal(2, #host:rows("s", "c"))
  end)

  it("may hold the same id twice, and is answered twice", function()
    local visit = post(PING:format "1", PING:format "1")
    local _, n = replies(visit)
    assert.equal(2, n)
  end)

  it("may be long", function()
    local messages = {}
    for i = 1, 500 do messages[i] = CALL:format(i, "echo", ('"text":"%d"'):format(i)) end
    local by_id, n = replies(post(table.unpack(messages)))
    assert.equal(500, n)
    assert.equal("500", by_id[500].result.content[1].text)
  end)
end)
