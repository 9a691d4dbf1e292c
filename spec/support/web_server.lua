-- A small HTTP server for specs: prints its port, then answers one request a connection until it is
-- told to GET /quit, or has had nothing to do for a minute. See support/web.lua.

local socket = require "socket"

local held = {} -- connections that get no answer before /release
local seen = 0  -- requests but those for /seen

local function read_request(client)
  local line = client:receive "*l"
  if not line then return end
  local lines, length = { line }, 0
  for header in function() return client:receive "*l" end do
    if header == "" then break end
    lines[#lines + 1] = header
    length = tonumber(header:lower():match "^content%-length: *(%d+)") or length
  end
  local body = length > 0 and client:receive(length) or ""
  return line:match "^%u+ (%S+)", table.concat(lines, "\n") .. "\n\n" .. body
end

local function reply(client, status, headers, body)
  client:send(("HTTP/1.1 %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s")
    :format(status, headers, #body, body))
  client:close()
end

local function answer(client)
  local path, request = read_request(client)
  if not path then
    client:close()
    return true
  end
  local name, argument = path:match "^/(%w+)%??(.*)$"
  if name ~= "seen" then seen = seen + 1 end
  if name == "hang" then
    held[#held + 1] = client
  elseif name == "release" then
    for i = #held, 1, -1 do reply(table.remove(held, i), "200 OK", "", "released") end
    reply(client, "200 OK", "", "")
  elseif name == "close" then
    client:close()
  elseif name == "seen" then
    reply(client, "200 OK", "", tostring(seen))
    seen = 0
  elseif name == "large" then
    reply(client, "200 OK", "", ("x"):rep(tonumber(argument)))
  elseif name == "heads" then
    reply(client, "200 OK", ("X-Pad: " .. ("x"):rep(1000) .. "\r\n"):rep(tonumber(argument)), "")
  elseif name == "redirect" then
    local status, to = argument:match "^(%d+),(.*)$"
    reply(client, status .. " Moved", "Location: " .. to .. "\r\nSet-Cookie: a=1\r\n", "moved")
  else
    reply(client, "200 OK", "X-Twice: 1\r\nx-twice: 2\r\nSet-Cookie: a=1\r\n", request)
  end
  return name ~= "quit"
end

local server = assert(socket.bind("127.0.0.1", 0))
server:settimeout(60)
print((select(2, server:getsockname())))
io.stdout:flush()
repeat
  local client = server:accept()
  if client then client:settimeout(5) end
until not client or not answer(client)
