-- Many things at a time on one channel: calls, cancellations, changes, a client that doesn't read.

local rpc = require "support.rpc"
local shell = require "support.shell"
local stdio = require "support.stdio"
local store = require "support.store"
local wait = require "support.wait"

local YES = { action = "accept", content = { approved = true, time = "14:30" } }
local SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"

local SPIN = [[
local mcp = require "mcp"
print "loaded"
mcp.tool { name = "spin", inputSchema = { type = "object" }, handler = function(_, ctx)
  print "spinning"
  ctx.store:put("rows", "a", {})
  while true do end
end }
]]

local HELLO = 'require("mcp").tool { name = "hello", inputSchema = { type = "object" }, '
  .. 'handler = function() return "hello" end }'

-- Returns what /proc says of the descriptor of `pid` that is `target`: "pos" or "flags".
local function descriptor(pid, target, field)
  local text = shell.capture {
    "sh", "-c", 'for f in /proc/$1/fd/*; do [ "$(readlink "$f")" != "$2" ] || '
      .. 'cat "/proc/$1/fdinfo/${f##*/}"; done', "sh", pid, target,
  }
  return text:match(field .. ":%s*(%d+)")
end

local function link(pid, fd)
  return shell.capture { "readlink", ("/proc/%s/fd/%d"):format(pid, fd) }
end

describe("a stdio channel", function()
  local host, folder, remove

  before_each(function()
    folder, remove = shell.folder()
    shell.write(folder .. "/spin.lua", SPIN)
  end)

  after_each(function()
    stdio.close(host)
    host = nil
    remove()
  end)

  local function start(options)
    options = options or {}
    options.config = { vm_cpu = 60000, call_timeout = 60 }
    host = stdio.start(options)
  end

  for _, era in ipairs { "legacy", "modern" } do
    it("cancels a call that runs, says no more of it, and serves others (" .. era .. ")", function()
      start { scripts = folder }
      local client = stdio.connect(host, era)
      local spin = client:start("tools/call", { name = "spin" })
      host:await_log "spinning"
      assert.equal(1, #client:tools())
      client:cancel(spin)
      assert.equal(1, #client:tools())
      host:end_input()
      assert.equal(0, host:exit_code()) -- at once: nothing runs any more
      assert.is_nil(host:line())
      assert.same({}, store.rows(host, "spin", "rows"))
    end)
  end

  it("cancels no call of another id", function()
    start { scripts = folder }
    local client = stdio.connect(host, "modern")
    local spin = client:start("tools/call", { name = "spin" })
    host:await_log "spinning"
    for _, id in ipairs { tostring(spin), spin + 1, true, rpc.null } do
      client:cancel(id)
    end
    client:notify "notifications/cancelled"
    client:tools() -- all of these were read
    local _, used = host:state()
    wait.for_condition("the call to run on", function()
      return select(2, host:state()) > used + 10
    end)
    client:cancel(spin)
  end)

  it("cancels a question together with its call", function()
    start()
    local client = stdio.connect(host, "legacy")
    local call = client:ask("book_meeting", { topic = "Q3" })
    client:cancel(call.id)
    assert.equal("notifications/cancelled", host:receive().method)
    host:send { jsonrpc = "2.0", id = call.question_id, result = YES }
    assert.equal(1, #client:tools())
    assert.same({}, store.rows(host, "book_meeting", "bookings"))
  end)

  it("keeps many questions apart, answered in any order and some twice", function()
    start()
    local client = stdio.connect(host, "legacy")
    local questions, calls = {}, {}
    for i = 1, 50 do
      calls[client:start("tools/call", { name = "book_meeting",
        arguments = { topic = "Topic " .. i } })] = "Topic " .. i
    end
    for i = 1, 50 do questions[i] = host:receive() end
    for i = 50, 1, -1 do
      local topic = questions[i].params.requestedSchema.properties.topic.default
      local answer = { jsonrpc = "2.0", id = questions[i].id, result = YES }
      host:send(answer)
      host:send(answer)
      local message = host:receive()
      assert.equal(topic, calls[message.id])
      assert.equal(("Booked: meeting about '%s' at 14:30."):format(topic), rpc.text(message))
    end
    assert.equal(50, #store.rows(host, "book_meeting", "bookings"))
  end)

  it("speaks both eras at a time, each message saying which", function()
    start()
    local legacy, modern = stdio.connect(host, "legacy"), stdio.connect(host, "modern")
    modern.last_id = 1000
    local one = legacy:ask("book_meeting", { topic = "One" })
    local two = modern:ask("book_meeting", { topic = "Two" })
    assert.is_nil(one.state)
    assert.is_string(two.state)
    assert.equal("Booked: meeting about 'Two' at 14:30.", two:answer(YES).text)
    assert.equal("Booked: meeting about 'One' at 14:30.", one:answer(YES).text)
  end)

  it("lets a probe with server/discover be followed by initialize", function()
    start()
    assert.truthy(stdio.connect(host, "modern"):request("server/discover").result)
    local client = stdio.connect(host, "legacy", { version = "2025-03-26" })
    assert.equal("2025-03-26", client.opened.result.protocolVersion)
  end)

  it("asks for initialize or a version before anything else", function()
    start()
    host:send '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    local message = host:receive()
    assert.equal(-32602, message.error.code)
    assert.truthy(message.error.message:find("initialize", 1, true))
    assert.truthy(message.error.message:find("protocolVersion", 1, true))
  end)

  it("ends the calls of the session that another initialize replaces", function()
    start()
    local first = stdio.connect(host, "legacy"):ask("book_meeting", { topic = "Q3" })
    host:send '{"jsonrpc":"2.0","id":9,"method":"initialize","params":'
    host:receive()
    host:send('{"jsonrpc":"2.0","id":9,"method":"initialize","params":'
      .. '{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}}}')
    assert.equal(9, host:receive().id)
    local ended = host:receive()
    assert.equal(first.id, ended.id)
    assert.is_table(ended.error)
    host:send { jsonrpc = "2.0", id = first.question_id, result = YES }
    host:send '{"jsonrpc":"2.0","id":10,"method":"ping"}'
    assert.equal(10, host:receive().id)
    assert.same({}, store.rows(host, "book_meeting", "bookings"))
  end)

  it("answers a batch of 2025-03-26 in one line", function()
    start()
    stdio.connect(host, "legacy", { version = "2025-03-26" })
    host:send('[{"jsonrpc":"2.0","id":"a","method":"ping"},'
      .. '{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":"b","method":"ping"}]')
    local message = host:receive()
    assert.equal(2, #message)
  end)

  it("tells a legacy client of a changed list, without being asked to", function()
    start { scripts = folder }
    stdio.connect(host, "legacy"):tools()
    shell.write(folder .. "/hello.lua", HELLO)
    host:signal "HUP"
    local _, text = host:receive()
    assert.equal('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', text)
  end)

  it("tells a modern client of changes from its listen to its cancellation", function()
    start { scripts = folder, flags = { "--watch" } }
    local client = stdio.connect(host, "modern")
    local filter = { notifications = { toolsListChanged = true } }
    local one = client:start("subscriptions/listen", filter)
    local two = client:start("subscriptions/listen", filter)
    for _, id in ipairs { one, two } do
      local message = host:receive()
      assert.equal("notifications/subscriptions/acknowledged", message.method)
      assert.equal(id, message.params._meta[SUBSCRIPTION])
    end
    client:cancel(one)
    client:tools() -- the cancellation was read
    shell.write(folder .. "/hello.lua", HELLO)
    local message = host:receive()
    assert.equal("notifications/tools/list_changed", message.method)
    assert.equal(two, message.params._meta[SUBSCRIPTION])
    host:end_input()
    message = host:receive()
    assert.equal(two, message.id)
    assert.equal("complete", message.result.resultType)
    assert.equal(0, host:exit_code())
    assert.is_nil(host:line())
  end)

  it("carries nothing of what scripts print, nor can anything else get into it", function()
    start { scripts = folder }
    host:await_log "loaded"
    assert.equal(link(host.pid, 2), link(host.pid, 1))
    assert.equal("/dev/null", link(host.pid, 0))
    local flags = descriptor(host.pid, host.folder .. "/pipe", "flags")
    assert.equal(0, tonumber(flags, 8) & tonumber("4000", 8)) -- O_NONBLOCK, which others would see
    assert.equal(1, #stdio.connect(host, "modern"):tools())
  end)

  it("is not read from while its client does not read, and loses nothing", function()
    local input, count = folder .. "/input", 20000
    local request = '{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{"_meta":'
      .. '{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
      .. '"io.modelcontextprotocol/clientCapabilities":{}}}}\n'
    local lines = {}
    for i = 1, count do lines[i] = request:format(i) end
    shell.write(input, table.concat(lines))
    host = stdio.spawn { input = input, stopped = true }
    local position
    wait.for_condition("the host to wait for its client", function()
      position = tonumber(descriptor(host.pid, input, "pos") or "0")
      return position > 0 and host:state() == "S" and host:state(host.reader) == "T"
    end)
    assert.is_true(position < #table.concat(lines) / 2)
    host:signal_reader "CONT"
    assert.equal(0, host:exit_code())
    for i = 1, count do
      assert.equal(i, tonumber(host:line():match '"id":(%d+)'))
    end
    assert.is_nil(host:line())
  end)

  it("shares its store and keys with that of another client", function()
    local path = folder .. "/shared.db"
    local other = stdio.spawn { store = path }
    host = stdio.spawn { store = path }
    local ok, problem = pcall(function()
      other:await_log "notice serving"
      host:await_log "notice serving"
      local one, two = stdio.connect(host, "modern"), stdio.connect(other, "modern")
      for i = 1, 20 do
        local call = (i % 2 == 0 and one or two):ask("book_meeting", { topic = "Topic " .. i })
        call.client = i % 4 < 2 and one or two -- whoever answers
        assert.truthy(call:answer(YES).text:find("Booked", 1, true))
      end
      assert.equal(20, #store.rows({ store = path }, "book_meeting", "bookings"))
    end)
    other:close()
    assert(ok, problem)
  end)
end)
