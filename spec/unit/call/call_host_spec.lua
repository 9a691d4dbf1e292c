-- What a running handler reaches of its call.

local inside = require "support.inside"

local YES = { action = "accept", content = { ok = true } }

local SCRIPT = [[
local mcp = require "mcp"
local FORM = { type = "object", properties = { ok = { type = "boolean" } } }

local function tool(name, handler)
  mcp.tool { name = name, inputSchema = { type = "object" }, handler = handler }
end

local function ask(ctx, message, key)
  return ctx:elicit { message = message or "?", requestedSchema = FORM, key = key }.action
end

tool("ask_often", function(args, ctx)
  ctx.store:put("c", "k", args.times)
  for i = 1, args.times do ask(ctx, "question " .. i) end
  return "asked"
end)
tool("catch_ask", function(_, ctx)
  local ok, why = pcall(ask, ctx)
  ctx.store:put("c", "k", tostring(ok))
  return tostring(ok) .. " " .. tostring(why)
end)
tool("ask_key", function(args, ctx)
  return ask(ctx, "?", args.times and args.key:rep(args.times) or args.key)
end)
tool("ask_bytes", function(_, ctx) return ask(ctx, "?", "\xff") end)
tool("describe", function(_, ctx)
  local before = table.concat({ ctx.principal, ctx.era, ctx.call_id, ctx.client.name,
    ctx.client.version, tostring(ctx.client.capabilities.elicitation ~= nil) }, " ")
  ask(ctx)
  ctx.store:put("c", "who", before)
  return before
end)
tool("late_principal", function(_, ctx)
  ask(ctx)
  ctx.store:put("c", "who", ctx.principal)
  return ctx.principal
end)
tool("supports", function(args, ctx) return tostring(ctx:supports(args.capability)) end)
tool("append", function(args, ctx)
  local keys = {}
  for i = 1, args.times do keys[i] = ctx.store:append("c", i) end
  if args.ask then ask(ctx) end
  return table.concat(keys, " ")
end)
tool("write_much", function(args, ctx)
  for i = 1, args.times do ctx.store:append("c", i) end
  return "written"
end)
tool("store", function(args, ctx)
  return tostring((ctx.store[args.method](ctx.store, table.unpack(args.arguments))))
end)
tool("list", function(args, ctx)
  ctx.store:put("c", "b", 2)
  local shown = {}
  for i, row in ipairs(ctx.store:list("c", { limit = args.limit, after = args.after })) do
    shown[i] = row.key .. "=" .. row.value
  end
  return table.concat(shown, " ") .. " of " .. ctx.store:count "c"
end)
tool("once", function(args, ctx)
  return tostring(ctx:once(args.name:rep(args.times or 1), function() return 7 end))
end)
tool("once_much", function(args, ctx)
  for i = 1, args.times do ctx:once("n" .. i, function() return i end) end
  return "recorded"
end)
tool("log", function(_, ctx)
  ctx:log("warning", "two\nlines")
  return ""
end)
]]

-- Over either kind of store: one answers at once, the other parks the call.
for _, store in ipairs { "memory:", "file" } do
  describe("a handler over " .. store, function()
    local host

    local function start(config)
      host = inside.start { scripts = { s = SCRIPT }, config = config, store = store,
        settle = true }
    end

    after_each(function()
      inside.close(host)
      host = nil
    end)

    local function rows()
      return table.concat(host:rows("s", "c"), " ")
    end

    local function assert_fails(why, name, arguments)
      local visit = host:call(name, arguments)
      assert.is_true(visit:is_error())
      assert.equal(why, visit:text())
      assert.equal("", rows())
    end

    it("asks as often as `rounds` allows in the legacy era, and not once more", function()
      start "rounds = 2"
      local session = host:initialize()
      for times = 2, 3 do
        local visit = session:call("ask_often", { times = times })
        for _ = 1, 2 do session:answer(visit, YES) end
        host:settle()
        assert.equal(times == 3, visit:is_error())
        assert.truthy(visit:text():find(times == 3 and "2 times (rounds)" or "asked", 1, true))
        assert.equal("k=2", rows())
      end
    end)

    it("asks as often as `rounds` allows in the modern era, and not once more", function()
      start "rounds = 2"
      for times = 2, 3 do
        local visit = host:call("ask_often", { times = times })
        for _ = 1, 2 do
          local asked = visit:asked()
          visit = host:call("ask_often", { times = times },
            { state = asked.state, responses = { [asked.key] = YES } })
        end
        assert.equal(times == 3, visit:is_error())
        assert.truthy(visit:text():find(times == 3 and "2 times (rounds)" or "asked", 1, true))
        assert.equal("k=2", rows())
      end
    end)

    it("may catch that its question could not be asked, and still end well", function()
      start()
      local session = host:initialize()
      local visit = session:call "catch_ask"
      session:post { jsonrpc = "2.0", id = visit:question().id,
        error = { code = -1, message = "no screen" } }
      assert.is_false(visit:is_error())
      assert.equal("false The client could not ask: no screen", visit:text())
      assert.equal('k="false"', rows())
    end)

    it("names a question by its order unless it gives a key", function()
      start()
      assert.equal("q1", host:call("ask_often", { times = 1 }):asked().key)
      assert.equal("mine", host:call("ask_key", { key = "mine" }):asked().key)
      assert.equal(128, #host:call("ask_key", { key = "k", times = 128 }):asked().key)
    end)

    it("is told which key a question can't have", function()
      start()
      assert_fails("a question's key has at most 128 bytes", "ask_key",
        { key = "k", times = 129 })
      assert_fails("a question's key must be UTF-8", "ask_bytes")
    end)

    it("is told who calls, and how, the same in both eras", function()
      start()
      local asked = host:call("describe", nil, { principal = "ada" }):asked()
      local modern = host:call("describe", nil, { principal = "ada", state = asked.state,
        responses = { [asked.key] = YES } }):text()
      assert.matches("^ada modern " .. ("%x"):rep(32) .. " spec 1 true$", modern)
      local session = host:initialize { principal = "ada" }
      local visit = session:call "describe"
      session:answer(visit, YES)
      assert.matches("^ada legacy " .. ("%x"):rep(32) .. " spec 1 true$", visit:text())
      assert.not_equal(modern:match "%x+ spec", visit:text():match "%x+ spec")
    end)

    it("knows its principal for as long as it lives, whoever has left", function()
      start()
      local session = host:initialize { principal = "ada" }
      local visit = session:call "late_principal"
      local question = visit:question().id
      visit:leave()
      session:answer(question, YES)
      assert.equal('who="ada"', rows())
    end)

    it("is told what its client supports", function()
      start()
      for capability, expected in pairs { elicitation = "true", ["elicitation.form"] = "true",
        ["elicitation.url"] = "false", sampling = "false", [""] = "false" } do
        assert.equal(expected, host:call("supports", { capability = capability }):text())
      end
    end)

    it("appends under keys in their order, none of which another call has", function()
      start()
      local seen, last = {}, ""
      for _ = 1, 5 do
        for key in host:call("append", { times = 12 }):text():gmatch "%S+" do
          assert.is_nil(seen[key])
          seen[key] = true
          if last:sub(1, -5) == key:sub(1, -5) then assert.is_true(last < key) end
          last = key
        end
      end
      assert.equal(60, #host:rows("s", "c"))
    end)

    it("appends under the same keys when it is run again", function()
      start()
      local arguments = { times = 3, ask = true }
      local asked = host:call("append", arguments):asked()
      assert.equal("", rows())
      local keys = host:call("append", arguments,
        { state = asked.state, responses = { [asked.key] = YES } }):text()
      assert.equal(keys, host:call("append", arguments,
        { state = asked.state, responses = { [asked.key] = YES } }):text())
      assert.equal(3, #host:rows("s", "c"))
    end)

    it("writes up to 1000 times, all or nothing", function()
      start()
      assert_fails("ctx.store: a call may write at most 1000 times", "write_much", { times = 1001 })
      assert.equal("written", host:call("write_much", { times = 1000 }):text())
      assert.equal(1000, #host:rows("s", "c"))
    end)

    it("lists what is stored and what it has written itself", function()
      start()
      host:call("store", { method = "put", arguments = { "c", "a", 1 } })
      assert.equal("a=1 b=2 of 2", host:call("list"):text())
      assert.equal("b=2 of 2", host:call("list", { after = "a" }):text())
      assert.equal("a=1 of 2", host:call("list", { limit = 1 }):text())
    end)

    for why, call in pairs {
      ["ctx.store: a key has 1 to 512 bytes of UTF-8 without NUL"] = { "get", "c", "" },
      ["ctx.store: a collection's name has 1 to 128 bytes of UTF-8 without NUL"] =
        { "count", "\0" },
      ["ctx.store: a value has at most 256 KiB as JSON, not 262146 bytes"] =
        { "put", "c", "k", ("x"):rep(256 * 1024) },
    } do
      it("is told of its own mistake, and the log of no fault of the store: " .. why, function()
        start()
        assert_fails(why, "store", { method = table.remove(call, 1), arguments = call })
        assert.is_nil(host:log():find(" error ", 1, true))
      end)
    end

    it("records once what has a name that is not too long", function()
      start()
      assert.equal("7", host:call("once", { name = "n", times = 128 }):text())
      assert_fails("ctx:once: a name has at most 128 bytes", "once", { name = "n", times = 129 })
    end)

    it("records up to 1024 things", function()
      start()
      assert.equal("recorded", host:call("once_much", { times = 1024 }):text())
      assert_fails("a call asks and records at most 1024 times", "once_much", { times = 1025 })
    end)

    it("writes to the log under the name of its script, a line a message", function()
      start()
      host:call "log"
      assert.matches(" warning s: two\\x0alines\n", host:log())
    end)
  end)
end

describe("the log of a call", function()
  it("puts the trace of the request behind what the log is told of its call", function()
    local host = inside.start { settle = true, scripts = { s = [[
      require "mcp".tool { name = "t", handler = function(_, ctx)
        ctx:log("warning", "hm")
        error "broken"
      end }
    ]] } }
    local id, span = ("a"):rep(32), ("b"):rep(16)
    local function call(parent)
      host:modern("tools/call", { name = "t", arguments = {} }, { spoil = function(message)
        message.params._meta.traceparent = parent
      end })
    end
    call(("00-%s-%s-01"):format(id, span))
    local where = (" %%(trace %s span %s%%)\n"):format(id, span)
    assert.matches("s: hm" .. where, host:log())
    assert.matches("tool t failed %(reference %x+%): .-broken" .. where, host:log())
    assert.not_matches("malformed", host:log())
    call "00-x"
    assert.matches("_meta is malformed, and ignored\n", host:log())
    inside.close(host)
  end)
end)
