-- What the handler of a resource may return, and how it becomes a ReadResourceResult.
local host = ...
local check = host.part "check"

local contents = {}

local EXPECTED = "the handler of a resource returns a string, { text = … } or { blob = … }, a list "
  .. "of those, or nil and maybe a reason if there is nothing of this URI"

local function one(where, given, offer, uri)
  if type(given) ~= "table" then
    error(("%s; %s is %s"):format(EXPECTED, where, check.a(given)), 0)
  end
  local made = {}
  for field, value in pairs(given) do made[field] = value end
  if (type(made.text) == "string") == (type(made.blob) == "string") then
    error(("the result: %s: one of text and blob must be a string"):format(where), 0)
  end
  if made.blob and not host.is_base64(made.blob) then
    error(("the result: %s: blob must be base64: mcp.base64(bytes)"):format(where), 0)
  end
  if made.uri == nil then made.uri = uri end
  if made.mimeType == nil then made.mimeType = offer.mimeType end
  for field, kind in pairs { uri = "string", mimeType = "string", _meta = "table" } do
    if made[field] ~= nil and type(made[field]) ~= kind then
      error(("the result: %s: %s must be a %s, not %s")
        :format(where, field, kind, check.a(made[field])), 0)
    end
  end
  return made
end

local function list(given, offer, uri)
  local made = host.array {}
  for key in pairs(given) do
    if math.type(key) ~= "integer" or key < 1 or key > #given then
      error(("%s; this table has '%s'"):format(EXPECTED, tostring(key)), 0)
    end
  end
  for i = 1, #given do made[i] = one(("contents[%d]"):format(i), given[i], offer, uri) end
  return made
end

--- Returns what is wrong with ttlMs and cacheScope of `given`, or nil.
function contents.cache_problem(what, given)
  local scope, ttl = given.cacheScope, given.ttlMs
  if scope ~= nil and scope ~= "public" and scope ~= "private" then
    return what .. ": cacheScope must be \"public\" or \"private\""
  end
  if ttl ~= nil and not (math.type(ttl) == "integer" and ttl >= 0) then
    return what .. ": ttlMs must be a whole number of milliseconds"
  end
end

--- Turns what a handler returned into a result table, with its ttlMs and cacheScope (those of the
--- offer, where the result does not say); or into a string: why there is no resource.
function contents.from(offer, uri, value, reason)
  if value == nil and (reason == nil or type(reason) == "string") then return reason or "" end
  if type(value) == "string" then value = { text = value } end
  if type(value) ~= "table" then error(("%s, not %s"):format(EXPECTED, check.a(value)), 0) end
  if value.contents ~= nil then
    local made = {}
    for field, member in pairs(value) do made[field] = member end
    if type(made.contents) ~= "table" then
      error("the result: contents must be a list, not " .. check.a(made.contents), 0)
    end
    local problem = contents.cache_problem("the result", made)
    if problem then error(problem, 0) end
    made.contents = list(made.contents, offer, uri)
    local ttl, scope = made.ttlMs, made.cacheScope
    made.ttlMs, made.cacheScope = nil, nil
    return made, ttl or offer.ttlMs, scope or offer.cacheScope
  end
  if value.text ~= nil or value.blob ~= nil then value = { value } end
  return { contents = list(value, offer, uri) }, offer.ttlMs, offer.cacheScope
end

return contents
