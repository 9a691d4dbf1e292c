-- A client of the modern era (2026-07-28): every request tells everything, nothing is remembered.
--
--   local client = modern.connect(host)
--   local call = client:ask("book_meeting", { topic = "Q3" })
--   call.question.message …
--   call:answer { action = "accept", content = { approved = true } }
--   call.text

local http = require "support.http"
local rpc = require "support.rpc"

local modern = { name = "modern", VERSION = "2026-07-28" }

local META = "io.modelcontextprotocol/"
local NAMED_BY = {
  ["tools/call"] = "name",
  ["prompts/get"] = "name",
  ["resources/read"] = "uri",
  ["tasks/get"] = "taskId",
  ["tasks/update"] = "taskId",
  ["tasks/cancel"] = "taskId",
}

local Client = {}
Client.__index = Client

local Call = {}
Call.__index = Call

-- Options: capabilities (default: form elicitation), path (default: /mcp).
function modern.connect(host, options)
  options = options or {}
  return setmetatable({
    host = host,
    path = options.path or "/mcp",
    capabilities = options.capabilities or { elicitation = {} },
    last_id = 0,
  }, Client)
end

-- Returns a request ready to be sent, { path, headers, message }, for specs that spoil it first.
function Client:prepare(method, params)
  self.last_id = self.last_id + 1
  local filled = {
    _meta = {
      [META .. "protocolVersion"] = modern.VERSION,
      [META .. "clientInfo"] = { name = "spec", version = "1" },
      [META .. "clientCapabilities"] = self.capabilities,
    },
  }
  for key, value in pairs(params or {}) do
    filled[key] = value
  end
  return {
    path = self.path,
    headers = {
      ["Content-Type"] = "application/json",
      Accept = "application/json, text/event-stream",
      ["MCP-Protocol-Version"] = modern.VERSION,
      ["Mcp-Method"] = method,
      ["Mcp-Name"] = filled[NAMED_BY[method]],
    },
    message = { jsonrpc = "2.0", id = self.last_id, method = method, params = filled },
  }
end

-- Returns the HTTP request of a prepared one. `body` overrides the encoded message.
function modern.http_request(prepared)
  return {
    method = "POST",
    path = prepared.path,
    headers = prepared.headers,
    body = prepared.body or rpc.encode(prepared.message),
  }
end

-- Sends a request; `spoil`, if given, changes the prepared one first.
function Client:request(method, params, spoil)
  local prepared = self:prepare(method, params)
  if spoil then
    spoil(prepared)
  end
  return rpc.open(http.exchange(self.host, modern.http_request(prepared)))
end

function Client:tools()
  return self:request("tools/list").result.tools
end

-- Calls a tool once. `extra` may hold inputResponses and requestState.
function Client:call(name, arguments, extra)
  local params = { name = name, arguments = arguments }
  for key, value in pairs(extra or {}) do
    params[key] = value
  end
  return self:request("tools/call", params)
end

local function take(call, reply)
  call.status = reply.status
  local result = reply.result
  if not result or result.resultType ~= "input_required" then
    return rpc.finish(call, reply)
  end
  call.state = result.requestState
  call.key = next(result.inputRequests)
  call.question = result.inputRequests[call.key].params
  call.questions[#call.questions + 1] = call.question
  return call
end

-- Calls a tool. Returns a call: `question` is set when the person is asked something, otherwise
-- `text`, `is_error`, `result`, `error` tell how it ended.
function Client:ask(name, arguments)
  local call = setmetatable(
    { client = self, name = name, arguments = arguments, questions = {} },
    Call
  )
  return take(call, self:call(name, arguments))
end

-- Sends the person's answer (an elicitation result) and goes on to the next question or the end.
function Call:answer(answer)
  return take(self, self:retry(answer))
end

-- Sends an answer and returns the bare reply; the call itself stays where it is. `state` defaults
-- to the one this call was given.
function Call:retry(answer, state)
  return self.client:call(self.name, self.arguments, {
    inputResponses = { [self.key] = answer },
    requestState = state or self.state,
  })
end

-- Sends an answer and is gone before the reply.
function Call:retry_and_leave(answer)
  local connection = http.connect(self.client.host)
  local prepared = self.client:prepare("tools/call", { name = self.name, arguments = self.arguments,
    inputResponses = { [self.key] = answer }, requestState = self.state })
  connection:send(http.render(self.client.host, modern.http_request(prepared)))
  connection:close()
end

return modern
