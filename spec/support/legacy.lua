-- A client of the legacy era (2025-11-25 and before): a session, and questions that come on the
-- stream of the call they belong to. Has the same face as support.modern, and more.
--
--   local client = legacy.connect(host, { version = "2025-06-18" })
--   local call = client:ask("book_meeting", { topic = "Q3" })
--   call:answer { action = "decline" }

local http = require "support.http"
local rpc = require "support.rpc"

local legacy = { name = "legacy", VERSION = "2025-11-25" }

local Client = {}
Client.__index = Client

local Call = {}
Call.__index = Call

-- Opens a session. Options: version, capabilities (default: elicitation), accept, path.
-- `client.opened` is the reply to initialize.
function legacy.connect(host, options)
  options = options or {}
  local client = setmetatable({
    host = host,
    path = options.path or "/mcp",
    accept = options.accept or "application/json, text/event-stream",
    last_id = 0,
  }, Client)
  client.opened = client:request("initialize", {
    protocolVersion = options.version or legacy.VERSION,
    capabilities = options.capabilities or { elicitation = {} },
    clientInfo = { name = "spec", version = "1" },
  })
  assert(client.opened.result, "initialize failed: " .. client.opened.body)
  client.session = client.opened.headers["mcp-session-id"]
  client.version = client.opened.result.protocolVersion
  assert(client:notify("notifications/initialized").status == 202)
  return client
end

function Client:headers()
  return {
    ["Content-Type"] = "application/json",
    Accept = self.accept,
    ["Mcp-Session-Id"] = self.session,
    ["MCP-Protocol-Version"] = self.version,
  }
end

-- Returns the HTTP request that carries `message`, a table or JSON text.
function Client:http_request(message, headers)
  local all = self:headers()
  for name, value in pairs(headers or {}) do
    all[name] = value
  end
  local body = type(message) == "string" and message or rpc.encode(message)
  return { method = "POST", path = self.path, headers = all, body = body }
end

function Client:post(message, headers)
  return rpc.open(http.exchange(self.host, self:http_request(message, headers)))
end

function Client:message(method, params)
  self.last_id = self.last_id + 1
  return { jsonrpc = "2.0", id = self.last_id, method = method, params = params }
end

function Client:request(method, params, headers)
  return self:post(self:message(method, params), headers)
end

function Client:notify(method, params)
  return self:post { jsonrpc = "2.0", method = method, params = params }
end

-- Sends a response to a request of the host.
function Client:respond(id, result)
  return self:post { jsonrpc = "2.0", id = id, result = result }
end

function Client:tools()
  return self:request("tools/list").result.tools
end

-- Ends the session.
function Client:delete()
  return http.exchange(self.host, {
    method = "DELETE",
    path = self.path,
    headers = { ["Mcp-Session-Id"] = self.session, ["MCP-Protocol-Version"] = self.version },
  })
end

-- Opens a GET stream.
function Client:listen(headers)
  local all = {
    Accept = "text/event-stream",
    ["Mcp-Session-Id"] = self.session,
    ["MCP-Protocol-Version"] = self.version,
  }
  for name, value in pairs(headers or {}) do
    all[name] = value
  end
  return http.open(self.host, { method = "GET", path = self.path, headers = all })
end

-- Returns the next message of the call's stream, or nil at its end. `last_event_id` is kept.
function Call:next_message()
  local event
  repeat
    event = self.stream:event()
    self.last_event_id = event and event.id or self.last_event_id
  until not event or (event.data and event.data ~= "")
  return event and rpc.decode(event.data)
end

-- Reads on to the next question or the end of the call. Notifications are kept.
function Call:advance()
  self.question = nil
  while true do
    local message = self:next_message()
    if not message then
      self.ended_silently = true
      self.stream:close()
      return self
    elseif message.method and message.id then
      self.question, self.question_id = message.params, message.id
      self.question_method = message.method
      self.questions[#self.questions + 1] = message.params
      return self
    elseif message.method then
      self.notifications[#self.notifications + 1] = message
    else
      assert(not self.stream:event(), "the stream goes on after the response")
      self.stream:close()
      return rpc.finish(self, message)
    end
  end
end

-- Calls a tool; see modern.lua. The call's `stream` is the reply that carries it.
function Client:ask(name, arguments)
  local message = self:message("tools/call", { name = name, arguments = arguments })
  local call = setmetatable({
    client = self,
    id = message.id,
    questions = {},
    notifications = {},
    stream = http.open(self.host, self:http_request(message)),
  }, Call)
  call.status = call.stream.status
  call.content_type = call.stream.headers["content-type"] or ""
  if call.content_type:find("text/event-stream", 1, true) then
    return call:advance()
  end
  local reply = rpc.open(call.stream:read())
  call.stream:close()
  return rpc.finish(call, reply)
end

-- Leaves the call's stream and takes it up again on another connection, after the last event seen.
function Call:reconnect()
  self.stream:close()
  self.stream = self.client:listen { ["Last-Event-ID"] = self.last_event_id }
end

-- Posts the person's answer without reading on. Returns the reply to the POST.
function Call:post_answer(answer)
  return self.client:respond(self.question_id, answer)
end

function Call:answer(answer)
  local reply = self:post_answer(answer)
  assert(reply.status == 202, "the answer was met with " .. reply.status .. " " .. reply.body)
  return self:advance()
end

return legacy
