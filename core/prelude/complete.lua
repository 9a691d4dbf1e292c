-- `complete` of prompts and resource templates: suggestions while a person types an argument.
--
--   complete = {
--     framework = { "django", "flask" },                    those that begin with what is typed
--     city = function(value, args, ctx) return { … } end,   args: what is filled in already
--   }
local host = ...
local check = host.part "check"
local new_context = host.part "context"

local complete = {}

local MOST_VALUES = 100

local function is_list_of_strings(list)
  for key, value in pairs(list) do
    if math.type(key) ~= "integer" or key < 1 or key > #list or type(value) ~= "string" then
      return false
    end
  end
  return true
end

--- Returns what is wrong with `completers`, which may be nil, or nil. `names` has the names of the
--- arguments as keys.
function complete.problem(what, completers, names)
  what = what .. ": complete"
  local known = {}
  for name in pairs(names) do known[name] = type((completers or {})[name]) end
  local problem = completers and check.fields(what, completers, known)
  if problem then return problem end
  for name, completer in pairs(completers or {}) do
    local fits = type(completer) == "function"
      or (type(completer) == "table" and is_list_of_strings(completer))
    if not fits then
      return ("%s.%s must be a list of strings or a function(value, args, ctx)"):format(what, name)
    end
  end
end

local function begins(text, start)
  return text:sub(1, #start):lower() == start:lower()
end

local function matching(list, value)
  local found = {}
  for _, text in ipairs(list) do
    if begins(text, value) then found[#found + 1] = text end
  end
  return found
end

local COMPLETION = { values = "table", total = "number", hasMore = "boolean" }

-- A list, or a table with values, total, hasMore, as a completion with at most as many values as
-- MCP allows.
local function completion(given)
  if given == nil then given = {} end
  if type(given) ~= "table" then
    error("complete: return a list of strings, not " .. check.a(given), 0)
  end
  if given.values == nil then given = { values = given } end
  local problem = check.fields("complete: the result", given, COMPLETION)
  if problem then error(problem, 0) end
  if not is_list_of_strings(given.values) then
    error("complete: return a list of strings", 0)
  end
  local n = #given.values
  local made = { values = host.array {}, total = given.total or n, hasMore = given.hasMore }
  for i = 1, math.min(n, MOST_VALUES) do made.values[i] = given.values[i] end
  if made.hasMore == nil then made.hasMore = made.total > #made.values end
  return { completion = made }
end

--- Answers completion/complete; `params` are those of the request.
function complete.call(offer, params)
  local value = params.argument.value
  local completer = offer.complete and offer.complete[params.argument.name]
  if type(completer) == "table" then return completion(matching(completer, value)) end
  if not completer then return completion(nil) end
  local context = params.context or {}
  return completion(completer(value, context.arguments or {}, new_context()))
end

return complete
