-- Checks the tables that scripts hand over, so that a slip is told where it was made.
local host = ...

local check = {}

--- Returns how a text calls the type of `value`: "a string", "nil", "mcp.null".
function check.a(value)
  if value == nil then return "nil" end
  if value == host.null then return "mcp.null" end
  return "a " .. type(value)
end

local function unknown(what, field, names)
  local near = host.nearest(field, names)
  local hint = near and ("did you mean '%s'?"):format(near)
    or "known are " .. table.concat(names, ", ")
  return ("%s: unknown field '%s' (%s)"):format(what, field, hint)
end

--- Returns a list of what is wrong with the fields of `value`. `known` maps each to its type.
function check.problems(what, value, known)
  local fits = true
  for field, member in pairs(value) do fits = fits and known[field] == type(member) end
  if fits then return {} end

  local names = {}
  for name in pairs(known) do names[#names + 1] = name end
  table.sort(names)
  local given = {}
  for field in pairs(value) do
    if type(field) ~= "string" then
      return { ("%s: a field's name must be a string, not %s (known are %s)")
        :format(what, check.a(field), table.concat(names, ", ")) }
    end
    given[#given + 1] = field
  end
  table.sort(given)
  local problems = {}
  for _, field in ipairs(given) do
    local wanted = known[field]
    if not wanted then
      problems[#problems + 1] = unknown(what, field, names)
    elseif type(value[field]) ~= wanted then
      problems[#problems + 1] = ("%s: %s must be a %s, not %s")
        :format(what, field, wanted, check.a(value[field]))
    end
  end
  return problems
end

--- Returns the first of them, or nil.
function check.fields(what, value, known)
  return check.problems(what, value, known)[1]
end

return check
