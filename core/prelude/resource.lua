-- mcp.resource and mcp.resource_template: what they take, and one run of what they registered.
local host = ...
local check = host.part "check"
local complete = host.part "complete"
local contents = host.part "contents"
local new_context = host.part "context"
local offers = host.part "offers"

local AUDIENCE = { user = true, assistant = true }
local ANNOTATIONS = { audience = "table", priority = "number", lastModified = "string" }
local DATE = "^%d%d%d%d%-%d%d%-%d%d"

local function annotations_problem(what, annotations)
  what = what .. ": annotations"
  local problem = check.fields(what, annotations, ANNOTATIONS)
  if problem then return problem end
  for _, role in ipairs(annotations.audience or {}) do
    if not AUDIENCE[role] then
      return what .. ": audience must be a list of \"user\" and \"assistant\""
    end
  end
  local priority = annotations.priority or 0
  if not (priority >= 0 and priority <= 1) then return what .. ": priority must be from 0 to 1" end
  if annotations.lastModified and not annotations.lastModified:match(DATE) then
    return what .. ": lastModified must be a time of ISO 8601: \"2025-01-12T15:00:58Z\""
  end
end

-- What both kinds have.
local function common_problem(what, offer)
  if offer.name == "" then return what .. ": name must not be empty" end
  local problem = contents.cache_problem(what, offer)
  if problem then return problem end
  return offer.annotations and annotations_problem(what, offer.annotations)
end

local function content_problem(what, offer)
  local n = 0
  for _, field in ipairs { "handler", "text", "blob" } do
    if offer[field] then n = n + 1 end
  end
  if n ~= 1 then
    return what .. ": one of handler (a function(args, ctx)), text and blob must be given"
  end
  if offer.blob and not host.is_base64(offer.blob) then
    return what .. ": blob must be base64: blob = mcp.base64(bytes)"
  end
  if offer.size and not (math.type(offer.size) == "integer" and offer.size >= 0) then
    return what .. ": size must be a whole number of bytes"
  end
end

local function fields(more)
  local all = {
    name = "string",
    title = "string",
    description = "string",
    mimeType = "string",
    annotations = "table",
    icons = "table",
    _meta = "table",
    handler = "function",
    ttlMs = "number",
    cacheScope = "string",
  }
  for field, kind in pairs(more) do all[field] = kind end
  return all
end

local resource = {}

--- Registers a resource. `definition` has MCP's own fields (uri, name, title, description,
--- mimeType, size, annotations, icons, _meta) and one of `handler(args, ctx)`, whose ctx.uri is the
--- URI, `text` and `blob` (base64); and optionally ttlMs and cacheScope, for how long and by whom
--- what was read may be kept. The name defaults to the script's.
resource.register = offers.kind {
  name = "resource",
  example = "mcp.resource { uri = …, handler = … }",
  fields = fields { uri = "string", size = "number", text = "string", blob = "string" },
  public = {
    "uri", "name", "title", "description", "mimeType", "size", "annotations", "icons", "_meta",
  },
  problem = function(what, offer)
    if not offer.uri then return what .. ": uri is missing" end
    if not offer.uri:match "^%a[%w+.-]*:[^%c ]+$" then
      return what .. ": uri must be a URI with a scheme: \"docs://readme\""
    end
    return content_problem(what, offer) or common_problem(what, offer)
  end,
}

--- Registers a resource template: uriTemplate in place of uri and size; the handler's args are the
--- decoded variables. `complete` as in complete.lua.
resource.register_template = offers.kind {
  name = "resource_template",
  example = "mcp.resource_template { uriTemplate = …, handler = … }",
  fields = fields { uriTemplate = "string", complete = "table" },
  public = {
    "uriTemplate", "name", "title", "description", "mimeType", "annotations", "icons", "_meta",
  },
  problem = function(what, offer)
    if not offer.uriTemplate then return what .. ": uriTemplate is missing" end
    if not offer.handler then
      return what .. ": handler is missing: handler = function(args, ctx) … end"
    end
    local names, wrong = host.template_variables(offer.uriTemplate)
    if not names then return ("%s: uriTemplate: %s"):format(what, wrong) end
    return complete.problem(what, offer.complete, names) or common_problem(what, offer)
  end,
}

--- Reads the resource; `request`: uri and, of a template, variables. Returns the result, and
--- for how many milliseconds and by whom it may be kept, nil where nothing is said of it.
function resource.call(offer, request)
  if not offer.handler then
    return contents.from(offer, request.uri, { text = offer.text, blob = offer.blob })
  end
  local context = new_context()
  context.uri = request.uri
  return contents.from(offer, request.uri, offer.handler(request.variables or {}, context))
end

return resource
