-- mcp.prompt: what it takes, and one run of what it registered.
local host = ...
local check = host.part "check"
local complete = host.part "complete"
local messages = host.part "messages"
local new_context = host.part "context"
local refusal = host.part "refusal"
local offers = host.part "offers"

local ARGUMENT = {
  name = "string",
  title = "string",
  description = "string",
  required = "boolean",
}

local function argument_problem(what, argument, names)
  if type(argument) ~= "table" then return what .. " must be a table: { name = … }" end
  local problem = check.fields(what, argument, ARGUMENT)
  if problem then return problem end
  if not argument.name or argument.name == "" then return what .. ": name is missing" end
  if names[argument.name] then
    return ("%s: there is an argument '%s' already"):format(what, argument.name)
  end
end

-- Returns the names of the arguments as keys; or nil and what is wrong with them.
local function argument_names(what, arguments)
  local names = {}
  if next(arguments) ~= nil and #arguments == 0 then
    return nil, what .. ": arguments must be a list: arguments = { { name = … }, … }"
  end
  for i, argument in ipairs(arguments) do
    local problem = argument_problem(("%s: arguments[%d]"):format(what, i), argument, names)
    if problem then return nil, problem end
    names[argument.name] = true
  end
  return names
end

local prompt = {}

--- Registers a prompt. `definition` has MCP's own fields (name, title, description, arguments,
--- icons, _meta), `handler(args, ctx)`, whose args are strings, and optionally `check(args)` as a
--- tool has it and `complete` (complete.lua). The name defaults to the script's.
prompt.register = offers.kind {
  name = "prompt",
  example = "mcp.prompt { name = …, handler = … }",
  fields = {
    name = "string",
    title = "string",
    description = "string",
    arguments = "table",
    icons = "table",
    _meta = "table",
    handler = "function",
    check = "function",
    complete = "table",
  },
  public = { "name", "title", "description", "arguments", "icons", "_meta" },
  problem = function(what, offer, from_file)
    local problem = offers.name_problem(what, offer.name, from_file)
    if problem then return problem end
    if not offer.handler then
      return what .. ": handler is missing: handler = function(args, ctx) … end"
    end
    local names, wrong = argument_names(what, offer.arguments or {})
    return wrong or complete.problem(what, offer.complete, names)
  end,
  arguments = function(offer)
    local properties, required = {}, host.array {}
    for _, argument in ipairs(offer.arguments or {}) do
      properties[argument.name] = { type = "string" }
      if argument.required then required[#required + 1] = argument.name end
    end
    return {
      type = "object",
      properties = properties,
      required = required,
      additionalProperties = { type = "string" },
    }
  end,
}

--- Runs check and handler. The arguments are strings, and those that are required are there.
function prompt.call(offer, args)
  local reason = offer.check and refusal(offer, args)
  if reason then return reason end
  return messages.from(offer.handler(args, new_context()))
end

return prompt
