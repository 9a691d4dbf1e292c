-- Asks an offer's `check` about its arguments; returns why they are refused, or nil.
local host = ...
local check = host.part "check"

return function(offer, args)
  local verdict, reason = offer.check(args)
  if type(reason) == "string" then return reason end
  if reason ~= nil then
    error("check: the reason must be a string, not " .. check.a(reason), 0)
  end
  if verdict == false then
    error("check returned false without a reason; to refuse: return nil, \"reason\"", 0)
  end
end
