-- How a client cancels: by leaving (2026-07-28), by notifications/cancelled (before). However busy
-- the script is, it is stopped within a tenth of a second, and nothing of it is stored.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local socket = require "socket"
local store = require "support.store"
local wait = require "support.wait"
local web = require "support.web"

-- The bound that is promised, and what a busy machine may add to it. One try of TRIES must keep it.
local BOUND, SLACK, TRIES = 0.1, 0.15, 5

-- Once the client has the progress, the handler is in the middle of what it is called for: the
-- first read lets the loop send it.
local SCRIPT = [[
local mcp = require "mcp"

local function tool(name, busy)
  mcp.tool { name = name, inputSchema = { type = "object" }, handler = function(_, ctx)
    ctx.store:put("c", name, 1)
    ctx:progress(1)
    ctx.store:get("c", "k")
    busy(ctx)
    ctx.store:put("c", name, 2)
    return "came to its end"
  end }
end

local function spin() while true do end end

tool("lua", spin)
tool("catching", function() while true do pcall(spin) end end)
tool("coroutines", function()
  local deep = spin
  for _ = 1, 100 do local inner = deep; deep = function() coroutine.wrap(inner)() end end
  deep()
end)
tool("comparator", function() table.sort({ 1, 2, 3 }, spin) end)
tool("callback", function() (("x"):rep(10)):gsub("x", spin) end)
tool("catching_comparator", function()
  table.sort({ 1, 2, 3 }, function() while true do pcall(spin) end end)
end)
tool("patterns", function()
  local text = ("a"):rep(1000)
  while true do pcall(string.find, text, ".-.-b") end
end)
tool("sorting", function()
  local t = {}
  for i = 1, 20000 do t[i] = i * 7919 % 20011 end
  while true do table.sort(t); table.sort(t, function(a, b) return a > b end) end
end)
tool("fetching", function(ctx) ctx:fetch { url = "http://127.0.0.1:PORT/hang" } end)
tool("storing", function(ctx) while true do ctx.store:get("c", "k") end end)
tool("asking", function(ctx)
  ctx:elicit { message = "?", requestedSchema = { type = "object",
    properties = { ok = { type = "boolean" } } } }
end)
mcp.tool { name = "polite", inputSchema = { type = "object" }, handler = function(_, ctx)
  ctx.store:put("c", "polite", 1)
  ctx:progress(1)
  ctx.store:get("c", "k")
  local rounds = 0
  table.sort({ 1, 2, 3 }, function()
    while not ctx:cancelled() do rounds = rounds + 1 end
    return false
  end)
  ctx:log "saw that it was cancelled"
  return "came to its end"
end }
mcp.tool { name = "free", handler = function() return "free" end }
]]

local CONFIG = [[return {
  calls = 1, vm_cpu = 20000, call_timeout = 30,
  grants = { s = { http = { "http://127.0.0.1:PORT" } } },
}]]

describe("a call that is cancelled", function()
  local host, server, remove

  setup(function()
    local folder
    folder, remove = shell.folder()
    server = web.start()
    shell.write(folder .. "/s.lua", (SCRIPT:gsub("PORT", tostring(server.port))))
    shell.write(folder .. "/host.lua", (CONFIG:gsub("PORT", tostring(server.port))))
    host = process.start { scripts = folder }
  end)

  teardown(function()
    process.close(host)
    server:close()
    remove()
  end)

  -- Returns once the host, which runs one call at a time, has room for another.
  local function wait_until_free()
    local client = modern.connect(host)
    wait.for_condition("the call to stop", function()
      return client:call("free").result
    end)
  end

  -- Returns the next message of a stream, or nil at its end. Events without one are passed over.
  local function next_message(stream)
    for event in function() return stream:event() end do
      if event.data and event.data ~= "" then return rpc.decode(event.data) end
    end
  end

  -- Sends the request and waits until its handler is busy.
  local function begin(request)
    local stream = http.open(host, request)
    assert.equal("notifications/progress", next_message(stream).method)
    return stream
  end

  local function begin_modern(name)
    local prepared = modern.connect(host):prepare("tools/call", { name = name })
    prepared.message.params._meta.progressToken = "t"
    return begin(modern.http_request(prepared))
  end

  local function begin_legacy(client, name)
    local message = client:message("tools/call",
      { name = name, _meta = { progressToken = "t" } })
    return begin(client:http_request(message)), message.id
  end

  -- Returns how long the host is busy after `cancel`, the shortest time of some.
  local function time(start, cancel)
    local best = math.huge
    for _ = 1, TRIES do
      local stream, id = start()
      local since = socket.gettime()
      cancel(stream, id)
      wait_until_free()
      best = math.min(best, socket.gettime() - since)
      if best < BOUND then break end
    end
    return best
  end

  local function assert_stopped(seconds)
    assert.is_true(seconds < BOUND + SLACK, ("stopped after %.0f ms"):format(seconds * 1000))
    assert.same({}, store.rows(host, "s", "c"))
    assert.is_nil(host:stderr():find("came to its end", 1, true))
  end

  local function hang_up(stream)
    stream:close()
  end

  for _, name in ipairs { "lua", "catching", "coroutines", "comparator", "callback",
    "catching_comparator", "patterns", "sorting", "fetching", "storing", "polite" } do
    it("by leaving stops at once in the middle of: " .. name, function()
      assert_stopped(time(function() return begin_modern(name) end, hang_up))
    end)
  end

  for _, name in ipairs { "lua", "catching", "coroutines", "patterns", "sorting", "fetching",
    "storing", "asking" } do
    it("by notifications/cancelled stops at once in the middle of: " .. name, function()
      local client = legacy.connect(host)
      assert_stopped(time(function()
        local stream, id = begin_legacy(client, name)
        if name == "asking" then
          assert.equal("elicitation/create", next_message(stream).method)
        end
        return stream, id
      end, function(stream, id)
        local reply = client:notify("notifications/cancelled", { requestId = id, reason = "r" })
        assert.equal(202, reply.status)
        local last
        for message in next_message, stream do last = message end
        if name == "asking" then assert.equal("notifications/cancelled", last.method) end
        assert.is_nil(last and last.result)
        stream:close()
      end))
    end)
  end

  it("by leaving is not so in a legacy session: the call goes on", function()
    local client = legacy.connect(host)
    local stream, id = begin_legacy(client, "lua")
    stream:close()
    for _ = 1, 20 do
      assert.equal(503, modern.connect(host):call("free").status)
    end
    client:notify("notifications/cancelled", { requestId = id })
    wait_until_free()
    assert.same({}, store.rows(host, "s", "c"))
  end)
end)
