-- Streams that outlive their connections: ids, replay, and who gets what.

local inside = require "support.inside"
local rpc = require "support.rpc"

local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "ask", inputSchema = { type = "object" }, handler = function(args, ctx)
  local answer = ctx:elicit { message = args.message or "?", requestedSchema = {
    type = "object", properties = { ok = { type = "boolean" } } } }
  ctx.store:put("c", args.key or "k", answer.action)
  return ("x"):rep(args.length or 0) .. answer.action
end }
mcp.tool { name = "poll", inputSchema = { type = "object" }, handler = function(args, ctx)
  if args.ask then ctx:elicit { message = "?", requestedSchema = {
    type = "object", properties = {} } } end
  local first = ctx:close_stream()
  return ("%s %s"):format(first, ctx:close_stream())
end }
mcp.tool { name = "roots", handler = function(_, ctx)
  local n = #ctx:roots()
  ctx.store:put("c", "k", n)
  return n .. " roots"
end }
]]

local YES = { action = "accept", content = {} }
local OWN = "notifications/tools/list_changed"
local ROOTS = { roots = {} } -- what clients of any version may be asked for

describe("a legacy stream", function()
  local host, session, edits

  local function start(options, config)
    host = inside.start { scripts = { s = SCRIPT }, config = config }
    session = host:initialize(options)
    edits = 0
  end

  before_each(function()
    start()
  end)

  after_each(function()
    inside.close(host)
  end)

  local function rows()
    return table.concat(host:rows("s", "c"), " ")
  end

  -- Makes the host say something on the streams of its own.
  local function change_tools()
    local shell = require "support.shell"
    edits = edits + 1
    shell.write(host.folder .. "/s.lua",
      (SCRIPT:gsub('name = "ask"', ('%%0, description = "%d"'):format(edits))))
    assert.is_true((host.native:reload()))
  end

  local function methods(visit)
    local names = {}
    for i, message in ipairs(visit:events()) do
      names[i] = message.method or "result"
    end
    return table.concat(names, " ")
  end

  local function assert_refused(visit)
    assert.equal(400, visit:status())
    assert.matches("^Last%-Event%-ID is of no stream of this session", visit:error().message)
    assert.is_false(visit:told().opened)
  end

  local function drop_host()
    inside.close(host)
  end

  it("gives every event an id that no other of the session has", function()
    local seen, count = {}, 0
    local function take(visit)
      for _, id in ipairs(visit:told().ids) do
        assert.is_nil(seen[id], id)
        seen[id], count = true, count + 1
      end
    end
    local own, one, two = session:listen(), session:call "ask", session:call "ask"
    change_tools()
    session:answer(two, YES)
    session:answer(one, YES)
    host:settle()
    for _, visit in ipairs { own, one, two } do take(visit) end
    assert.equal(2 + 3 + 3, count)
  end)

  it("begins with an id alone for a client of 2025-11-25, and of no other version", function()
    for version, ids in pairs { ["2025-11-25"] = 2, ["2025-06-18"] = 1, ["2025-03-26"] = 1 } do
      drop_host()
      start { version = version, capabilities = ROOTS }
      local visit = session:call "roots"
      assert.equal(ids, #visit:told().ids)
      assert.equal(1, #visit:events())
      assert.equal(ids - 1, #session:listen():told().ids)
    end
  end)

  it("is not made of a reply that needs none", function()
    local reply = session:request "tools/list"
    assert.same({}, reply:told().ids)
    assert.is_false(reply:told().opened)
  end)

  for version in pairs { ["2025-11-25"] = 1, ["2025-06-18"] = 1, ["2025-03-26"] = 1 } do
    it("can be taken up again in " .. version, function()
      drop_host()
      start { version = version, capabilities = ROOTS }
      local visit = session:call "roots"
      visit:leave()
      local again = session:listen { after = visit:last_id() }
      assert.equal("", methods(again))
      session:answer(visit:question().id, { roots = {} })
      host:settle()
      assert.equal("result", methods(again))
      assert.equal("0 roots", again:text())
      assert.equal(visit.id, again:message().id)
      assert.is_true(again:told().closed)
      assert.equal("k=0", rows())
    end)
  end

  it("gives a client that saw nothing but the first id all that came after", function()
    local visit = session:call "ask"
    local first = visit:told().ids[1]
    visit:leave()
    assert.equal("elicitation/create", methods(session:listen { after = first }))
    session:answer(visit, YES)
    host:settle()
    local again = session:listen { after = first }
    assert.equal("elicitation/create result", methods(again))
    assert.is_true(again:told().closed)
  end)

  it("can be read again when it is over, from wherever the client was", function()
    local visit = session:call "ask"
    session:answer(visit, YES)
    host:settle()
    local ids = visit:told().ids
    for i, names in ipairs { "elicitation/create result", "result", "" } do
      local again = session:listen { after = ids[i] }
      assert.equal(names, methods(again))
      assert.is_true(again:told().closed)
    end
    assert.equal('k="accept"', rows())
  end)

  it("replays nothing of another stream", function()
    local own = session:listen()
    local one = session:call("ask", { key = "one" })
    local two = session:call("ask", { key = "two" })
    change_tools()
    session:answer(one, YES)
    session:answer(two, { action = "decline" })
    host:settle()
    local again = session:listen { after = one:told().ids[1] }
    assert.equal("elicitation/create result", methods(again))
    assert.equal("accept", again:text())
    again = session:listen { after = own:told().ids[1] }
    assert.equal(OWN, methods(again))
    assert.is_true(again:open())
    assert.equal('one="accept" two="decline"', rows())
  end)

  it("is cut off where somebody takes it up while it is open: nothing is sent twice", function()
    local visit = session:call "ask"
    local again = session:listen { after = visit:last_id() }
    assert.is_true(visit:told().closed)
    session:answer(visit, YES)
    host:settle()
    assert.equal("elicitation/create", methods(visit))
    assert.equal("result", methods(again))
  end)

  it("keeps its connection when it is asked for by who accepts no stream", function()
    local visit = session:call "ask"
    assert.equal(400, session:listen({ after = visit:last_id(), streams = false }):status())
    assert.is_true(visit:open())
    session:answer(visit, YES)
    host:settle()
    assert.equal("accept", visit:text())
  end)

  it("is not found by an id that was never given, whatever it looks like", function()
    local visit = session:call "ask"
    local id = visit:last_id()
    local tag, stream, number = id:match "^(%x+)%-(%d+)%-(%d+)$"
    for _, other in ipairs {
      "", " ", "0", "x", id .. " ", " " .. id, id .. "0", id .. "-1", id .. "-", "-" .. id,
      id:upper() .. "x",
      ("%s-%s-%d"):format(tag, stream, number + 1), ("%s-%d-%s"):format(tag, stream + 7, number),
      ("%s-%s-99999999999999999999"):format(tag, stream), ("%s-%s--1"):format(tag, stream),
      ("%s-%s-0x1"):format(tag, stream), tag,
      ("%s-%s-0%s"):format(tag, stream, number),
      ("%s-%s"):format(tag, stream), ("%s--%s"):format(tag, number),
      ("%08x-%s-%s"):format(tonumber(tag, 16) ~ 1, stream, number),
      ("%s-+%s-%s"):format(tag, stream, number), ("9"):rep(5000),
    } do
      assert_refused(session:listen { after = other })
    end
    assert.is_true(visit:open())
  end)

  it("is not found by the id of another session's stream, though that begins the same", function()
    local visit = session:call "ask"
    local other = host:initialize()
    other:call "ask"
    assert_refused(other:listen { after = visit:last_id() })
    assert.is_true(visit:open())
  end)

  it("is not found by the id of what was answered without one", function()
    session:request "tools/list"
    local id = session:call("ask"):last_id():gsub("%-%d+%-", "-1-")
    assert_refused(session:listen { after = id })
  end)

  it("of the session gives what it missed, and goes on", function()
    local own = session:listen()
    own:leave()
    change_tools()
    change_tools()
    local again = session:listen { after = own:last_id() }
    assert.equal(OWN .. " " .. OWN, methods(again))
    change_tools()
    assert.equal(3, #again:events())
    assert.is_true(again:open())
  end)

  it("of the session gives a new GET nothing of what was before it", function()
    session:listen():leave()
    change_tools()
    local new = session:listen()
    assert.equal("", methods(new))
    change_tools()
    assert.equal(OWN, methods(new))
  end)

  it("of the session is not kept for a client that never opened it", function()
    change_tools()
    assert.equal("", methods(session:listen()))
  end)

  it("forgets its oldest events over replay_limit, and then refuses who comes for them", function()
    drop_host()
    start(nil, "replay_limit = 65536")
    local first = session:call("ask", { key = "first" })
    session:answer(first, YES)
    host:settle()
    for i = 1, 5 do
      local filler = session:call("ask", { message = ("x"):rep(20000), key = "k" .. i })
      session:answer(filler, YES)
      host:settle()
    end
    assert_refused(session:listen { after = first:told().ids[1] })
    assert.equal("accept", first:text())
  end)

  it("gives an error for a result that was too large to be kept, once", function()
    drop_host()
    start(nil, "replay_limit = 65536")
    local visit = session:call("ask", { length = 70000 })
    local last = visit:last_id()
    session:answer(visit, YES)
    host:settle()
    assert.equal(70006, #visit:text())
    local again = session:listen { after = last }
    assert.equal(visit.id, again:message().id)
    assert.matches("replay_limit", again:error().message)
    assert.is_true(again:told().closed)
    assert.equal("", methods(session:listen { after = visit:last_id() }))
    assert.equal('k="accept"', rows())
  end)

  it("ends with its session, also for who comes back", function()
    local visit, own = session:call "ask", session:listen()
    visit:leave()
    session:delete()
    assert.is_true(own:told().closed)
    for _, id in ipairs { visit:last_id(), own:last_id() } do
      assert.equal(404, session:listen({ after = id }):status())
    end
    assert.equal("", rows())
  end)

  it("that nobody reads does not keep its session from being idle", function()
    local visit = session:call "ask"
    session:answer(visit, YES)
    host:settle()
    session:listen():leave()
    host:tick(1801)
    assert.equal(404, session:request("ping"):status())
  end)

  it("is told the end of a call that is cancelled while its client is away", function()
    local visit = session:call "ask"
    local last = visit:last_id()
    visit:leave()
    session:notify("notifications/cancelled", { requestId = visit.id })
    local again = session:listen { after = last }
    assert.equal("notifications/cancelled", methods(again))
    assert.is_true(again:told().closed)
    assert.equal("", rows())
  end)

  it("is let go of by its script: the client has an id to come back with", function()
    local visit = session:call "poll"
    assert.is_true(visit:told().closed)
    assert.same({}, visit:events())
    local again = session:listen { after = visit:last_id() }
    assert.equal("true true", again:text())
    assert.equal(visit.id, again:message().id)
    assert.is_true(again:told().closed)
  end)

  it("is let go of behind a question, when it was taken up by GET", function()
    local visit = session:call("poll", { ask = true })
    local again = session:listen { after = visit:last_id() }
    session:answer(visit, YES)
    host:settle()
    assert.is_true(again:told().closed)
    assert.equal("", methods(again))
    assert.equal("true true", session:listen({ after = visit:last_id() }):text())
  end)

  it("is let go of when nobody is connected any more", function()
    local visit = session:call("poll", { ask = true })
    visit:leave()
    session:answer(visit, YES)
    host:settle()
    assert.equal("true true", session:listen({ after = visit:last_id() }):text())
  end)

  it("is not let go of for a client that would not come back", function()
    assert.equal("false false", session:call("poll", {}, { streams = false }):text())
    for _, version in ipairs { "2025-06-18", "2025-03-26" } do
      local visit = host:initialize({ version = version }):call "poll"
      assert.equal("false false", visit:text())
      assert.is_false(visit:told().opened)
    end
    assert.equal("false false", host:call("poll"):text())
  end)

  it("keeps the id of its request, however that was written", function()
    local visit = session:post(
      '{"jsonrpc":"2.0","id":"\\u0061b","method":"tools/call","params":{"name":"ask"}}')
    visit:leave()
    session:answer(visit, YES)
    host:settle()
    local again = session:listen { after = visit:last_id() }
    assert.matches('"id":"\\u0061b"', again:told().events[1], 1, true)
    assert.equal("accept", rpc.text(again:message()))
  end)
end)
