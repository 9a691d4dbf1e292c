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

--- Ends the call with an error result that shows `text` to the user; the log gets no traceback.
function mcp.fail(text)
  if type(text) ~= "string" then
    error("mcp.fail: the text must be a string, not " .. check.a(text), 2)
  end
  host.fail(text)
end

return mcp
