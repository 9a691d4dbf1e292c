-- Every attack of the catalogue against a host: each must be held, and harm nobody else.
--
-- The attacks are loaded one after the other, by a reload, beside a script that is never changed
-- and whose client keeps one session: if the host's process were started anew, that would be gone.

local attacks = require "support.attacks"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local shell = require "support.shell"
local socket = require "socket"
local wait = require "support.wait"

-- Sanitizers make the host several times slower.
local SLOW = process.binary:find "asan" ~= nil
local CANARY_SECONDS = SLOW and 2 or 0.1
local CALL_SECONDS = SLOW and 20 or 5
local LOG_BYTES = 80 * 1024

local LIMITS = { vm_cpu = SLOW and 1000 or 200, vm_memory = 16 * 1024 * 1024 }

local CANARY = [[
require("mcp").tool { name = "canary", handler = function() return "alive" end }
]]

-- What the sandbox does not hold (see the README): one VM serves all calls of a script, and Lua
-- compiles these wrongly up to 5.4.4 or 5.4.7. They reach no further than their own script.
local NOT_HELD = {
  ["leak-07"] = "DEFEAT previous caller's input visible",
  ["leak-08"] = "DEFEAT wrong constant: 2",
  ["vm-08"] = "DEFEAT 1 & 2 = 2",
  ["vm-10"] = "attempt to index a number value",
}

-- Where a limit of our own comes before the one that the catalogue expects.
local OTHERWISE = {
  ["cpu-06"] = "memory", -- so many failed allocations that they count as one
  ["cfn-12"] = "memory",
  ["cfn-13"] = "memory cpu", -- two such strings are more than the heap has
  ["cfn-18"] = "error cpu memory", -- the result is too large, or its writing too long
  ["json-02"] = "error cpu memory", -- so deep a table fills the heap before it is written
  ["mem-06"] = "error cpu memory",
  ["fin-05"] = "error", -- __close is refused, so it never asks
  ["input-07"] = "ok error", -- no argument is long enough to be too many results
  ["vm-03"] = "memory", -- __close is refused inside its coroutines, which it goes on to make
  ["vm-05"] = "error", -- likewise, then there is no coroutine.close
}

-- The metamethods that setmetatable refuses.
local REFUSED = { "__gc", "__close", "__mode", "__name" }

-- Returns the outcomes that the catalogue allows, as words, and a text that the log must have.
local function expected(attack)
  local expect = attack.expect
  if OTHERWISE[attack.id] then return OTHERWISE[attack.id] end
  for _, name in ipairs(REFUSED) do
    if attack.code:find(name .. " =", 1, true) then
      return "error", "setmetatable: a metatable can't have " .. name .. " here"
    end
  end
  if expect:find "^kill:deadline" then
    return expect:find "bounded" and "cpu memory error ok" or "cpu"
  elseif expect:find "^error/kill" then
    return "error cpu"
  elseif expect:find "^error:memory" then
    return expect:find "stack" and "memory error" or "memory"
  elseif expect:find "^error:" then
    return attack.code:find("pcall", 1, true) and "ok" or "error"
  end
  return "ok error cpu memory"
end

-- Loaded, they would be let in: what the catalogue wants refused, and endless loads.
local function is_refused_at_load(attack)
  return attack.expect:find "^refused:" and not attack.expect:find "coroutine"
      and not attack.expect:find "JSON"
    or attack.code:find "^while true" or attack.code:find "^::top::"
    or ({ ["load-06"] = true, ["vm-04"] = true, ["iso-14"] = true })[attack.id]
end

-- In our host another script is another VM. Only what the catalogue wants out of a script's reach
-- is looked at in the same VM too; a script may change its own copies of the library.
local function is_private(attack)
  return attack.expect:find "private" or attack.expect:find "per%-script"
end

local function of(list, class)
  local of_class = {}
  for _, attack in ipairs(list) do
    if attack.class == class then of_class[#of_class + 1] = attack end
  end
  return of_class
end

local function classes(list)
  local names, seen = {}, {}
  for _, attack in ipairs(list) do
    if not seen[attack.class] then
      seen[attack.class] = true
      names[#names + 1] = attack.class
    end
  end
  return names
end

describe("an attack on the sandbox", function()
  local catalogue, absent = attacks.load(process.root)
  if not catalogue then
    pending("is held: the catalogue is no part of the project; " .. absent)
    return
  end

  local folder, remove, host, session

  setup(function()
    folder, remove = shell.folder()
    shell.write(folder .. "/canary.lua", CANARY)
    host = process.start { scripts = folder, config = LIMITS }
    session = legacy.connect(host)
  end)

  teardown(function()
    process.close(host)
    if remove then remove() end
  end)

  -- Returns what the log has got since `from`.
  local function log_since(from)
    return host:stderr():sub(from + 1)
  end

  -- Reloads; returns whether the scripts were taken.
  local function reload()
    local from = #host:stderr()
    host:signal "HUP"
    local line = wait.for_condition("the reload", function()
      return log_since(from):match "[^\n]*reloaded[^\n]*\n"
    end)
    return not line:find("nothing was reloaded", 1, true)
  end

  -- The best of three: what harms the canary does so each time, the machine's other work does not.
  local function assert_canary_alive()
    local took = math.huge
    for _ = 1, 3 do
      local begin = socket.gettime()
      assert.equal("alive", session:ask("canary", {}).text)
      took = math.min(took, socket.gettime() - begin)
      if took < CANARY_SECONDS then return end
    end
    error(("the canary took %.0f ms"):format(took * 1000))
  end

  local function ask(client, tool, arguments)
    local begin = socket.gettime()
    local call = client:ask(tool, arguments)
    assert.is_true(socket.gettime() - begin < CALL_SECONDS, "the call took too long")
    return call
  end

  -- Returns the calls of an attack at their ends; those that asked are answered at last, or, for an
  -- attack that wants them dropped, their session ends.
  local function run(attack)
    local asks = attack.code:find("ask(", 1, true)
    local client = asks and legacy.connect(host) or modern.connect(host)
    local calls = {}
    for i = 1, attack.calls or 1 do
      calls[i] = ask(client, "attack", attacks.arguments(attack))
    end
    for i, call in ipairs(calls) do
      if call.question and not attack.drop then
        call:answer { action = "accept", content = { text = "answer-" .. i } }
      end
    end
    if asks then client:delete() end
    return calls
  end

  local function assert_as_expected(attack, calls, log)
    local allowed, logged = expected(attack)
    for _, call in ipairs(calls) do
      local outcome = attacks.outcome(call)
      assert.is_truthy((" " .. allowed .. " "):find(" " .. outcome .. " ", 1, true),
        ("%s, not %s: %s"):format(outcome, allowed, call.text))
      assert.is_nil(call.text:find("^DEFEAT"), call.text)
      assert.is_nil(call.text:find(folder, 1, true), call.text)
      assert.is_true(#call.text < 1024)
    end
    assert.is_truthy(not logged or log:find(logged, 1, true), log)
  end

  local function assert_log_is_sound(log)
    assert.is_true(#log < LOG_BYTES, #log .. " bytes of log")
    assert.is_nil(log:find "[%z\1-\9\11-\31\127]", "control characters in the log")
    for line in log:gmatch "[^\n]+" do assert.matches("^%d%d%d%d%-%d%d%-%d%dT", line) end
  end

  local function assert_probes(attack)
    local client = modern.connect(host)
    assert.equal("true", ask(client, "other", {}).text)
    if attack.probe and not is_private(attack) then
      assert.equal("true", ask(client, "attack.probe", {}).text)
    end
  end

  local function load_attack(attack)
    shell.write(folder .. "/attack.lua", attacks.script(attack))
    shell.write(folder .. "/other.lua", attacks.other(attack))
    return reload()
  end

  for _, class in ipairs(classes(catalogue)) do
    describe("of the class " .. class, function()
      after_each(function()
        os.remove(folder .. "/attack.lua")
        os.remove(folder .. "/other.lua")
        assert.is_true(reload())
        assert_canary_alive()
      end)

      for _, attack in ipairs(of(catalogue, class)) do
        local name = ("(%s: %s)"):format(attack.id, attack.expect)
        if is_refused_at_load(attack) then
          it("is refused when it is loaded " .. name, function()
            local from = #host:stderr()
            assert.is_false(load_attack(attack))
            local log = log_since(from)
            assert.matches(attack.class == "cpu" and "error [^\n]*/attack%.lua: CPU time used up"
              or "error [^\n]*/attack%.lua:", log)
            assert_log_is_sound(log)
            assert_canary_alive()
            os.remove(folder .. "/attack.lua")
            assert.is_true(reload())
            assert_probes { probe = false, expect = "" }
          end)
        elseif NOT_HELD[attack.id] then
          it("harms nobody but its own script " .. name, function()
            assert.is_true(load_attack(attack))
            local calls = run(attack)
            local text = calls[#calls].text
            local mended = text == "ok" and attack.id ~= "leak-07"
            assert.is_truthy(mended or text:find(NOT_HELD[attack.id], 1, true), text)
            assert_canary_alive()
            assert.equal("fine", ask(modern.connect(host), "attack.next", {}).text)
            assert_probes(attack)
          end)
        else
          it("is held " .. name, function()
            local from = #host:stderr()
            assert.is_true(load_attack(attack))
            local calls = run(attack)
            assert_canary_alive()
            assert_as_expected(attack, calls, log_since(from))
            assert.equal("fine", ask(modern.connect(host), "attack.next", {}).text)
            assert_probes(attack)
            assert_log_is_sound(log_since(from))
          end)
        end
      end
    end)
  end
end)
