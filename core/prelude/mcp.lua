-- The module `mcp`: what a script registers, and what its handlers return.
local host = ...
local check = host.part "check"
local prompt = host.part "prompt"
local resource = host.part "resource"
local result = host.part "result"
local tool = host.part "tool"

local mcp = {
  tool = tool.register,
  prompt = prompt.register,
  resource_template = resource.register_template,
  null = host.null,
  array = host.array,
  base64 = host.base64,
  text = result.text,
  image = result.image,
  audio = result.audio,
  link = result.link,
  structured = result.structured,
  error = result.error,
}

--- While the script loads: registers a resource (resource.lua). In a handler: an embedded resource,
--- which is content.
function mcp.resource(definition)
  if host.loading() then return resource.register(definition) end
  return result.resource(definition)
end

--- Returns a table of the named values that is shown in their order, as a form's `properties`:
--- mcp.ordered { { "time", { type = "string" } }, { "topic", { type = "string" } } }. All other
--- tables are shown in the order of their names. It is a table like any other: its `time` is there.
function mcp.ordered(list)
  local fields, ranks = {}, {}
  local problem = type(list) ~= "table" and "give it a list of { \"name\", value }"
  for i, pair in ipairs(problem and {} or list) do
    if type(pair) ~= "table" or type(pair[1]) ~= "string" or pair[2] == nil then
      problem = ("element %d must be { \"name\", value }"):format(i)
    elseif ranks[pair[1]] then
      problem = ("'%s' comes twice"):format(pair[1])
    end
    if problem then break end
    fields[pair[1]], ranks[pair[1]] = pair[2], i
  end
  if not problem and next(fields) == nil and next(list) ~= nil then
    problem = "give it a list of { \"name\", value }, as tables with names have no order"
  end
  if problem then error("mcp.ordered: " .. problem, 2) end
  return host.ordered(fields, ranks)
end

--- Ends the call with an error result that shows `text` to the user; the log gets no traceback.
function mcp.fail(text)
  if type(text) ~= "string" then
    error("mcp.fail: the text must be a string, not " .. check.a(text), 2)
  end
  host.fail(text)
end

return mcp
