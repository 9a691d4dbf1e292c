-- Calls that spin, and the time that another script's calls take beside them.
--
--   local spinning = spinners.start(host, 20)
--   local times = spinners.time(host, 2)        -- of `beside` for 2 seconds, sorted, in ms
--   spinners.stop(spinning)
--
-- The host must have the scripts of spinners.write.

local http = require "support.http"
local modern = require "support.modern"
local shell = require "support.shell"
local socket = require "socket"

local spinners = {}

local SPIN = [[
local mcp = require "mcp"
mcp.tool { name = "%s", handler = function() while true do end end }
]]

local BESIDE = [[
local mcp = require "mcp"
mcp.tool { name = "beside", handler = function() return "here" end }
]]

-- Writes `count` scripts that spin, and one that does not, into the folder.
function spinners.write(folder, count)
  for i = 1, count do
    shell.write(("%s/spin%d.lua"):format(folder, i), SPIN:format("spin" .. i))
  end
  shell.write(folder .. "/beside.lua", BESIDE)
end

local function request(client, host, name)
  local call = client:prepare("tools/call", { name = name, arguments = {} })
  return http.render(host, modern.http_request(call))
end

-- Starts `count` calls, spread over the first `scripts` scripts, each on a connection of its own.
function spinners.start(host, count, scripts)
  local client, list = modern.connect(host), {}
  for i = 1, count do
    local connection = http.connect(host)
    connection:send(request(client, host, "spin" .. (i - 1) % scripts + 1))
    list[i] = connection
  end
  return list
end

function spinners.stop(list)
  for _, connection in ipairs(list) do
    connection:close()
  end
end

-- Returns how many of them have come to an end.
function spinners.ended(list)
  local n = 0
  for _, connection in ipairs(list) do
    n = n + (connection:is_readable() and 1 or 0)
  end
  return n
end

-- Calls `beside` for so many seconds, one call after another on one connection. Returns the time of
-- each in milliseconds, the shortest first.
function spinners.time(host, seconds)
  local text = request(modern.connect(host), host, "beside")
  local connection = http.connect(host)
  local times, stop = {}, socket.gettime() + seconds
  repeat
    local began = socket.gettime()
    connection:send(text)
    assert(connection:reply():read().status == 200)
    times[#times + 1] = (socket.gettime() - began) * 1000
  until began > stop
  connection:close()
  table.sort(times)
  return times
end

return spinners
