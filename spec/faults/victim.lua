-- A host that is there to be killed: `lunask serve` in a process group of its own, on a store that
-- stays. Made for many starts; support.process is for hosts that end in good order.
--
--   local host = victim.new(folder)      -- folder/store.db
--   host:start()                         -- port is set once it listens
--   host:kill()                          -- SIGKILL to supervisor and worker
--   host:kill_worker()

local process = require "support.process"
local shell = require "support.shell"
local wait = require "support.wait"

local victim = {}

local Host = {}
Host.__index = Host

-- The group is killed when standard input ends: that is when the handle is closed, or whoever
-- holds it has died. Right after the start there may be no group yet, only the process.
local KEEPER = [[
exec 3<&0
setsid "$@" </dev/null >/dev/null 2>"$OUT" 3<&- &
echo $! >"$OUT.pid.part"; mv "$OUT.pid.part" "$OUT.pid"
cat <&3 >/dev/null
kill -KILL -$! 2>/dev/null || kill -KILL $! 2>/dev/null
wait $! 2>/dev/null
:
]]

-- Options: env, words such as "NAME=VALUE" that are set for the host; scripts.
function victim.new(folder, options)
  options = options or {}
  return setmetatable({
    store = folder .. "/store.db",
    out = folder .. "/out",
    env = options.env or {},
    scripts = options.scripts or process.scripts,
  }, Host)
end

function Host:spawn()
  os.remove(self.out)
  os.remove(self.out .. ".pid")
  local words = { "env", "OUT=" .. self.out, "sh", "-c", KEEPER, "sh", "env", "-u",
    "MCP_ALLOWED_ORIGINS" }
  table.move(self.env, 1, #self.env, #words + 1, words)
  for _, word in ipairs { process.binary, "serve", "--scripts", self.scripts, "--listen",
    "127.0.0.1:0", "--store", self.store } do
    words[#words + 1] = word
  end
  self.handle = assert(io.popen(shell.line(words), "w"))
  self.killed = false
end

function Host:start()
  self:spawn()
  self.port = wait.for_condition("the listening line", function()
    return tonumber((shell.read(self.out) or ""):match "http://127%.0%.0%.1:(%d+)/mcp")
  end)
  self.pid = wait.for_condition("the pid", function()
    return tonumber(shell.read(self.out .. ".pid"))
  end)
end

function Host:log()
  return shell.read(self.out) or ""
end

function Host:kill()
  self.killed = true
  if self.handle then self.handle:close() end
  self.handle = nil
end

-- Returns the worker's pid, or nil while there is none.
function Host:worker()
  local path = ("/proc/%d/task/%d/children"):format(self.pid, self.pid)
  return tonumber((shell.read(path) or ""):match "%d+")
end

function Host:kill_worker()
  local worker = self:worker()
  self.killed = true
  if worker then os.execute("kill -KILL " .. worker) end
end

-- Returns the rows of a collection as a list of JSON lines.
function Host:rows(script, collection)
  local pipe = assert(io.popen(shell.line { process.binary, "store", "list", script, collection,
    "--store", self.store } .. " 2>/dev/null"))
  local lines = {}
  for line in pipe:lines() do lines[#lines + 1] = line end
  assert(pipe:close(), "the store cannot be read")
  return lines
end

return victim
