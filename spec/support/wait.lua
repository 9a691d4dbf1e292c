-- Waiting on a condition with a deadline: what the specs do where others sleep.

local socket = require "socket"

local wait = {
  -- Long enough for a host under sanitizers on a busy machine. Nothing passes by reaching it.
  SECONDS = 15,
}

local PAUSE = 0.005

-- Calls `condition` until it returns something true, and returns that. Raises after `seconds`,
-- naming `what` was waited for.
function wait.for_condition(what, condition, seconds)
  local deadline = socket.gettime() + (seconds or wait.SECONDS)
  while true do
    local value = condition()
    if value then
      return value
    end
    if socket.gettime() > deadline then
      error("waited in vain for " .. what, 2)
    end
    socket.sleep(PAUSE)
  end
end

-- Returns once the wall clock has passed `moment` (seconds, as socket.gettime tells them): for what
-- is defined by time alone, such as an expiry.
function wait.for_clock(moment)
  wait.for_condition("the clock", function()
    return socket.gettime() > moment
  end, moment - socket.gettime() + 1)
end

return wait
