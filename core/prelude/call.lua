-- Where runs begin: a function for each kind of offer, and one for completions.
local host = ...
local resource = host.part "resource"

return {
  tool = host.part "tool".call,
  prompt = host.part "prompt".call,
  resource = resource.call,
  resource_template = resource.call,
  complete = host.part "complete".call,
}
