-- One run of a tool: its check, its handler, its result. The arguments fit the schema already.
local host = ...
local check = host.part "check"
local new_context = host.part "context"
local result = host.part "result"

-- Returns why the arguments are refused, or nil.
local function refusal(tool, args)
  local verdict, reason = tool.check(args)
  if type(reason) == "string" then return reason end
  if reason ~= nil then
    error("check: the reason must be a string, not " .. check.a(reason), 0)
  end
  if verdict == false then
    error("check returned false without a reason; to refuse: return nil, \"reason\"", 0)
  end
end

return function(tool, args)
  local reason = tool.check and refusal(tool, args)
  if reason then return result.error(reason) end
  return result.from(tool.handler(args, new_context()))
end
