-- What a handler may return, and how it becomes a CallToolResult.
local host = ...
local check = host.part "check"

local result = {}

local EXPECTED = "a handler returns a string, content made by mcp.text and its kind, "
  .. "or nil and a reason"

-- What the known kinds of content can't be without.
local BLOCKS = {
  text = { text = "string" },
  image = { data = "string", mimeType = "string" },
  audio = { data = "string", mimeType = "string" },
  resource = { resource = "table" },
  resource_link = { uri = "string", name = "string" },
}

local function need(what, value, kind)
  if type(value) ~= kind then
    error(("%s must be a %s, not %s"):format(what, kind, check.a(value)), 3)
  end
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
  local block = {}
  for field, value in pairs(link) do block[field] = value end
  block.type = "resource_link"
  return block
end

--- A whole result with structuredContent; its JSON text goes along for clients that read content
--- only. What is no object needs an outputSchema that says so, and is not sent to clients of
--- versions before 2026-07-28: those get the text alone.
function result.structured(value)
  if value == nil then error("mcp.structured: value must not be nil", 2) end
  return { structuredContent = value }
end

--- A whole result that is an error; `text` is for the model and the user.
function result.error(text)
  need("mcp.error: text", text, "string")
  return { content = { result.text(text) }, isError = true }
end

local function check_fields(where, block)
  for field, kind in pairs(BLOCKS[block.type] or {}) do
    if type(block[field]) ~= kind then
      error(("the result: %s.%s must be a %s, not %s")
        :format(where, field, kind, check.a(block[field])), 0)
    end
  end
end

--- Raises what is wrong with `block`, which the result has at `where`.
function result.check_block(where, block)
  if type(block) ~= "table" or type(block.type) ~= "string" then
    error(("the result: %s must be a text, or content made by mcp.text and its kind, not %s")
      :format(where, check.a(block)), 0)
  end
  check_fields(where, block)
end

-- Returns a copy of the list of blocks `list`, or raises; `what` is what it is called.
local function blocks(what, list)
  if type(list) ~= "table" or list.type ~= nil then
    local given = type(list) == "table" and "one alone" or check.a(list)
    error(("the result: %s must be a list of content, not %s"):format(what, given), 0)
  end
  local copy, n = host.array {}, 0
  for key, block in pairs(list) do
    if math.type(key) ~= "integer" then
      error(("%s; this table has no `type` and no `content`, but '%s'")
        :format(EXPECTED, tostring(key)), 0)
    end
    if type(block) ~= "table" or type(block.type) ~= "string" then
      error(("%s; element %d of %s is neither a table nor has it a `type`")
        :format(EXPECTED, key, what), 0)
    end
    check_fields(("%s[%d]"):format(what, key), block)
    copy[key] = block
    n = n + 1
  end
  for i = 1, n do
    if not copy[i] then error(("%s; element %d of %s is nil"):format(EXPECTED, i, what), 0) end
  end
  return copy
end

local WHOLE = { isError = "boolean", _meta = "table" }

local function whole(value)
  local copy = {}
  for field, member in pairs(value) do copy[field] = member end
  for field, kind in pairs(WHOLE) do
    if copy[field] ~= nil and type(copy[field]) ~= kind then
      error(("the result: %s must be a %s, not %s"):format(field, kind, check.a(copy[field])), 0)
    end
  end
  if copy.content == nil then
    -- What can't be JSON is told, with its place, when the result is written.
    local ok, text = pcall(host.encode, copy.structuredContent)
    copy.content = ok and { result.text(text) } or host.array {}
  end
  copy.content = blocks("content", copy.content)
  return copy
end

local function of_table(value)
  if value.content ~= nil or value.structuredContent ~= nil then return whole(value) end
  if value.type ~= nil then value = { value } end
  return { content = blocks("content", value) }
end

--- Turns what a handler returned into a result table. A string stays one: the host writes it.
function result.from(value, reason)
  if type(value) == "string" then return value end
  if type(value) == "table" then return of_table(value) end
  if value == nil and type(reason) == "string" then return result.error(reason) end
  if value == nil and reason ~= nil then
    error(("%s; the reason is %s"):format(EXPECTED, check.a(reason)), 0)
  end
  error(("%s, not %s"):format(EXPECTED, check.a(value)), 0)
end

return result
