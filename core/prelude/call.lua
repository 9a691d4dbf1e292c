-- One run of a tool: its check, its handler, its result. The arguments fit the schema already.
local host = ...
local new_context = host.part "context"
local result = host.part "result"

return function(tool, args)
  if tool.check then
    local _, reason = tool.check(args)
    if reason ~= nil then return result.error(tostring(reason)) end
  end
  return result.from(tool.handler(args, new_context()))
end
