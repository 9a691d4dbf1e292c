-- The life of a call, from its start to its end in each of the states it may be in. What a state
-- is lasts as long as the spec does not turn the loop.

local inside = require "support.inside"
local unit = require "unit"

local YES = { action = "accept", content = { ok = true } }

local SCRIPT = [[
local mcp = require "mcp"
local FORM = { type = "object", properties = { ok = { type = "boolean" } } }

local function tool(name, handler)
  mcp.tool { name = name, inputSchema = { type = "object" }, handler = handler }
end

local function ask(ctx, message)
  return ctx:elicit { message = message or "?", requestedSchema = FORM }.action
end

tool("echo", function(args) return args.text end)
tool("note", function(args, ctx)
  ctx.store:put("c", args.key or "k", args.value or 1)
  return "noted"
end)
tool("note_two", function(_, ctx)
  ctx.store:put("c", "k", 1)
  ctx.store:put("c", "l", 1)
  return "noted"
end)
tool("note_error", function(_, ctx)
  ctx.store:put("c", "k", 1)
  return nil, "not today"
end)
tool("note_raise", function(_, ctx)
  ctx.store:put("c", "k", 1)
  error "boom"
end)
tool("note_fail", function(_, ctx)
  ctx.store:put("c", "k", 1)
  mcp.fail "sorry"
end)
local held = {}
tool("hold", function()
  local piece = ("x"):rep(500)
  while true do held[#held + 1] = piece .. #held end
end)
tool("read", function(_, ctx)
  local value = ctx.store:get("c", "k")
  ctx.store:put("c", "seen", tostring(value))
  return "read " .. tostring(value)
end)
tool("catch_read", function(_, ctx)
  local ok, why = pcall(ctx.store.get, ctx.store, "c", "k")
  return tostring(ok) .. " " .. tostring(why)
end)
tool("ask", function(_, ctx)
  local action = ask(ctx)
  ctx.store:put("c", "k", action)
  return action
end)
tool("read_ask", function(_, ctx)
  ctx.store:get("c", "k")
  local action = ask(ctx)
  ctx.store:put("c", "k", action)
  return action
end)
tool("catch_ask", function(_, ctx)
  local ok, why = pcall(ask, ctx)
  ctx.store:put("c", "k", "went on")
  return tostring(ok) .. " " .. tostring(why)
end)
tool("ask_read", function(_, ctx)
  local action = ask(ctx)
  ctx.store:get("c", "k")
  ctx.store:put("c", "k", action)
  return action
end)
]]

describe("a call", function()
  local host

  local function start(config, store)
    host = inside.start { scripts = { s = SCRIPT }, config = config, store = store or "file" }
  end

  after_each(function()
    inside.close(host)
    host = nil
  end)

  local function rows()
    return table.concat(host:rows("s", "c"), " ")
  end

  -- Calls a modern tool and lets it come to its end.
  local function finish(name, arguments, options)
    local visit = host:call(name, arguments, options)
    host:settle()
    return visit
  end

  for _, store in ipairs { "memory:", "file" } do
    describe("over " .. store, function()
      before_each(function()
        start(nil, store)
      end)

      it("that returns a result has stored what it wrote before that is sent", function()
        local visit = finish("note", { key = "a" })
        assert.equal("noted", visit:text())
        assert.is_false(visit:is_error())
        assert.equal("a=1", rows())
      end)

      it("sees what was stored before", function()
        finish "note"
        assert.equal("read 1", finish("read"):text())
        assert.equal('k=1 seen="1"', rows())
      end)

      it("that returns an error stores nothing", function()
        local visit = finish "note_error"
        assert.is_true(visit:is_error())
        assert.equal("not today", visit:text())
        assert.equal("", rows())
      end)

      it("that raises stores nothing, and tells the user a reference to the log", function()
        local visit = finish "note_raise"
        assert.is_true(visit:is_error())
        local reference = visit:text():match "reference (%x+)"
        assert.is_string(reference)
        assert.is_nil(visit:text():find("boom", 1, true))
        assert.truthy(host:log():find("%(reference " .. reference .. "%): .-boom"))
        assert.equal("", rows())
      end)

      it("that fails with a text stores nothing", function()
        local visit = finish "note_fail"
        assert.is_true(visit:is_error())
        assert.equal("sorry", visit:text())
        assert.equal("", rows())
      end)
    end)
  end

  -- From here on no row can be added to the store, as with a full disk.
  local function fill_store()
    finish("note", { key = "first" })
    local other = unit.store.other(host.store)
    other:run "UPDATE sqlite_sequence SET seq = 9223372036854775807"
    other:close()
  end

  local function break_store()
    local other = unit.store.other(host.store)
    other:run "DROP TABLE rows"
    other:close()
  end

  it("whose commit fails ends in an error, stores nothing and shows nobody the path", function()
    start()
    fill_store()
    local visit = finish "note"
    assert.is_true(visit:is_error())
    assert.equal("The host could not use its store; nothing was stored.", visit:text())
    assert.is_nil(visit:told().body:find(host.store, 1, true))
    assert.truthy(host:log():find("error s: tool note: store " .. host.store, 1, true))
    assert.equal("first=1", rows())
  end)

  it("whose read fails is told so where it reads, and may go on", function()
    start()
    break_store()
    local visit = finish "catch_read"
    assert.is_false(visit:is_error())
    assert.equal("false The host could not use its store; nothing was stored.", visit:text())
    assert.truthy(host:log():find(host.store, 1, true))
    visit = finish "read"
    assert.is_true(visit:is_error())
    assert.equal("The host could not use its store; nothing was stored.", visit:text())
  end)

  it("of a script that fills its memory ends in an error, and the next finds it anew", function()
    start "vm_memory = 1048576"
    local visit = finish "hold"
    assert.is_true(visit:is_error())
    assert.matches("vm_memory", visit:text())
    assert.equal("", rows())
    assert.is_false(finish("note"):is_error())
    assert.equal("k=1", rows())
  end)

  it("is refused with 503 while too many run, and taken as soon as one has ended", function()
    start "calls = 1"
    local first = host:call "read"
    local second = host:call "note"
    assert.equal(503, second:status())
    assert.equal(1, second:told().retry_after)
    assert.equal(-32603, second:error().code)
    assert.equal("Too many calls are running (calls); try again later", second:error().message)
    host:settle()
    assert.equal("read nil", first:text())
    assert.equal("noted", finish("note"):text())
    assert.equal('seen="nil" k=1', rows())
  end)

  it("that waits for a person is not one of those that run", function()
    start "calls = 1"
    local session = host:initialize()
    local waiting = session:call "ask"
    assert.equal("noted", finish("note", { key = "other" }):text())
    session:answer(waiting, YES)
    host:settle()
    assert.equal("accept", waiting:text())
    assert.equal('other=1 k="accept"', rows())
  end)

  it("is given one answer: the second changes nothing", function()
    start()
    local session = host:initialize()
    local visit = session:call "ask"
    local question = visit:question().id
    assert.equal(202, session:answer(question, { action = "decline" }):status())
    assert.equal(202, session:answer(question, YES):status())
    host:settle()
    assert.equal("decline", visit:text())
    assert.equal(202, session:answer(question, YES):status())
    host:settle()
    assert.equal('k="decline"', rows())
  end)

  -- Brings a fresh call into a state. Returns its visit; the session is the legacy client's.
  local STATES = {
    reading = function(call)
      local visit = call "read"
      assert.equal("reading", host:states())
      return visit
    end,
    ["reading, with the row at hand,"] = function(call)
      local visit = call "read"
      host:reap_until_ready(1)
      assert.equal("reading", host:states())
      return visit
    end,
    committing = function(call)
      local visit = call "note_two"
      assert.equal("committing", host:states())
      return visit
    end,
    asking = function(call)
      local visit = call "ask"
      assert.equal("asking", host:states())
      return visit
    end,
    ["asking, with the answer at hand,"] = function(call, session)
      local visit = call "ask"
      session:answer(visit, YES)
      assert.same({ "asking", 1, 1 }, { host:states() })
      return visit
    end,
    ["reading after the answer"] = function(call, session)
      local visit = call "ask_read"
      session:answer(visit, YES)
      host.native:turn()
      assert.equal("reading", host:states())
      return visit
    end,
  }

  -- What was cancelled stored nothing; a commit that was under way is whole, or was not begun.
  local function assert_cancelled(state)
    assert.equal("", host:states())
    if state ~= "committing" or rows() ~= "k=1 l=1" then assert.equal("", rows()) end
  end

  -- Modern calls ask by ending: only those states are theirs.
  for _, state in ipairs { "reading", "reading, with the row at hand,", "committing" } do
    it(state .. " is cancelled when a modern client leaves", function()
      start()
      local visit = STATES[state](function(name) return host:call(name) end)
      visit:leave()
      host:settle()
      assert.equal(0, visit:told().replies)
      assert_cancelled(state)
    end)
  end

  for state, reach in pairs(STATES) do
    it(state .. " is cancelled when a legacy client says so", function()
      start()
      local session = host:initialize()
      local visit = reach(function(name) return session:call(name) end, session)
      assert.equal(202, session:notify("notifications/cancelled",
        { requestId = visit.id }):status())
      assert.is_false(visit:open())
      host:settle()
      assert.is_nil(visit:result())
      assert.is_nil(visit:error())
      assert_cancelled(state)
    end)

    it(state .. " is cancelled when a legacy session is deleted", function()
      start()
      local session = host:initialize()
      local visit = reach(function(name) return session:call(name) end, session)
      assert.equal(204, session:delete():status())
      assert.equal(-32001, visit:error().code)
      host:settle()
      assert_cancelled(state)
    end)

    it(state .. " goes on when a legacy client leaves", function()
      start()
      local session = host:initialize()
      local visit = reach(function(name) return session:call(name) end, session)
      local question = visit:question()
      visit:leave()
      if state == "asking" then session:answer(question.id, YES) end
      host:settle()
      assert.equal("", host:states())
      assert.is_nil(visit:result())
      assert.not_equal("", rows())
    end)

    it(state .. " comes to its end when the host stops, unless it still waits", function()
      start()
      local session = host:initialize()
      local visit = reach(function(name) return session:call(name) end, session)
      host.native:stop()
      host:turn_until("the host to stop", function() return host.native:stopped() end)
      if state == "asking" then
        assert.equal("The server is shutting down", visit:error().message)
        assert.equal("notifications/cancelled", visit:events()[2].method)
      else
        assert.is_table(visit:result())
        assert.is_false(visit:is_error())
      end
      assert.is_false(visit:open())
      assert.equal(state == "asking", rows() == "")
    end)
  end

  for _, state in ipairs { "reading", "reading, with the row at hand,", "committing" } do
    it("of a modern client " .. state .. " comes to its end when the host stops", function()
      start()
      local visit = STATES[state](function(name) return host:call(name) end)
      host.native:stop()
      host:turn_until("the host to stop", function() return host.native:stopped() end)
      assert.is_false(visit:is_error())
      assert.not_equal("", rows())
    end)
  end

  it("is refused while the host stops", function()
    start()
    local running = host:call "read"
    host.native:stop()
    local late = host:call "note"
    assert.equal(503, late:status())
    assert.equal("The server is shutting down", late:error().message)
    host:turn_until("the host to stop", function() return host.native:stopped() end)
    assert.equal("read nil", running:text())
    assert.equal('seen="nil"', rows())
  end)

  it("that comes to ask while the host stops is told that it can't, and ends", function()
    start()
    local session = host:initialize()
    local visit = session:call "read_ask"
    host.native:stop()
    host:turn_until("the host to stop", function() return host.native:stopped() end)
    assert.is_true(visit:is_error())
    assert.truthy(visit:text():find("shutting down", 1, true))
    assert.equal("", rows())
  end)

  it("is told when too many calls wait for a person already", function()
    start "parked_calls = 1"
    local session = host:initialize()
    local first = session:call "ask"
    local second = session:call "ask"
    assert.is_true(second:is_error())
    assert.equal("Too many calls wait for an answer (parked_calls); try again later.",
      second:text())
    session:answer(first, { action = "decline" })
    host:settle()
    assert.equal('k="decline"', rows())
    assert.is_table(session:call("ask"):question())
  end)

  it("can't catch that nobody answered in time", function()
    start "answer_timeout = 60"
    local visit = host:initialize():call "catch_ask"
    host:tick(61)
    host:settle()
    assert.equal("Nobody answered within 60 seconds.", visit:text())
    assert.equal("", rows())
  end)

  it("that was answered and is cancelled before it goes on has no question to withdraw", function()
    start()
    local session = host:initialize()
    local visit = session:call "ask"
    session:answer(visit, YES)
    session:notify("notifications/cancelled", { requestId = visit.id })
    assert.equal(1, #visit:events())
    assert.equal("", host:states())
  end)

  it("is told that nobody answered after answer_timeout, and its question is withdrawn", function()
    start "answer_timeout = 60"
    local session = host:initialize()
    local visit = session:call "ask"
    host:tick(59)
    assert.equal(1, #visit:events())
    host:tick(61)
    host:settle()
    local events = visit:events()
    assert.equal("notifications/cancelled", events[2].method)
    assert.equal(visit:question().id, events[2].params.requestId)
    assert.is_true(visit:is_error())
    assert.equal("Nobody answered within 60 seconds.", visit:text())
    assert.equal(202, session:answer(visit, YES):status())
    host:settle()
    assert.equal("", rows())
  end)

  it("that was answered in time does not have its question withdrawn", function()
    start "answer_timeout = 60"
    local session = host:initialize()
    local visit = session:call "ask"
    session:answer(visit, YES)
    host:tick(61)
    host:settle()
    assert.equal(2, #visit:events())
    assert.equal("accept", visit:text())
    assert.equal('k="accept"', rows())
  end)

  it("reading is ended by call_timeout, and stores nothing", function()
    start "call_timeout = 30"
    local visit = STATES["reading"](function(name) return host:call(name) end)
    host:tick(31)
    assert.is_true(visit:is_error())
    assert.equal("read took more than 30 seconds (call_timeout).", visit:text())
    host:settle()
    assert.equal("", host:states())
    assert.equal("", rows())
  end)

  it("with its row at hand is not ended for the time it waits for its turn", function()
    start "call_timeout = 30"
    local function call(name) return host:call(name) end
    local visit = STATES["reading, with the row at hand,"](call)
    host:tick(31)
    host:settle()
    assert.is_false(visit:is_error())
    assert.equal('seen="nil"', rows())
  end)

  it("may take as long as call_timeout says", function()
    start "call_timeout = 30"
    local visit = host:call "read"
    host:tick(29)
    host:settle()
    assert.equal("read nil", visit:text())
    assert.equal('seen="nil"', rows())
  end)

  it("is ended by call_timeout when its client has left, too", function()
    start "call_timeout = 30"
    local session = host:initialize()
    session:call("read"):leave()
    host:tick(31)
    host:settle()
    assert.equal("", host:states())
    assert.equal("", rows())
  end)

  it("is not charged for the time that a person thinks", function()
    start "call_timeout = 30"
    local session = host:initialize()
    local visit = session:call "ask_read"
    host:tick(599)
    session:answer(visit, YES)
    host.native:turn()
    host:tick(29)
    host:settle()
    assert.equal("accept", visit:text())
    assert.equal('k="accept"', rows())
  end)
end)
