-- What both clients share: JSON, envelopes, and a call that may be asked questions.

local cjson = require("cjson").new()

local rpc = {
  null = cjson.null,
  encode = cjson.encode,
}

-- Decodes JSON. Integers come back as floats: compare the text where that matters.
function rpc.decode(text)
  return cjson.decode(text)
end

-- Sets `json`, `result` and `error` on a reply that was read. A stream's last message counts.
function rpc.open(reply)
  local text = reply.body
  if (reply.headers["content-type"] or ""):find("text/event-stream", 1, true) then
    text = nil
    for data in reply.body:gmatch "data: ?([^\r\n]+)" do
      text = data
    end
  end
  if text and text:match "^%s*[{%[]" then
    reply.json = rpc.decode(text)
    reply.result = reply.json.result
    reply.error = reply.json.error
  end
  return reply
end

-- Returns the text of a tool's result, or nil for any other reply.
function rpc.text(message)
  local first = message.result and message.result.content and message.result.content[1]
  return first and first.text
end

-- Fills in what a finished call has told: `result`, `error`, `text`, `is_error`.
function rpc.finish(dialogue, message)
  dialogue.question = nil
  dialogue.result = message.result
  dialogue.error = message.error
  dialogue.text = rpc.text(message)
  dialogue.is_error = message.result ~= nil and message.result.isError == true
  return dialogue
end

return rpc
