-- What a handler may return, and how it becomes a CallToolResult.
local host = ...

local result = {}

local EXPECTED = "a handler returns a string, content made by mcp.text and its kind, or nil and a reason"

local function need(what, value, kind)
  if type(value) ~= kind then error(("%s must be a %s, not a %s"):format(what, kind, type(value)), 3) end
end

function result.text(text)
  need("mcp.text: text", text, "string")
  return { type = "text", text = text }
end

--- `data` is base64.
function result.image(data, mime_type)
  need("mcp.image: data", data, "string")
  need("mcp.image: mimeType", mime_type, "string")
  return { type = "image", data = data, mimeType = mime_type }
end

--- `data` is base64.
function result.audio(data, mime_type)
  need("mcp.audio: data", data, "string")
  need("mcp.audio: mimeType", mime_type, "string")
  return { type = "audio", data = data, mimeType = mime_type }
end

--- An embedded resource: { uri = …, text = … or blob = …, mimeType = … }.
function result.resource(resource)
  need("mcp.resource: resource", resource, "table")
  need("mcp.resource: uri", resource.uri, "string")
  if type(resource.text) ~= "string" and type(resource.blob) ~= "string" then
    error("mcp.resource: one of text and blob must be a string", 2)
  end
  return { type = "resource", resource = resource }
end

--- A link to a resource: { uri = …, name = …, … }.
function result.link(link)
  need("mcp.link: link", link, "table")
  need("mcp.link: uri", link.uri, "string")
  need("mcp.link: name", link.name, "string")
  local block = { type = "resource_link" }
  for field, value in pairs(link) do block[field] = value end
  return block
end

--- A whole result with structuredContent; its JSON text goes along for clients that read content only.
function result.structured(value)
  return { content = { result.text(host.encode(value)) }, structuredContent = value }
end

--- A whole result that is an error; `text` is for the model and the user.
function result.error(text)
  need("mcp.error: text", text, "string")
  return { content = { result.text(text) }, isError = true }
end

local function of_table(value)
  if value.content ~= nil or value.structuredContent ~= nil then
    local whole = { content = host.array {} }
    for field, member in pairs(value) do whole[field] = member end
    return whole
  end
  if value.type ~= nil then return { content = { value } } end
  for i = 1, #value do
    if type(value[i]) ~= "table" or value[i].type == nil then error(EXPECTED .. "; element " .. i .. " is neither", 0) end
  end
  if next(value) ~= nil and #value == 0 then error(EXPECTED .. "; this table has no `type` and no `content`", 0) end
  return { content = host.array(value) }
end

--- Turns what a handler returned into a result table. A string stays one: the host writes it.
function result.from(value, reason)
  if type(value) == "string" then return value end
  if type(value) == "table" then return of_table(value) end
  if value == nil and type(reason) == "string" then return result.error(reason) end
  error(("%s, not a %s"):format(EXPECTED, type(value)), 0)
end

return result
