-- Many clients at once in one process: each is a coroutine that stands still while it waits for its
-- socket, so that the clients of spec/support are used as they are.
--
--   crowd.add(function() … client:ask(…) … end)
--   crowd.run(function() … end)          -- until all have ended; the function is called in between

local http = require "support.http"
local socketlib = require "socket"

local crowd = {}

local PAUSE = 0.002 -- seconds after which `between` is called again, at the latest
local waiting = {} -- coroutine → { socket, deadline }

local function resume(thread, value)
  waiting[thread] = nil
  local ok, socket, seconds = coroutine.resume(thread, value)
  assert(ok, socket)
  if coroutine.status(thread) == "suspended" then
    waiting[thread] = { socket = socket, deadline = socketlib.gettime() + seconds }
  end
end

function http.await(socket, seconds)
  if not coroutine.isyieldable() then return socketlib.select({ socket }, nil, seconds)[1] end
  return coroutine.yield(socket, seconds)
end

-- Lets `client` begin at once, up to where it first waits. It must raise nothing.
function crowd.add(client)
  resume(coroutine.create(client))
end

local function sockets()
  local list = {}
  for _, place in pairs(waiting) do list[#list + 1] = place.socket end
  return list
end

local function turn()
  local ready = socketlib.select(sockets(), nil, PAUSE)
  local now, due = socketlib.gettime(), {}
  for thread, place in pairs(waiting) do
    if ready[place.socket] then
      due[thread] = true
    elseif now > place.deadline then
      due[thread] = false
    end
  end
  for thread, value in pairs(due) do resume(thread, value) end
end

function crowd.run(between)
  while next(waiting) do
    turn()
    between()
  end
end

return crowd
