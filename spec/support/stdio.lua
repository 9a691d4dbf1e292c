-- The host as a client's child: one process, messages over its standard input and output.
--
--   local host = stdio.start()
--   host:send { jsonrpc = "2.0", … }      -- a table or text, as a line
--   host:receive()                        -- the next message
--   local client = stdio.connect(host, "legacy")      -- or "modern"
--   local call = client:ask("book_meeting", { topic = "Q3" })
--   call:answer { action = "decline" }
--   host:close()                          -- in teardown

local config = require "support.config"
local process = require "support.process"
local protocol = require "support.protocol"
local rpc = require "support.rpc"
local shell = require "support.shell"
local wait = require "support.wait"

local stdio = {}

local META = "io.modelcontextprotocol/"

local Host = {}
Host.__index = Host

-- Runs the host between its own standard input (or a file) and a reader that keeps what comes in a
-- file; notes both pids and at last the host's exit code. The host alone has the other end of
-- either pipe, so that it ends when the specs die.
local KEEPER = [[
exec 2>/dev/null
folder=$1 input=$2 stopped=$3; shift 3
: >"$folder/out"
mkfifo "$folder/pipe"
sh -c 'exec 3<"$1/pipe"; [ -z "$2" ] || kill -STOP $$; exec cat <&3 >>"$1/out"' \
  sh "$folder" "$stopped" &
reader=$!
exec 3<&0 </dev/null
[ -z "$input" ] || exec 3<"$input"
"$@" <&3 3<&- >"$folder/pipe" 2>"$folder/err" &
host=$!
exec 3<&-
echo $host $reader >"$folder/pid.part" && mv "$folder/pid.part" "$folder/pid"
wait $host
code=$?
wait $reader
echo $code >"$folder/code.part" && mv "$folder/code.part" "$folder/code"
]]

-- Starts a host and waits until it serves; `spawn` does not wait. Options, all optional:
--   scripts  a scripts folder other than the shipped one;  flags  more arguments
--   store    a store other than a fresh file in the host's folder
--   config   changes to the shipped configuration
--   input    a file to read instead of what is sent
--   stopped  nobody reads the output until signal_reader "CONT"
function stdio.spawn(options)
  options = options or {}
  local folder, remove = shell.folder()
  local host = setmetatable({ folder = folder, remove = remove, unread = "", at = 1 }, Host)
  host.store = options.store or folder .. "/store.db"
  -- In the background: closing the handle then closes the pipe and waits for nobody.
  local words = {
    "sh", "-c", 'exec 3<&0; sh -c "$@" <&3 3<&- &', "sh", KEEPER, "sh",
    folder, options.input or "", options.stopped and "yes" or "",
    process.binary, "stdio", "--scripts", options.scripts or process.scripts,
    "--store", host.store,
  }
  if options.config then
    local path = folder .. "/config.lua"
    config.write(path, process.scripts .. "/host.lua", options.config)
    table.move({ "--config", path }, 1, 2, #words + 1, words)
  end
  table.move(options.flags or {}, 1, #(options.flags or {}), #words + 1, words)
  host.handle = assert(io.popen(shell.line(words), "w"))
  local pids = wait.for_condition("the host's pid", function()
    return shell.read(folder .. "/pid")
  end)
  host.pid, host.reader = pids:match "(%d+) (%d+)"
  host.out = assert(io.open(folder .. "/out", "rb"))
  return host
end

function stdio.start(options)
  local host = stdio.spawn(options)
  host:await_log "notice serving"
  return host
end

-- Returns the state of the host or of its reader: "S" sleeps, "T" is stopped; and the time that it
-- has used of a processor, in ticks.
function Host:state(pid)
  local stat = shell.read("/proc/" .. (pid or self.pid) .. "/stat") or ""
  local state, user = stat:match "%) (%a) %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ (%d+)"
  return state, tonumber(user)
end

-- Waits until the host has logged `text`.
function Host:await_log(text)
  wait.for_condition("the log to say: " .. text, function()
    assert(self:stderr():find(text, 1, true) or self:is_running(), "the host has ended")
    return self:stderr():find(text, 1, true)
  end)
end

function Host:is_running()
  return shell.read(self.folder .. "/code") == nil
end

function Host:stderr()
  return shell.read(self.folder .. "/err") or ""
end

-- Sends a message and its newline, or any bytes as they are.
function Host:send(message)
  self:write((type(message) == "string" and message or rpc.encode(message)) .. "\n")
end

function Host:write(bytes)
  self.unsent = (self.unsent or "") .. bytes
  for line, rest in self.unsent:gmatch "([^\n]*)\n()" do
    protocol.watch(self):sent(line)
    self.whole = rest
  end
  self.unsent, self.whole = self.unsent:sub(self.whole or 1), nil
  assert(self.handle:write(bytes))
  assert(self.handle:flush())
end

-- Returns the next line the host has written, as text, or nil if there is none yet.
function Host:line()
  local newline = self.unread:find("\n", self.at, true)
  if not newline then
    self.unread = self.unread:sub(self.at) .. (self.out:read "a" or "")
    self.at = 1
    newline = self.unread:find("\n", 1, true)
  end
  local line = newline and self.unread:sub(self.at, newline - 1)
  self.at = newline and newline + 1 or self.at
  return line or nil
end

-- Waits for the next message; returns it, and its text.
function Host:receive()
  local text = wait.for_condition("a message", function()
    return self:line()
  end)
  protocol.watch(self):received(text)
  return rpc.decode(text), text
end

-- Closes the host's standard input.
function Host:end_input()
  if io.type(self.handle) == "file" then
    self.handle:close()
  end
end

function Host:signal(name)
  shell.capture { "kill", "-" .. name, self.pid }
end

-- Stops and continues the program that reads the host's output, or ends it.
function Host:signal_reader(name)
  shell.capture { "kill", "-" .. name, self.reader }
end

-- Waits until the host has ended and returns its exit code (128 and more: killed by a signal).
function Host:exit_code()
  return wait.for_condition("the host's end", function()
    return tonumber(shell.read(self.folder .. "/code"))
  end)
end

-- Ends the host by ending its input and removes its folder; safe to call twice. Raises if it did
-- not end in good order, or if its output held anything but messages.
function Host:close()
  if io.type(self.out) ~= "file" then
    return
  end
  self:end_input()
  if self:state(self.reader) == "T" then
    self:signal_reader "CONT"
  end
  local ended, code = pcall(self.exit_code, self)
  if not ended then
    self:signal "KILL"
    self:exit_code()
  end
  local log = self:stderr()
  self.out:close()
  local out = shell.read(self.folder .. "/out")
  self.remove()
  assert(code == (self.expected_code or 0), "the host ended with " .. tostring(code) .. "\n" .. log)
  for line in out:gmatch "[^\n]*\n?" do
    assert(line == "" or line:match '^%[?{"jsonrpc":"2%.0",.*}%]?\n$', "no message: " .. line)
  end
end

-- host:close(), for a teardown that also runs when the host never came up.
function stdio.close(host)
  if host then
    host:close()
  end
end

-- Clients -----------------------------------------------------------------------------------------

local Client = {}
Client.__index = Client

local Call = {}
Call.__index = Call

-- Returns a client of an era. Options: version and capabilities, as in support.legacy.
function stdio.connect(host, era, options)
  options = options or {}
  local client = setmetatable({
    host = host,
    era = era,
    capabilities = options.capabilities or { elicitation = {} },
    last_id = 0,
  }, Client)
  if era == "legacy" then
    client.opened = client:request("initialize", {
      protocolVersion = options.version or "2025-11-25",
      capabilities = client.capabilities,
      clientInfo = { name = "spec", version = "1" },
    })
    assert(client.opened.result, "initialize failed")
    client:notify "notifications/initialized"
  end
  return client
end

-- Sends a request and returns its id.
function Client:start(method, params)
  local filled = {}
  for key, value in pairs(params or {}) do
    filled[key] = value
  end
  if self.era == "modern" then
    filled._meta = {
      [META .. "protocolVersion"] = "2026-07-28",
      [META .. "clientCapabilities"] = self.capabilities,
    }
  end
  self.last_id = self.last_id + 1
  self.host:send {
    jsonrpc = "2.0",
    id = self.last_id,
    method = method,
    params = next(filled) and filled or nil,
  }
  return self.last_id
end

-- Sends a request and waits for the next message, which must be its response.
function Client:request(method, params)
  local id = self:start(method, params)
  local message = self.host:receive()
  assert(message.id == id and not message.method, "another message: " .. rpc.encode(message))
  return message
end

function Client:notify(method, params)
  self.host:send { jsonrpc = "2.0", method = method, params = params }
end

-- Cancels a request, as both eras do over stdio: the notification does not say which it is.
function Client:cancel(id)
  self:notify("notifications/cancelled", { requestId = id })
end

function Client:tools()
  return self:request("tools/list").result.tools
end

-- Takes the next message for the call's question or end.
local function take(call)
  local message = call.client.host:receive()
  local result = message.result
  if message.method then
    call.question, call.question_id = message.params, message.id
  elseif result and result.resultType == "input_required" then
    call.state = result.requestState
    call.key = next(result.inputRequests)
    call.question = result.inputRequests[call.key].params
  else
    assert(message.id == call.id, "another message: " .. rpc.encode(message))
    return rpc.finish(call, message)
  end
  call.questions[#call.questions + 1] = call.question
  return call
end

-- Calls a tool; see support.modern.
function Client:ask(name, arguments)
  local call = setmetatable({
    client = self,
    name = name,
    arguments = arguments,
    questions = {},
    id = self:start("tools/call", { name = name, arguments = arguments }),
  }, Call)
  return take(call)
end

function Call:answer(answer)
  if self.client.era == "legacy" then
    self.client.host:send { jsonrpc = "2.0", id = self.question_id, result = answer }
  else
    self.id = self.client:start("tools/call", {
      name = self.name,
      arguments = self.arguments,
      requestState = self.state,
      inputResponses = { [self.key] = answer },
    })
  end
  return take(self)
end

return stdio
