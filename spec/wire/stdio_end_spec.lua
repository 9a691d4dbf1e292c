-- How a host ends that one client has started, and what becomes of the calls under way.

local rpc = require "support.rpc"
local shell = require "support.shell"
local stdio = require "support.stdio"
local store = require "support.store"
local wait = require "support.wait"

-- work stores a row after a while; spin never ends of itself.
local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "work", inputSchema = { type = "object" }, handler = function(_, ctx)
  print "working"
  for _ = 1, 3e6 do end
  ctx.store:put("rows", "a", { done = true })
  return "done"
end }
mcp.tool { name = "spin", inputSchema = { type = "object" }, handler = function()
  print "spinning"
  while true do end
end }
]]

describe("a host on stdio ends", function()
  local host, folder, remove

  before_each(function()
    folder, remove = shell.folder()
    shell.write(folder .. "/x.lua", SCRIPT)
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

  it("with its input, with code 0", function()
    start()
    host:end_input()
    assert.equal(0, host:exit_code())
  end)

  it("at once where the input is empty", function()
    host = stdio.spawn { input = "/dev/null" }
    assert.equal(0, host:exit_code())
    assert.is_nil(host:line())
  end)

  for _, era in ipairs { "legacy", "modern" } do
    it("with its input, after what runs (" .. era .. ")", function()
      start { scripts = folder }
      local client = stdio.connect(host, era)
      local id = client:start("tools/call", { name = "work" })
      host:end_input()
      assert.equal(0, host:exit_code())
      assert.equal(id, host:receive().id)
      assert.equal(1, #store.rows(host, "x", "rows"))
    end)

    it("on SIGTERM, after what runs (" .. era .. ")", function()
      start { scripts = folder }
      local client = stdio.connect(host, era)
      local id = client:start("tools/call", { name = "work" })
      host:await_log "working"
      host:signal "TERM"
      assert.equal(0, host:exit_code())
      local message = host:receive()
      assert.equal(id, message.id)
      assert.equal("done", rpc.text(message))
      assert.equal(1, #store.rows(host, "x", "rows"))
    end)
  end

  it("with its input, and a call that waits for a person is cancelled", function()
    start()
    local call = stdio.connect(host, "legacy"):ask("book_meeting", { topic = "Q3" })
    host:end_input()
    assert.equal(0, host:exit_code())
    local withdrawn = host:receive()
    assert.equal("notifications/cancelled", withdrawn.method)
    assert.equal(call.question_id, withdrawn.params.requestId)
    assert.equal(call.id, host:receive().id)
    assert.same({}, store.rows(host, "book_meeting", "bookings"))
  end)

  it("after a last message without a newline", function()
    local path = folder .. "/input"
    shell.write(path, '{"jsonrpc":"2.0","id":1,"method":"initialize","params":'
      .. '{"protocolVersion":"2025-11-25","capabilities":{}}}\n'
      .. '{"jsonrpc":"2.0","id":2,"method":"ping"}')
    host = stdio.spawn { input = path }
    assert.equal(0, host:exit_code())
    assert.equal(1, host:receive().id)
    assert.equal(2, host:receive().id)
    assert.is_nil(host:line())
  end)

  it("when nobody reads its output any more, with nothing to write", function()
    start()
    host:signal_reader "KILL"
    assert.equal(0, host:exit_code())
  end)

  it("when nobody reads its output any more, with calls under way", function()
    start { scripts = folder }
    local client = stdio.connect(host, "modern")
    client:start("tools/call", { name = "spin" })
    client:start("subscriptions/listen", { notifications = { toolsListChanged = true } })
    host:receive()
    host:await_log "spinning"
    host:signal_reader "KILL"
    assert.equal(0, host:exit_code())
  end)

  it("when nobody reads its output any more, and a call waits for a person", function()
    start()
    stdio.connect(host, "legacy"):ask("book_meeting", { topic = "Q3" })
    host:signal_reader "KILL"
    assert.equal(0, host:exit_code())
    assert.same({}, store.rows(host, "book_meeting", "bookings"))
  end)

  it("at once on a second signal, whatever runs", function()
    start { scripts = folder }
    stdio.connect(host, "modern"):start("tools/call", { name = "spin" })
    host:await_log "spinning"
    host:signal "TERM"
    host:await_log "stopping"
    assert.is_true(host:is_running())
    host:signal "TERM"
    assert.equal(143, host:exit_code())
    host.expected_code = 143
  end)

  it("where the start fails, with code 1 and nothing on its output", function()
    shell.write(folder .. "/y.lua", "local x = = 3")
    host = stdio.spawn { scripts = folder }
    assert.equal(1, host:exit_code())
    assert.truthy(host:stderr():find("y.lua:1: unexpected symbol", 1, true))
    assert.is_nil(host:line())
    host.expected_code = 1
  end)

  it("without a supervisor, so that its client sees a crash", function()
    start()
    host:signal "ABRT"
    assert.equal(134, host:exit_code())
    host.expected_code = 134
    wait.for_condition("no process", function()
      return not shell.read("/proc/" .. host.pid .. "/stat")
    end)
  end)
end)
