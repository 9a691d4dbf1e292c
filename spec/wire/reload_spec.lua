-- Scripts edited while the host runs: what clients see of it, and what the log tells the operator.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local socket = require "socket"
local store = require "support.store"
local wait = require "support.wait"

-- From the save of a script to the first reply that shows it.
local LIVE_SECONDS = 0.2

-- A sanitizer makes the host several times slower: it shows that an edit goes live, not how soon.
if process.binary:find "asan" then
  LIVE_SECONDS = 2
end

local ASKING = [[
local mcp = require "mcp"
mcp.tool {
  description = "Asks.",
  handler = function(_, ctx)
    local answer = ctx:elicit { message = "%s", requestedSchema = { type = "object", properties = {
      ok = { type = "boolean" } } } }
    if answer.action == "accept" then ctx.store:put("yes", ctx.call_id, { to = "%s" }) end
    return "%s: " .. answer.action
  end,
}
]]

-- A tool that returns `text`.
local function saying(text, description)
  return ('require("mcp").tool { description = %q, handler = function() return %q end }\n')
    :format(description or "Says something.", text)
end

local function asking(question)
  return ASKING:format(question, question, question)
end

describe("a host whose scripts are edited", function()
  local folder, remove, scripts, host

  local function write(name, text)
    shell.write(scripts .. "/" .. name, text)
  end

  before_each(function()
    folder, remove = shell.folder()
    scripts = folder .. "/scripts"
    shell.capture { "mkdir", "-p", scripts .. "/lib/text" }
    write("say.lua", saying "one")
  end)

  after_each(function()
    process.close(host)
    host = nil
    remove()
  end)

  local function start(options)
    options = options or { flags = { "--watch" } }
    options.scripts = options.scripts or scripts
    host = process.start(options)
    return modern.connect(host)
  end

  local function say(client, name)
    return client:ask(name or "say").text
  end

  -- Waits until the tool says `text`, and no longer than a save may take to be live.
  local function assert_live(client, text, name)
    local begin = socket.gettime()
    wait.for_condition(("%q"):format(text), function()
      return say(client, name) == text
    end, LIVE_SECONDS)
    return socket.gettime() - begin
  end

  local function await_log(text)
    return wait.for_condition("the log to have: " .. text, function()
      return host:stderr():find(text, 1, true)
    end)
  end

  local function tool_names(client)
    local names = {}
    for i, tool in ipairs(client:tools()) do
      names[i] = tool.name
    end
    return table.concat(names, " ")
  end

  describe("with --watch", function()
    it("runs the new text within 200 ms of the save", function()
      local client = start()
      assert.equal("one", say(client))
      for _, text in ipairs { "two", "three", "four" } do
        write("say.lua", saying(text))
        assert_live(client, text)
      end
    end)

    it("takes a file that an editor wrote elsewhere and renamed", function()
      local client = start()
      shell.write(folder .. "/part", saying "renamed")
      os.rename(folder .. "/part", scripts .. "/say.lua")
      assert_live(client, "renamed")
      write("say.lua.tmp", saying "renamed again")
      os.rename(scripts .. "/say.lua", scripts .. "/say.lua~")
      os.rename(scripts .. "/say.lua.tmp", scripts .. "/say.lua")
      assert_live(client, "renamed again")
    end)

    it("waits for the rest of a file that is saved in pieces", function()
      local client = start()
      local text = saying "whole"
      local file = io.open(scripts .. "/say.lua", "wb")
      for i = 1, #text do
        file:write(text:sub(i, i))
        file:flush()
        assert.truthy(({ one = true, whole = true })[say(client)])
      end
      file:close()
      assert_live(client, "whole")
    end)

    it("has a new script's tool, and not the one of a script that is deleted", function()
      local client = start()
      write("shout.lua", saying "LOUD")
      assert_live(client, "LOUD", "shout")
      assert.equal("say shout", tool_names(client))
      os.remove(scripts .. "/shout.lua")
      wait.for_condition("the tool to go", function()
        return tool_names(client) == "say"
      end)
      assert.equal(-32602, client:ask("shout").error.code)
      await_log "tool shout added"
      await_log "tool shout removed"
    end)

    it("takes what is edited in lib/, in its folders and in new ones", function()
      write("lib/text/words.lua", 'return { word = "module one" }')
      write("say.lua", [[
        local words = require "text.words"
        require("mcp").tool { handler = function() return words.word end }
      ]])
      local client = start()
      assert.equal("module one", say(client))
      write("lib/text/words.lua", 'return { word = "module two" }')
      assert_live(client, "module two")
      shell.capture { "mkdir", scripts .. "/lib/fresh" }
      write("lib/fresh/deep.lua", 'return { word = "fresh one" }')
      write("lib/text/words.lua", 'return require "fresh.deep"')
      assert_live(client, "fresh one")
      write("lib/fresh/deep.lua", 'return { word = "fresh two" }')
      assert_live(client, "fresh two")
    end)

    it("follows the link of a deployment that swaps it", function()
      shell.capture { "mkdir", "-p", folder .. "/releases/2" }
      shell.capture { "mv", scripts, folder .. "/releases/1" }
      shell.capture { "ln", "-s", "releases/1", folder .. "/current" }
      shell.write(folder .. "/releases/2/say.lua", saying "release 2")
      local client = start { scripts = folder .. "/current", flags = { "--watch" } }
      assert.equal("one", say(client))
      shell.capture { "ln", "-s", "releases/2", folder .. "/next" }
      os.rename(folder .. "/next", folder .. "/current")
      assert_live(client, "release 2")
      shell.write(folder .. "/releases/2/say.lua", saying "release 2, edited")
      assert_live(client, "release 2, edited")
    end)

    it("goes on with what it has while a script is broken, says where, and says when it is mended",
      function()
        local client = start()
        write("say.lua", "local mcp = require 'mcp'\n\n  local x = = 3\n")
        await_log "nothing was reloaded"
        local log = host:stderr()
        for _, line in ipairs {
          "scripts/say.lua:3: unexpected symbol near '='", "   3 |   local x = = 3", "     |   ^",
        } do
          assert.truthy(log:find("error " .. line .. "\n", 1, true), log)
        end
        assert.equal("one", say(client))
        assert.is_nil(log:find("mended", 1, true))
        write("say.lua", saying "two")
        assert_live(client, "two")
        await_log "mended"
      end)

    it("names every broken script, and swaps in none of the good ones before all are", function()
      local client = start()
      write("a.lua", "return return")
      write("b.lua", "local t = nil\nt.x = 1\n")
      write("say.lua", saying "two")
      await_log "scripts/a.lua:1: "
      await_log "scripts/b.lua:2: attempt to index a nil value (local 't')"
      await_log "nothing was reloaded"
      assert.equal("one", say(client))
      os.remove(scripts .. "/a.lua")
      os.remove(scripts .. "/b.lua")
      assert_live(client, "two")
    end)

    it("goes on when the whole folder is gone, and takes the one that comes", function()
      local client = start()
      os.rename(scripts, folder .. "/away")
      await_log "can't read the scripts folder"
      assert.equal("one", say(client))
      shell.write(folder .. "/away/say.lua", saying "back")
      os.rename(folder .. "/away", scripts)
      assert_live(client, "back")
    end)

    it("tells in words what became of the tools", function()
      start()
      write("say.lua", saying("one", "Says one thing."))
      await_log 'tool say: description "Says something." → "Says one thing."'
    end)

    it("says that settings need a restart, and whether they would do", function()
      write("host.lua", 'return { name = "before" }')
      local client = start()
      write("host.lua", 'return { name = "after" }')
      await_log "host.lua has changed: restart the host to use its settings"
      write("host.lua", "return { nam = 1 }")
      await_log "unknown key 'nam' (did you mean 'name'?)"
      local result = client:request("server/discover").result
      assert.equal("before", result._meta["io.modelcontextprotocol/serverInfo"].name)
    end)
  end)

  describe("without --watch", function()
    it("runs the new text after SIGHUP", function()
      local client = start {}
      write("say.lua", saying "two")
      assert.equal("one", say(client))
      host:signal "HUP"
      assert_live(client, "two")
    end)

    it("answers others while a script loads that does not come to its end", function()
      local client = start {}
      write("slow.lua", "while true do end")
      host:signal "HUP"
      host:signal "HUP"
      local replies = 0
      wait.for_condition("the load to be given up", function()
        assert.equal("one", say(client))
        replies = replies + 1
        return host:stderr():find("nothing was reloaded", 1, true)
      end)
      assert.is_true(replies > 20, replies .. " replies")
      await_log "scripts/slow.lua: CPU time used up (vm_cpu) while loading"
    end)

    it("stops while a script loads that does not come to its end", function()
      local client = start {}
      write("slow.lua", "print 'read' while true do end")
      host:signal "HUP"
      await_log "info slow: read"
      assert.equal("one", say(client))
      host:stop()
      assert.is_nil(host:stderr():find("reloaded", 1, true))
    end)

    it("goes on after SIGHUP with a broken script, and is mended by the next", function()
      local client = start {}
      write("say.lua", "oops")
      host:signal "HUP"
      await_log "nothing was reloaded"
      assert.equal("one", say(client))
      write("say.lua", saying "two")
      host:signal "HUP"
      assert_live(client, "two")
      await_log "mended"
    end)
  end)

  describe("between a question and its answer", function()
    local function reload()
      local before = select(2, host:stderr():gsub("notice reloaded", ""))
      host:signal "HUP"
      wait.for_condition("the reload", function()
        return select(2, host:stderr():gsub("notice reloaded", "")) > before
      end)
    end

    before_each(function()
      write("ask.lua", asking "Delete the old one?")
    end)

    it("ends a parked legacy call in the text it began in, while new ones run the new", function()
      start {}
      local client = legacy.connect(host)
      local old = client:ask "ask"
      write("ask.lua", asking "Delete the new one?")
      reload()
      local new = client:ask "ask"
      assert.equal("Delete the new one?", new.question.message)
      assert.equal("Delete the old one?", old.question.message)
      assert.equal("Delete the old one?: accept",
        old:answer({ action = "accept", content = { ok = true } }).text)
      assert.equal("Delete the new one?: decline", new:answer({ action = "decline" }).text)
      local rows = store.rows(host, "ask", "yes")
      assert.equal(1, #rows)
      assert.equal("Delete the old one?", rows[1].value.to)
    end)

    it("ends a parked legacy call even if its script is deleted", function()
      start {}
      local call = legacy.connect(host):ask "ask"
      os.remove(scripts .. "/ask.lua")
      reload()
      assert.equal("Delete the old one?: accept",
        call:answer({ action = "accept", content = { ok = true } }).text)
    end)

    it("asks a modern client again if the question is another, and spends no yes on it", function()
      local call = start({}):ask "ask"
      assert.equal("Delete the old one?", call.question.message)
      write("ask.lua", asking "Delete everything?")
      reload()
      call:answer { action = "accept", content = { ok = true } }
      assert.equal("Delete everything?", call.question.message)
      assert.same({}, store.rows(host, "ask", "yes"))
      assert.equal("Delete everything?: accept",
        call:answer({ action = "accept", content = { ok = true } }).text)
      assert.equal("Delete everything?", store.rows(host, "ask", "yes")[1].value.to)
    end)

    it("takes a modern client's answer to a question that is the same as before", function()
      local call = start({}):ask "ask"
      write("ask.lua", "-- edited\n" .. asking "Delete the old one?")
      reload()
      assert.equal("Delete the old one?: accept",
        call:answer({ action = "accept", content = { ok = true } }).text)
      assert.equal(1, #store.rows(host, "ask", "yes"))
    end)
  end)

  describe("again and again", function()
    local CLIENTS = 4

    -- Requests without an end on a connection of its own, one in flight; `poll` takes what is there
    -- and sends the next. Counts the replies; keeps what is not as it should be.
    local function busy_client()
      local prepared = modern.connect(host):prepare("tools/call", { name = "say" })
      local text = http.render(host, modern.http_request(prepared))
      local busy = { connection = http.connect(host), replies = 0, failures = {} }
      busy.connection:send(text)
      function busy.take()
        local reply = busy.connection:reply()
        local said = reply and rpc.text(rpc.open(reply:read()).json)
        if not (said and said:match "^text %d+$") then
          busy.failures[#busy.failures + 1] = reply and reply.body or "no reply"
        end
        busy.replies = busy.replies + 1
      end
      function busy.poll()
        if busy.connection:is_readable() then
          busy.take()
          busy.connection:send(text)
        end
      end
      return busy
    end

    it("fails no request while every third save is broken", function()
      write("say.lua", saying "text 0")
      local client = start()
      local busy = {}
      for i = 1, CLIENTS do
        busy[i] = busy_client()
      end
      local function poll()
        for _, one in ipairs(busy) do
          one.poll()
        end
      end
      for i = 1, 50 do
        local broken = i % 3 == 0
        write("say.lua", broken and "local x = = " .. i or saying("text " .. i))
        wait.for_condition("save " .. i, function()
          poll()
          if broken then
            return host:stderr():find("near '='\n[^\n]* error    1 | local x = = " .. i .. "\n")
          end
          return say(client) == "text " .. i
        end)
      end
      for _, one in ipairs(busy) do
        one.take()
        assert.same({}, one.failures)
        assert.is_true(one.replies > 10)
        one.connection:close()
      end
    end)

    -- Kilobytes that the host has in memory.
    local function resident()
      return tonumber(shell.read("/proc/" .. host:worker_pid() .. "/status"):match "VmRSS:%s*(%d+)")
    end

    it("grows by less than 2 MiB from the 50th reload to the 200th", function()
      if process.binary:find "asan" then
        pending "a sanitizer keeps what was freed"
      end
      local client = start {}
      for i = 1, 200 do
        write("say.lua", saying("text " .. i))
        host:signal "HUP"
        wait.for_condition("reload " .. i, function()
          return say(client) == "text " .. i
        end)
        if i == 50 then
          host.after_50 = resident()
        end
      end
      local grown = resident() - host.after_50
      assert.is_true(grown < 2048, "grew by " .. grown .. " KiB")
    end)
  end)
end)
