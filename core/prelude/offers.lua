-- What mcp.tool, mcp.prompt, mcp.resource and mcp.resource_template have in common.
local host = ...
local check = host.part "check"

local offers = {}

local ICON = { src = "string", mimeType = "string", sizes = "table", theme = "string" }

local function icon_problem(what, icon)
  if type(icon) ~= "table" then return what .. " must be a table: { src = … }" end
  local problem = check.fields(what, icon, ICON) or (not icon.src and what .. ": src is missing")
  if problem then return problem end
  if not (icon.src:match "^https?://" or icon.src:match "^data:") then
    return what .. ": src must be an https: or data: URI"
  end
  for _, size in ipairs(icon.sizes or {}) do
    if type(size) ~= "string" or not (size == "any" or size:match "^%d+x%d+$") then
      return what .. ": sizes must be like { \"48x48\" } or { \"any\" }"
    end
  end
  if icon.theme and icon.theme ~= "light" and icon.theme ~= "dark" then
    return what .. ": theme must be \"light\" or \"dark\""
  end
end

--- Returns what is wrong with `icons`, which may be nil, or nil.
function offers.icons_problem(what, icons)
  if not icons then return end
  if #icons == 0 then return what .. ": icons must be a list: icons = { { src = … }, … }" end
  for i, icon in ipairs(icons) do
    local problem = icon_problem(("%s: icons[%d]"):format(what, i), icon)
    if problem then return problem end
  end
end

--- Returns what is wrong with the name of a tool or a prompt, or nil.
function offers.name_problem(what, name, from_file)
  if name:match "^[%w_%-%.]+$" and #name <= 128 then return end
  local problem = what .. ": name must be 1 to 128 letters, digits, '_', '-' or '.'"
  if not from_file then return problem end
  return ("%s; there is none, and the file's (%s) won't do"):format(problem, name)
end

-- All that is wrong with the fields; what is behind them is looked at only where they are right.
local function problems_of(kind, what, offer, from_file)
  local problems = check.problems(what, offer, kind.fields)
  if #problems == 0 then
    problems[1] = kind.problem(what, offer, from_file)
    problems[#problems + 1] = offers.icons_problem(what, offer.icons)
  end
  return problems
end

--- Returns the function that registers offers of one kind. `kind`: name ("tool"), example (how to
--- call it), fields (each with its type), public (those that clients see), problem(what, offer,
--- from_file) → what is wrong with them or nil; and where it needs them defaults(offer) and
--- arguments(offer) → the schema of what its handler gets.
function offers.kind(kind)
  local what = "mcp." .. kind.name
  return function(definition)
    if type(definition) ~= "table" then
      return host.mistake(what .. ": give it a table: " .. kind.example)
    end
    local offer = {}
    for field, value in pairs(definition) do offer[field] = value end
    local from_file = offer.name == nil
    if from_file then offer.name = host.script() end
    if kind.defaults then kind.defaults(offer) end
    local problems = problems_of(kind, what, offer, from_file)
    for _, problem in ipairs(problems) do host.mistake(problem) end
    if #problems > 0 then return end

    local public = {}
    for _, field in ipairs(kind.public) do public[field] = offer[field] end
    local arguments = kind.arguments and kind.arguments(offer)
    local ok, reason = host.register(kind.name, public, offer, arguments)
    if ok then return end
    local array = reason:find("must be an array", 1, true)
    host.mistake(("%s %s: %s%s")
      :format(what, offer.name, reason, array and " (an empty one is mcp.array {})" or ""))
  end
end

return offers
