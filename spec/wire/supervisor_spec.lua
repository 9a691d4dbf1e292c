-- What becomes of the host, and of those who wait, when its worker process dies, and when it is
-- told to end. After each spec no process of it is left.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local shell = require "support.shell"
local store = require "support.store"
local wait = require "support.wait"

local YES = { action = "accept", content = { approved = true, time = "14:30" } }
local SAYING = 'require("mcp").tool { handler = function() return %q end }\n'

-- A zombie whose parent is gone is init's business.
local function is_alive(pid)
  local stat = shell.read("/proc/" .. pid .. "/stat")
  return stat ~= nil and not stat:match "%) Z "
end

describe("a host", function()
  local host, workers

  before_each(function()
    workers = {}
  end)

  local function assert_all_gone()
    for _, pid in ipairs(workers) do
      wait.for_condition("the end of worker " .. pid, function()
        return not is_alive(pid)
      end, 1)
    end
  end

  after_each(function()
    process.close(host)
    host = nil
    assert_all_gone()
  end)

  local function note_worker()
    local pid = host:worker_pid()
    if pid ~= workers[#workers] then
      workers[#workers + 1] = pid
    end
    return pid
  end

  local function start(options)
    host = process.start(options)
    note_worker()
    return modern.connect(host)
  end

  local function count(pattern)
    return select(2, host:stderr():gsub(pattern, ""))
  end

  local function await_log(text)
    wait.for_condition("the log to have: " .. text, function()
      return host:stderr():find(text, 1, true)
    end)
  end

  local function send(signal, pid)
    shell.capture { "kill", "-" .. signal, tostring(pid) }
  end

  -- Kills the worker and waits until the supervisor knows.
  local function kill_worker(signal)
    local known = count "the worker ended"
    send(signal or "KILL", note_worker())
    wait.for_condition("the news of the worker's end", function()
      return count "the worker ended" > known
    end)
  end

  -- Waits until as many workers as that have come to serve.
  local function await_serving(number)
    wait.for_condition("worker " .. number, function()
      return count "notice serving " >= number
    end)
    note_worker()
  end

  describe("whose worker is killed", function()
    it("serves the next request with another one, and says so", function()
      local client = start()
      kill_worker()
      assert.equal("book_meeting", client:tools()[1].name)
      assert.equal(2, count "notice serving ")
      assert.truthy(host:stderr():find "error the worker ended by SIGKILL after [%d.]+ s")
      assert.are_not.equal(workers[1], note_worker())
    end)

    it("names the signal of a crash", function()
      local client = start()
      kill_worker "ABRT"
      assert.truthy(host:stderr():find("the worker ended by SIGABRT", 1, true))
      assert.equal("book_meeting", client:tools()[1].name)
    end)

    it("breaks the stream of a parked legacy call, and no longer knows its session", function()
      start()
      local booked = store.bookings_from_now(host)
      local client = legacy.connect(host)
      local call = client:ask("book_meeting", { topic = "lost" })
      kill_worker()
      call:advance()
      assert.is_true(call.ended_silently)
      assert.equal(404, client:request("tools/list").status)
      assert.equal(404, call:post_answer(YES).status)
      assert.same({}, booked())
    end)

    it("books once what was asked before and answered after", function()
      local client = start()
      local booked = store.bookings_from_now(host)
      local call = client:ask("book_meeting", { topic = "carried over" })
      local state, key = call.state, call.key
      kill_worker()
      call:answer(YES)
      assert.is_nil(call.error)
      assert.same({ { topic = "carried over", time = "14:30" } }, booked())
      kill_worker()
      local again = client:call("book_meeting", { topic = "carried over" }, {
        requestState = state, inputResponses = { [key] = YES },
      })
      assert.equal(call.text, again.result.content[1].text)
      assert.equal(1, #booked())
    end)

    it("opens what was sealed before also without a file of keys", function()
      local client = start { store = "memory:" }
      local call = client:ask("book_meeting", { topic = "in memory" })
      kill_worker()
      call:answer(YES)
      assert.is_nil(call.error)
      assert.truthy(call.text:find("14:30", 1, true))
    end)

    it("waits longer each time, lets clients wait, and does not give up", function()
      local client = start()
      for i, pause in ipairs { "at once", "in 0.1 s", "in 0.5 s", "in 2.0 s" } do
        await_serving(i)
        kill_worker()
        await_log("starting another " .. pause)
        assert.equal("book_meeting", client:tools()[1].name)
      end
      kill_worker()
      await_log "starting another in 5.0 s"
      local connection = http.connect(host)
      assert.equal(5, count "notice serving ")
      host:signal "HUP"
      wait.for_condition("a worker before its time", function()
        return count "notice serving " == 6
      end, 4)
      note_worker()
      connection:close()
      assert.equal("book_meeting", client:tools()[1].name)
    end)

    it("tries again while a script is broken, until it is mended", function()
      local folder, remove = shell.folder()
      finally(remove)
      shell.write(folder .. "/say.lua", SAYING:format "one")
      local client = start { scripts = folder }
      shell.write(folder .. "/say.lua", "oops")
      kill_worker()
      await_log "the worker ended with code 1"
      assert.truthy(host:stderr():find("lunask serve: .-say%.lua:1: "))
      shell.write(folder .. "/say.lua", SAYING:format "two")
      assert.equal("two", client:ask("say").text)
      note_worker()
    end)
  end)

  it("has less than 3 MiB to itself beside its worker", function()
    if process.binary:find "asan" then
      pending "a sanitizer has memory of its own"
    end
    start()
    local status = shell.read("/proc/" .. host.pid .. "/status")
    assert.is_true(tonumber(status:match "RssAnon:%s*(%d+)") < 3 * 1024, status)
  end)

  it("takes a worker that is only stopped for what it is", function()
    local client = start()
    local pid = note_worker()
    send("STOP", pid)
    wait.for_condition("the worker to stand still", function()
      return shell.read("/proc/" .. pid .. "/stat"):match "%) T "
    end)
    send("CONT", pid)
    assert.equal("book_meeting", client:tools()[1].name)
    assert.equal(pid, host:worker_pid())
    assert.equal(1, count "notice serving ")
  end)

  describe("that is told to end", function()
    it("ends with its worker while a call waits for a person", function()
      start()
      local booked = store.bookings_from_now(host)
      local call = legacy.connect(host):ask("book_meeting", { topic = "cut off" })
      host:signal "TERM"
      assert.equal(0, host:exit_code())
      assert_all_gone()
      call:advance()
      assert.is_nil(call.question)
      assert.same({}, booked())
      assert.equal(1, count "notice serving ")
    end)

    it("ends in good order if the worker hears of it, too", function()
      start()
      host:signal "STOP" -- so that it is the worker who hears first
      send("INT", note_worker())
      send("INT", note_worker())
      host:signal "INT"
      host:signal "CONT"
      assert.equal(0, host:exit_code())
    end)

    it("ends at once at the second signal, whatever the worker does", function()
      start()
      send("STOP", note_worker())
      local signal = { "sh", "-c", "kill $0 2>/dev/null || true", tostring(host.pid) }
      wait.for_condition("the host's end", function()
        shell.capture(signal)
        return not host:is_running()
      end)
      assert.equal(143, host:exit_code())
      assert_all_gone()
    end)

    it("ends in the pause between two workers", function()
      start()
      for i = 1, 4 do
        await_serving(i)
        kill_worker()
      end
      host:signal "TERM"
      assert.equal(0, host:exit_code(1))
    end)

    it("ends when its worker is", function()
      start()
      send("TERM", note_worker())
      assert.equal(0, host:exit_code())
      assert.equal(1, count "notice serving ")
    end)
  end)

  it("takes its worker along when it is killed", function()
    start()
    host:signal "KILL"
    assert.equal(137, host:exit_code())
    assert_all_gone()
  end)

  describe("that can't start", function()
    local folder, remove

    before_each(function()
      folder, remove = shell.folder()
      shell.write(folder .. "/say.lua", SAYING:format "hello")
    end)

    after_each(function()
      remove()
    end)

    local function assert_one_line(pattern, flags)
      local args = { "serve", "--scripts", folder, "--listen", "127.0.0.1:0" }
      local ran = process.run(table.move(flags, 1, #flags, #args + 1, args))
      assert.equal(1, ran.code)
      assert.truthy(ran.err:match("^lunask serve: [^\n]*" .. pattern .. "[^\n]*\n$"), ran.err)
    end

    it("for its settings, ends with code 1 and one line", function()
      shell.write(folder .. "/host.lua", "return { nam = 1 }")
      assert_one_line("did you mean 'name'", { "--store", "memory:" })
    end)

    it("for a script, ends with code 1 and one line", function()
      shell.write(folder .. "/say.lua", "oops")
      assert_one_line("say%.lua:1: ", { "--store", "memory:" })
    end)

    it("for its store, ends with code 1 and one line", function()
      assert_one_line("say%.lua", { "--store", folder .. "/say.lua" })
    end)

    it("for its key file, ends with code 1 and one line", function()
      shell.write(folder .. "/store.db.keys", "no key\n")
      shell.capture { "chmod", "600", folder .. "/store.db.keys" }
      assert_one_line("store%.db%.keys", { "--store", folder .. "/store.db" })
    end)
  end)
end)
