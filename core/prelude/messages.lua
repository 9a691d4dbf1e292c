-- What the handler of a prompt may return, and how it becomes a GetPromptResult.
local host = ...
local check = host.part "check"
local result = host.part "result"

local messages = {}

local EXPECTED = "the handler of a prompt returns a string, a list of messages "
  .. "{ role = \"user\" or \"assistant\", content = … }, or nil and a reason"

local ROLES = { user = true, assistant = true }

local function message(where, given)
  if type(given) ~= "table" or not ROLES[given.role] then
    error(("%s; %s has no such role"):format(EXPECTED, where), 0)
  end
  local content = given.content
  if type(content) == "string" then content = result.text(content) end
  result.check_block(where .. ".content", content)
  return { role = given.role, content = content }
end

local function list(given)
  local made = host.array {}
  for key in pairs(given) do
    if math.type(key) ~= "integer" or key < 1 or key > #given then
      error(("%s; this table has '%s'"):format(EXPECTED, tostring(key)), 0)
    end
  end
  for i = 1, #given do made[i] = message(("messages[%d]"):format(i), given[i]) end
  return made
end

local function whole(given)
  local made = {}
  for field, value in pairs(given) do made[field] = value end
  for field, kind in pairs { messages = "table", description = "string", _meta = "table" } do
    if made[field] ~= nil and type(made[field]) ~= kind then
      error(("the result: %s must be a %s, not %s"):format(field, kind, check.a(made[field])), 0)
    end
  end
  made.messages = list(made.messages)
  return made
end

--- Turns what a handler returned into a result table, or a string: why it refuses.
function messages.from(value, reason)
  if value == nil and (reason == nil or type(reason) == "string") then return reason or "" end
  if type(value) == "string" then
    value = { { role = "user", content = value } }
  elseif type(value) ~= "table" then
    error(("%s, not %s"):format(EXPECTED, check.a(value)), 0)
  elseif value.messages ~= nil then
    return whole(value)
  elseif value.type ~= nil then
    value = { { role = "user", content = value } }
  elseif value.role ~= nil then
    value = { value }
  end
  return { messages = list(value) }
end

return messages
