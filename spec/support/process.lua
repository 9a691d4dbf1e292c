-- The host under test: a fresh process on a free port, with a temporary folder of its own.
--
--   local host = process.start { config = { session_idle = 1 } }
--   … host.port, host.url, host.store …
--   host.pid, host:worker_pid()           -- the supervisor, and the process that does the work
--   process.close(host)                   -- in teardown: ends it if it runs, removes the folder

local config = require "support.config"
local shell = require "support.shell"
local wait = require "support.wait"

local process = {}

local Host = {}
Host.__index = Host

-- The project's folder: two above this file.
process.root = shell.capture {
  "realpath",
  (debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" or ".") .. "/../..",
}
process.binary = os.getenv "LUNASK" or process.root .. "/build/lunask"
process.scripts = process.root .. "/scripts"

-- Runs the host, notes its pid and at last its exit code in the folder. The host is killed when
-- standard input ends, which it does when the handle is closed or the specs die.
local KEEPER = [[
exec 2>/dev/null
folder=$1; shift
exec 3<&0
"$@" </dev/null >"$folder/out" 2>"$folder/err" 3<&- &
host=$!
( cat <&3 >/dev/null; kill -KILL $host ) &
guard=$!
exec 3<&-
echo $host >"$folder/pid.part" && mv "$folder/pid.part" "$folder/pid"
wait $host
code=$?
kill $guard
echo $code >"$folder/code.part" && mv "$folder/code.part" "$folder/code"
]]

local function append(list, more)
  return table.move(more, 1, #more, #list + 1, list)
end

-- The words that run the binary with `env` set on top of an environment that has no say in what
-- the host does.
local function command(args, env)
  local words = { "env", "-u", "MCP_ALLOWED_ORIGINS" }
  for name, value in pairs(env or {}) do
    words[#words + 1] = name .. "=" .. value
  end
  words[#words + 1] = process.binary
  return append(words, args)
end

-- Runs the binary with `args` to its end. Returns { code, out, err }; killed after the usual
-- deadline, which shows as code 137.
function process.run(args, env)
  local folder, remove = shell.folder()
  local words = append({ "timeout", "-s", "KILL", tostring(wait.SECONDS) }, command(args, env))
  local _, _, code = os.execute(
    string.format("%s </dev/null >%s/out 2>%s/err", shell.line(words), folder, folder)
  )
  local result = {
    code = code,
    out = shell.read(folder .. "/out"),
    err = shell.read(folder .. "/err"),
  }
  remove()
  return result
end

local function serve_args(host, options)
  local scripts = options.scripts or process.scripts
  local args = {
    "serve", "--scripts", scripts, "--listen", options.listen or "127.0.0.1:0",
    "--store", host.store,
  }
  if options.config then
    local path = host.folder .. "/config.lua"
    config.write(path, process.scripts .. "/host.lua", options.config)
    append(args, { "--config", path })
  end
  return append(args, options.flags or {})
end

local function spawn(host, options)
  for _, name in ipairs { "pid", "code", "out", "err" } do
    os.remove(host.folder .. "/" .. name)
  end
  local words = command(serve_args(host, options), options.env)
  local keeper = append({ "sh", "-c", KEEPER, "sh", host.folder }, words)
  host.handle = assert(io.popen(shell.line(keeper), "w"))
  host.pid = wait.for_condition("the host's pid", function()
    return tonumber(shell.read(host.folder .. "/pid"))
  end)
end

local function await_listening(host)
  wait.for_condition("the listening line", function()
    if shell.read(host.folder .. "/code") then
      error("the host ended at once: " .. host:stderr())
    end
    host.url, host.port = host:stderr():match "(http://127%.0%.0%.1:(%d+)/mcp)"
    return host.url
  end)
  host.port = tonumber(host.port)
end

-- Starts a host and waits until it listens. Options, all optional:
--   config   changes to the shipped configuration
--   scripts  a scripts folder other than the shipped one
--   store    a store other than a fresh file in the host's folder
--   listen   address and port;  env  environment variables;  flags  more arguments
function process.start(options)
  options = options or {}
  local folder, remove = shell.folder()
  local host = setmetatable({ folder = folder, remove = remove }, Host)
  host.store = options.store or folder .. "/store.db"
  local ok, problem = pcall(function()
    spawn(host, options)
    await_listening(host)
  end)
  if not ok then
    if host.handle then
      host.handle:close()
    end
    remove()
    error(problem, 2)
  end
  return host
end

-- Ends the host in good order and starts another one on the same store, with other options.
function Host:restart(options)
  local code = self:stop()
  assert(code == 0, "the host ended with code " .. code)
  spawn(self, options or {})
  await_listening(self)
end

function Host:stderr()
  return shell.read(self.folder .. "/err") or ""
end

-- Waits until the supervisor has a worker and returns its pid.
function Host:worker_pid()
  local path = ("/proc/%d/task/%d/children"):format(self.pid, self.pid)
  return wait.for_condition("a worker", function()
    return tonumber((shell.read(path) or ""):match "%d+")
  end)
end

function Host:is_running()
  return shell.read(self.folder .. "/code") == nil
end

-- Sends a signal by name.
function Host:signal(name)
  assert(self:is_running(), "the host has ended")
  shell.capture { "kill", "-" .. name, tostring(self.pid) }
end

-- Waits until the host has ended and returns its exit code (128 and more: killed by a signal).
function Host:exit_code(seconds)
  local code = wait.for_condition("the host's end", function()
    return tonumber(shell.read(self.folder .. "/code"))
  end, seconds)
  self.handle:close()
  return code
end

function Host:stop()
  self:signal "TERM"
  return self:exit_code()
end

-- Ends the host if it runs and removes its folder; safe to call twice. Raises if the host did not
-- end in good order, after everything is cleaned up.
function Host:close()
  local code = 0
  if io.type(self.handle) == "file" then
    if self:is_running() then
      local stopped, result = pcall(self.stop, self)
      code = stopped and result or "none: " .. tostring(result)
    end
    if io.type(self.handle) == "file" then
      self.handle:close()
    end
  end
  local log = self:stderr()
  self.remove()
  assert(code == 0, "the host ended with code " .. code .. "\n" .. log)
end

-- host:close(), for a teardown that also runs when the host never came up.
function process.close(host)
  if host then
    host:close()
  end
end

return process
