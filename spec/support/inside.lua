-- A whole host inside the specs' own process (spec/unit/native/host.c), driven by hand: no sockets,
-- no second process, and it is as late as the spec says.
--
--   local host = inside.start { scripts = { s = "…" }, config = "calls = 1" }
--   local visit = host:call("ask", { topic = "Q3" })         a modern call
--   local session = host:initialize()                        a legacy client
--   local visit = session:call("ask", { topic = "Q3" })
--   session:answer(visit, { action = "decline" })
--   host:settle()                                            lets what runs come to its end
--   visit:text() …
--   inside.close(host)

local rpc = require "support.rpc"
local shell = require "support.shell"
local unit = require "unit"
local wait = require "support.wait"

local inside = {}

local META = "io.modelcontextprotocol/"
local NAMED_BY = {
  ["tools/call"] = "name",
  ["prompts/get"] = "name",
  ["resources/read"] = "uri",
  ["tasks/get"] = "taskId",
  ["tasks/update"] = "taskId",
  ["tasks/cancel"] = "taskId",
}

local Host = {}
Host.__index = Host

local Session = {}
Session.__index = Session

local Visit = {}
Visit.__index = Visit

-- Starts a host. Options: scripts (their texts by name), config (the inside of host.lua's table),
-- store ("memory:", the default, or "file": a database in the host's folder), settle (true: each
-- request comes to its end, or to where it waits for a person, before the next line of the spec).
function inside.start(options)
  local folder, remove = shell.folder()
  for name, text in pairs(options.scripts or {}) do
    shell.write(("%s/%s.lua"):format(folder, name), text)
  end
  shell.write(folder .. "/host.lua", ("return { %s }\n"):format(options.config or ""))
  local store = options.store == "file" and folder .. "/store.db" or "memory:"
  local log = folder .. "/log"
  local ok, native = pcall(unit.host.new, folder, store, log)
  if not ok then
    remove()
    error(native, 2)
  end
  return setmetatable({
    native = native,
    folder = folder,
    remove = remove,
    store = store,
    log_file = log,
    settles = options.settle,
    last_id = 0,
  }, Host)
end

-- Ends a host; raises if something of it can't be ended. nil is fine.
function inside.close(host)
  if not host or host.is_closed then
    return
  end
  host.is_closed = true
  local ok, problem = pcall(host.native.close, host.native)
  host.remove()
  assert(ok, problem)
end

function Host:feed(exchange)
  local visit = setmetatable({ host = self, native = self.native:feed(exchange) }, Visit)
  if self.settles then
    self:settle()
  end
  return visit
end

-- Posts a message, a table or JSON text. Options: headers (false: a transport that has none),
-- principal, streams (false: the client accepts no event stream).
function Host:post(message, options)
  options = options or {}
  return self:feed {
    body = type(message) == "string" and message or rpc.encode(message),
    headers = options.headers,
    principal = options.principal,
    streams = options.streams,
  }
end

-- Returns the states of the open calls, the newest first, with the number of those that are parked
-- and of those that are ready to go on.
function Host:states()
  local states, parked, ready = self.native:states()
  return table.concat(states, " "), parked, ready
end

-- Turns the loop until `condition` holds.
function Host:turn_until(what, condition)
  return wait.for_condition(what, function()
    self.native:turn()
    return condition()
  end)
end

-- Lets what runs come to its end, or to where it waits for a person.
function Host:settle()
  self:turn_until("the calls to end or to ask", function()
    local states, parked, ready = self.native:states()
    return ready == 0 and parked == #states
  end)
end

-- Takes in what the store's thread has done, until `n` calls are ready to go on; none does yet.
function Host:reap_until_ready(n)
  wait.for_condition("the store", function()
    self.native:reap()
    return select(3, self.native:states()) == n
  end)
end

function Host:tick(seconds)
  self.native:tick(seconds * 1000)
end

function Host:rows(script, collection)
  return self.native:rows(script, collection)
end

function Host:log()
  return shell.read(self.log_file)
end

-- Returns { [name of a counter] = n }.
function Host:counters()
  return self.native:counters()
end

function Host:next_id()
  self.last_id = self.last_id + 1
  return self.last_id
end

-- Returns a modern message and its headers, for specs that spoil them first. Options: capabilities,
-- id.
function Host:prepare(method, params, options)
  options = options or {}
  local filled = {
    _meta = {
      [META .. "protocolVersion"] = "2026-07-28",
      [META .. "clientInfo"] = { name = "spec", version = "1" },
      [META .. "clientCapabilities"] = options.capabilities or { elicitation = {} },
    },
  }
  for key, value in pairs(params or {}) do
    filled[key] = value
  end
  local message = { jsonrpc = "2.0", id = options.id or self:next_id(), method = method,
    params = filled }
  return message, {
    ["MCP-Protocol-Version"] = "2026-07-28",
    ["Mcp-Method"] = method,
    ["Mcp-Name"] = filled[NAMED_BY[method]],
  }
end

-- Sends a modern request. Options: those of prepare and of post; `spoil(message, headers)` may
-- change both first.
function Host:modern(method, params, options)
  options = options or {}
  local message, headers = self:prepare(method, params, options)
  if options.spoil then
    options.spoil(message, headers)
  end
  return self:post(message, {
    headers = headers,
    principal = options.principal,
    streams = options.streams,
  })
end

-- Calls a tool in the modern manner. Options: those of modern; state and responses (by key).
function Host:call(name, arguments, options)
  options = options or {}
  return self:modern("tools/call", {
    name = name,
    arguments = arguments,
    requestState = options.state,
    inputResponses = options.responses,
  }, options)
end

-- Opens a legacy session. Options: version, capabilities, principal. Its `opened` is the reply.
function Host:initialize(options)
  options = options or {}
  local session = setmetatable({
    host = self,
    principal = options.principal,
    version = options.version or "2025-11-25",
  }, Session)
  session.opened = self:post({
    jsonrpc = "2.0",
    id = self:next_id(),
    method = "initialize",
    params = {
      protocolVersion = session.version,
      capabilities = options.capabilities or { elicitation = {} },
      clientInfo = { name = "spec", version = "1" },
    },
  }, { principal = options.principal })
  session.id = session.opened:told().session_id
  return session
end

function Session:headers()
  return { ["Mcp-Session-Id"] = self.id, ["MCP-Protocol-Version"] = self.version }
end

-- Posts a message of this session. Options as in Host:post.
function Session:post(message, options)
  options = options or {}
  return self.host:post(message, {
    headers = options.headers or self:headers(),
    principal = options.principal or self.principal,
    streams = options.streams,
  })
end

function Session:request(method, params, options)
  local id = options and options.id or self.host:next_id()
  local visit = self:post({ jsonrpc = "2.0", id = id, method = method, params = params }, options)
  visit.id = id
  return visit
end

function Session:notify(method, params)
  return self:post { jsonrpc = "2.0", method = method, params = params }
end

function Session:call(name, arguments, options)
  return self:request("tools/call", { name = name, arguments = arguments }, options)
end

-- Answers the question that came on a call's stream, or the one of that id.
function Session:answer(question, result)
  local id = type(question) == "table" and question:question().id or question
  return self:post(('{"jsonrpc":"2.0","id":%s,"result":%s}'):format(
    math.type(id) == "float" and ("%d"):format(id) or tostring(id), rpc.encode(result)))
end

-- Opens a GET stream. Options: streams (false: not accepted), after (the Last-Event-ID).
function Session:listen(options)
  local headers = self:headers()
  headers["Last-Event-ID"] = options and options.after
  return self.host:feed {
    verb = "GET",
    headers = headers,
    principal = self.principal,
    streams = options and options.streams,
  }
end

function Session:delete()
  return self.host:feed { verb = "DELETE", headers = self:headers(), principal = self.principal }
end

-- What came out of the exchange so far; see channel.c.
function Visit:told()
  return self.native:told()
end

function Visit:status()
  return self:told().status
end

-- The client leaves.
function Visit:leave()
  self.native:leave()
end

-- True as long as nothing has ended the exchange.
function Visit:open()
  return self:told().open
end

-- Returns the messages that came on the stream.
function Visit:events()
  local messages = {}
  for i, text in ipairs(self:told().events) do
    messages[i] = rpc.decode(text)
  end
  return messages
end

-- Returns the id of the last event that came on the stream, or nil.
function Visit:last_id()
  local ids = self:told().ids
  return ids[#ids]
end

-- Returns the last message: the body, or the last one on the stream.
function Visit:message()
  local told = self:told()
  local text = told.body or told.events[#told.events]
  return text and rpc.decode(text)
end

-- Returns the last request that came on the stream, or nil.
function Visit:question()
  local events = self:events()
  for i = #events, 1, -1 do
    if events[i].method and events[i].id then
      return events[i]
    end
  end
end

function Visit:result()
  local message = self:message()
  return message and message.result
end

function Visit:error()
  local message = self:message()
  return message and message.error
end

-- Returns the text of the tool's result.
function Visit:text()
  local message = self:message()
  return message and rpc.text(message)
end

function Visit:is_error()
  local result = self:result()
  return result ~= nil and result.isError == true
end

-- Returns { state, key, params } of a modern reply that asks.
function Visit:asked()
  local result = self:result()
  assert(result and result.resultType == "input_required", self:told().body)
  local key, request = next(result.inputRequests)
  return { state = result.requestState, key = key, params = request.params }
end

return inside
