local inside = require "support.inside"
local shell = require "support.shell"
local wait = require "support.wait"

local function tool(text, description)
  return ("require('mcp').tool { name = 't', description = %q, "
    .. "handler = function() return %q end }"):format(description or "d", text)
end

local ASKING = [[require("mcp").tool { name = "ask", handler = function(_, ctx)
  local schema = { type = "object", properties = {} }
  return ctx:elicit { message = "%s", requestedSchema = schema }.action
end }]]

describe("a reload", function()
  local host

  local function start(scripts, config)
    host = inside.start { scripts = scripts, config = config, settle = true }
  end

  local function write(name, text)
    shell.write(host.folder .. "/" .. name, text)
  end

  local function reload()
    return { host.native:reload() }
  end

  local function log_has(text)
    return host:log():find(text, 1, true) ~= nil
  end

  after_each(function()
    inside.close(host)
    host = nil
  end)

  it("runs new calls in the new text", function()
    start { x = tool "one" }
    assert.equal("one", host:call("t"):text())
    write("x.lua", tool "two")
    assert.same({ true, nil, 0 }, reload())
    assert.equal("two", host:call("t"):text())
  end)

  it("tells that the tools have changed when the list has, and only then", function()
    start { x = tool "one" }
    assert.equal(0, reload()[3])
    write("x.lua", "-- other code\n" .. tool "two")
    assert.equal(0, reload()[3])
    write("x.lua", tool("two", "another"))
    assert.equal(1, reload()[3])
    write("y.lua", ASKING:format "?")
    assert.equal(2, reload()[3])
    write("y.lua", "broken")
    assert.equal(2, reload()[3])
  end)

  it("changes nothing if a script is broken, and keeps the reason until one succeeds", function()
    start { x = tool "one" }
    write("a.lua", "\nlocal x =")
    write("x.lua", tool("two", "another"))
    local told = reload()
    assert.is_false(told[1])
    assert.equal("a.lua:2: unexpected symbol near <eof>", told[2]:match "/(.*)")
    assert.equal(0, told[3])
    assert.equal("one", host:call("t"):text())
    assert.is_false(log_has "mended")
    write("a.lua", "")
    assert.same({ true, nil, 1 }, reload())
    assert.equal("two", host:call("t"):text())
    assert.is_true(log_has "mended")
  end)

  it("logs ten findings at most", function()
    start {}
    for i = 1, 12 do write(("x%02d.lua"):format(i), "broken") end
    assert.is_false(reload()[1])
    assert.is_true(log_has "x10.lua:1: ")
    assert.is_false(log_has "x11.lua:1: ")
    assert.is_true(log_has "and 2 more findings (lunask check lists them)")
  end)

  it("leaves a parked legacy call where it is", function()
    start { x = ASKING:format "old?" }
    local session = host:initialize()
    local visit = session:call("ask", {})
    write("x.lua", ASKING:format "new?")
    assert.is_true(reload()[1])
    session:answer(visit, { action = "accept", content = {} })
    host:settle()
    assert.equal("accept", visit:text())
  end)

  it("does nothing once the host is stopping", function()
    start { x = tool "one" }
    write("x.lua", tool("one", "another"))
    host.native:stop()
    assert.same({ false, nil, 0 }, reload())
  end)

  it("serves calls while a script takes its time to load", function()
    start({ x = tool "one" }, "vm_cpu = 300")
    write("slow.lua", "while true do end")
    assert.is_true(host.native:begin_reload())
    for _ = 1, 10 do assert.equal("one", host:call("t"):text()) end
    assert.equal(0, host:counters().reloads_failed)
    local told = reload()
    assert.is_false(told[1])
    assert.equal("slow.lua: CPU time used up (vm_cpu) while loading", told[2]:match "/(.*)")
  end)

  it("loads once more, and once only, for the saves that come during a load", function()
    start({ x = tool "one" }, "vm_cpu = 300")
    write("x.lua", "print 'read'\n" .. tool "two")
    write("z.lua", "while true do end")
    assert.is_true(host.native:begin_reload())
    host:turn_until("x.lua to be loaded", function() return log_has "info x: read" end)
    write("x.lua", tool "three")
    os.remove(host.folder .. "/z.lua")
    for _ = 1, 3 do assert.is_true(host.native:begin_reload()) end
    assert.is_true(reload()[1])
    assert.equal("three", host:call("t"):text())
    assert.equal(1, host:counters().reloads_failed)
    assert.equal(1, host:counters().reloads)
  end)

  it("holds the scripts it loaded to their limits", function()
    start({ x = tool "one" }, "vm_cpu = 50")
    write("x.lua", "require('mcp').tool { name = 't', handler = function() while true do end end }")
    assert.is_true(reload()[1])
    assert.matches("vm_cpu", host:call("t"):text())
    write("x.lua", tool "two")
    assert.is_true(reload()[1])
    assert.equal("two", host:call("t"):text())
  end)

  it("does not keep the host from stopping, and swaps nothing in then", function()
    start({ x = tool "one" }, "vm_cpu = 300")
    write("a.lua", "print 'read' while true do end")
    write("b.lua", "print 'read too'")
    assert.is_true(host.native:begin_reload())
    assert.is_true(host.native:begin_reload())
    host:turn_until("a.lua to be loaded", function() return log_has "info a: read" end)
    host.native:stop()
    host:turn_until("the host to stop", function() return host.native:stopped() end)
    assert.is_false(log_has "info b:")
    assert.is_false(log_has "reloaded")
    assert.same({ 0, 0 }, { host:counters().reloads, host:counters().reloads_failed })
  end)

  it("swaps in nothing that was loaded when the host began to stop", function()
    start { x = tool "one" }
    write("x.lua", "print 'read'\n" .. tool "two")
    assert.is_true(host.native:begin_reload())
    wait.for_condition("x.lua to be loaded", function() return log_has "info x: read" end)
    host.native:stop()
    host:turn_until("the host to stop", function() return host.native:stopped() end)
    assert.is_false(log_has "reloaded")
    assert.equal(0, host:counters().reloads)
  end)

  it("says once that the settings have changed", function()
    start { x = tool "one" }
    reload()
    assert.is_false(log_has "restart the host")
    write("host.lua", "return { calls = 7 }")
    reload()
    reload()
    assert.equal(1, select(2, host:log():gsub("restart the host to use its settings", "")))
    write("host.lua", "return { calls = 0 }")
    assert.is_true(reload()[1])
    assert.is_true(log_has "would not start with it")
  end)

  it("tells of each list that has another answer now, and of no other", function()
    start { a = "require 'mcp'.tool { handler = print }" }
    local function changed(file, text)
      shell.write(host.folder .. "/" .. file .. ".lua", "local mcp = require 'mcp'; " .. text)
      assert.is_true((host.native:reload()))
      return host.native:changed()
    end
    assert.equal(2, changed("p", "mcp.prompt { handler = print }"))
    assert.equal(4, changed("r", "mcp.resource { uri = 'a:b', text = '' }"))
    assert.equal(3, changed("p", "mcp.tool { handler = print }"))
  end)
end)
