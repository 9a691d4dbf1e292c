-- What a call tells its client before its result: progress and log messages, in both eras.

local inside = require "support.inside"
local rpc = require "support.rpc"

local LOG_LEVEL = "io.modelcontextprotocol/logLevel"
local LEVELS = {
  "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency",
}

local SCRIPT = [[
local mcp = require "mcp"

local function tool(name, handler)
  mcp.tool { name = name, inputSchema = { type = "object" }, handler = handler }
end

tool("steps", function(args, ctx)
  for _, step in ipairs(args.steps) do ctx:progress(step[1], step[2], step[3]) end
  return "done"
end)
tool("many", function(args, ctx)
  for i = 1, args.n do ctx:progress(i, args.n) end
  if args.ask then
    ctx:elicit { message = "?", requestedSchema = { type = "object",
      properties = { ok = { type = "boolean" } } } }
  end
  return "done"
end)
tool("far", function(_, ctx)
  for _, n in ipairs { 9007199254740993, 0x7fffffffffffffff } do ctx:progress(n, n) end
  return "done"
end)
tool("levels", function(_, ctx)
  for _, level in ipairs { "debug", "info", "notice", "warning", "error", "critical", "alert",
    "emergency" } do ctx:log(level, "at " .. level) end
  return "done"
end)
tool("data", function(_, ctx)
  ctx:log { b = mcp.array {}, a = 1 }
  ctx:log("info", 7)
  ctx:log("info", false)
  ctx:log(nil)
  ctx:log "\xff"
  return "done"
end)
tool("ask_and_log", function(_, ctx)
  ctx:log "before"
  ctx:elicit { message = "?", requestedSchema = { type = "object",
    properties = { ok = { type = "boolean" } } } }
  ctx:log "after"
  return "done"
end)
tool("spam", function(_, ctx)
  for i = 1, 1000 do ctx:log("info", ("%03d"):format(i):rep(100)) end
  return "done"
end)
tool("fails", function(_, ctx)
  ctx:progress(1)
  error "boom"
end)
]]

-- A value of _meta that goes out as this text.
local function raw(json)
  return { raw = json }
end

-- Returns the message as text, with `meta` in its _meta.
local function with_meta(message, meta)
  local texts = {}
  message.params._meta = message.params._meta or {}
  for key, value in pairs(meta or {}) do
    if type(value) == "table" then
      texts[#texts + 1] = value.raw
      value = "raw" .. #texts
    end
    message.params._meta[key] = value
  end
  return (rpc.encode(message):gsub('"raw(%d)"', function(i) return texts[tonumber(i)] end))
end

local call_in = {}

function call_in.modern(host, name, arguments, meta, options)
  local message, headers = host:prepare("tools/call", { name = name, arguments = arguments })
  return host:post(with_meta(message, meta),
    { headers = headers, streams = options and options.streams })
end

-- What a modern client says in _meta, this one says to its session.
function call_in.legacy(host, name, arguments, meta, options)
  host.session = host.session or host:initialize()
  if meta and meta[LOG_LEVEL] then
    host.session:request("logging/setLevel", { level = meta[LOG_LEVEL] })
  end
  local message = { jsonrpc = "2.0", id = host:next_id(), method = "tools/call",
    params = { name = name, arguments = arguments } }
  return host.session:post(with_meta(message, meta), options)
end

describe("a call's notices", function()
  local host

  before_each(function()
    host = inside.start { scripts = { s = SCRIPT }, store = "file", settle = true }
  end)

  after_each(function()
    inside.close(host)
  end)

  for name, call_era in pairs(call_in) do
    local function call(...)
      return call_era(host, ...)
    end

    -- Returns the params of the notifications of that method.
    local function told(visit, method)
      local found = {}
      for _, event in ipairs(visit:events()) do
        if event.method == method then found[#found + 1] = event.params end
      end
      return found
    end

    local function progress(visit)
      local values = {}
      for _, params in ipairs(told(visit, "notifications/progress")) do
        values[#values + 1] = params.progress
      end
      return values
    end

    describe("in the " .. name .. " era", function()
      it("tell progress with what the script said of it, before the result", function()
        local visit = call("steps", { steps = { { 0, 3 }, { 1.5, 3, "half" }, { 3 } } },
          { progressToken = "t" })
        assert.same({
          { progressToken = "t", progress = 0, total = 3 },
          { progressToken = "t", progress = 1.5, total = 3, message = "half" },
          { progressToken = "t", progress = 3 },
        }, told(visit, "notifications/progress"))
        assert.equal("done", visit:text())
        assert.equal(4, #visit:events())
      end)

      it("carry the progress token just as it was sent", function()
        for _, token in ipairs { "9007199254740993", "-0", "0", '""', '"\\u0061\\/"',
          "123456789012345678901234567890" } do
          local visit = call("far", {}, { progressToken = raw(token) })
          local events = visit:told().events
          assert.equal(('{"jsonrpc":"2.0","method":"notifications/progress","params":'
            .. '{"progressToken":%s,"progress":9007199254740993,"total":9007199254740993}}')
            :format(token), events[1])
        end
      end)

      it("are none of progress for a request without a token", function()
        for _, token in ipairs { "null", "1.5", "1e3", "{}", "true", "[]" } do
          local visit = call("steps", { steps = { { 1 } } }, { progressToken = raw(token) })
          assert.equal("done", visit:text())
          assert.is_false(visit:told().opened)
        end
        assert.is_false(call("steps", { steps = { { 1 } } }):told().opened)
      end)

      it("are none for a client that accepts no stream, which gets its result", function()
        local visit = call("steps", { steps = { { 1 }, { 2 } } }, { progressToken = 1 },
          { streams = false })
        assert.equal("done", visit:text())
        assert.equal(200, visit:status())
      end)

      it("leave out progress that does not increase, and tell the log of what went back", function()
        local visit = call("steps", { steps = { { 2 }, { 2 }, { 1 }, { 1 }, { 3 } } },
          { progressToken = 1 })
        assert.same({ 2, 3 }, progress(visit))
        local _, lines = host:log():gsub("ctx:progress went from 2 back to 1", "")
        assert.equal(1, lines)
      end)

      it("tell the last of too many, and each that is told is more than the one before", function()
        local values = progress(call("many", { n = 10000 }, { progressToken = 1 }))
        assert.is_true(#values >= 20 and #values < 40, #values)
        assert.equal(10000, values[#values])
        for i = 2, #values do assert.is_true(values[i] > values[i - 1]) end
      end)

      it("end with an error result when the handler fails", function()
        local visit = call("fails", {}, { progressToken = 1 })
        assert.same({ 1 }, progress(visit))
        assert.is_true(visit:is_error())
      end)

      it("are no log messages for a client that asked for none", function()
        local visit = call "levels"
        assert.equal("done", visit:text())
        assert.is_false(visit:told().opened)
      end)

      for i, level in ipairs(LEVELS) do
        it("are the log messages from " .. level .. " on for a client that wants those", function()
          local expected = {}
          for j = i, #LEVELS do
            expected[#expected + 1] =
              { level = LEVELS[j], logger = "s", data = "at " .. LEVELS[j] }
          end
          assert.same(expected,
            told(call("levels", {}, { [LOG_LEVEL] = level }), "notifications/message"))
        end)
      end

      it("carry any data, and what is no UTF-8 with the bytes replaced", function()
        local events = call("data", {}, { [LOG_LEVEL] = "debug" }):told().events
        local data = {}
        for i = 1, #events - 1 do data[i] = events[i]:match '"logger":"s","data":(.*)}}$' end
        assert.same({ '{"a":1,"b":[]}', "7", "false", '"nil"', '"\u{FFFD}"' }, data)
        assert.truthy(host:log():find('s: {"a":1,"b":[]}', 1, true))
      end)

      it("end where the log of a call does", function()
        local sent = told(call("spam", {}, { [LOG_LEVEL] = "info" }), "notifications/message")
        local bytes = 0
        for _, params in ipairs(sent) do bytes = bytes + #params.data end
        assert.is_true(bytes > 32 * 1024 and bytes <= 64 * 1024, bytes)
      end)
    end)
  end

  it("of a modern client do not outlive the request that asked for them", function()
    call_in.modern(host, "levels", {}, { [LOG_LEVEL] = "debug" })
    assert.is_false(host:call("levels", {}):told().opened)
  end)

  it("refuse a level that is none of the eight, and the call does not run", function()
    for _, level in ipairs { '"loud"', '""', "null", "6", '"Info"', '"info\\u0000"', "{}" } do
      local visit = call_in.modern(host, "levels", {}, { [LOG_LEVEL] = raw(level) })
      assert.equal(-32602, visit:error().code)
      assert.equal(400, visit:status())
    end
    assert.is_nil(host:log():find("at debug", 1, true))
  end)

  it("that wait are sent while the call waits for its answer", function()
    local session = host:initialize()
    local visit = session:request("tools/call",
      { name = "many", arguments = { n = 1000, ask = true }, _meta = { progressToken = 1 } })
    local function last()
      local value
      for _, event in ipairs(visit:events()) do
        if event.method == "notifications/progress" then value = event.params.progress end
      end
      return value
    end
    assert.not_equal(1000, last())
    host:tick(1)
    assert.equal(1000, last())
    local n = #visit:events()
    host:tick(2)
    assert.equal(n, #visit:events())
    session:answer(visit, { action = "decline" })
    assert.equal("done", visit:text())
  end)

  it("stop when the legacy client has left, and the call goes on", function()
    local session = host:initialize()
    session:request("logging/setLevel", { level = "debug" })
    local visit = session:request("tools/call", { name = "ask_and_log", arguments = {} })
    local question = visit:question()
    visit:leave()
    session:answer(question.id, { action = "decline" })
    assert.equal("", (host:states()))
    assert.truthy(host:log():find("s: after", 1, true))
  end)

  it("follow a legacy client's change of the level in the middle of a call", function()
    local session = host:initialize()
    session:request("logging/setLevel", { level = "info" })
    local visit = session:request("tools/call", { name = "ask_and_log", arguments = {} })
    assert.equal("before", visit:events()[1].params.data)
    session:request("logging/setLevel", { level = "error" })
    session:answer(visit, { action = "decline" })
    for _, event in ipairs(visit:events()) do
      assert.is_false(event.method == "notifications/message" and event.params.data == "after")
    end
    assert.equal("done", visit:text())
  end)
end)
