-- A raw HTTP/1.1 client: sends exactly the bytes it is told to and reads replies piece by piece.
--
--   local reply = http.exchange(host, { method = "POST", path = "/mcp", headers = {…}, body = … })
--   reply.status, reply.headers["content-type"], reply.body
--
--   local stream = http.open(host, request)     -- the body is read as it comes
--   local event = stream:event()                -- the next event of an SSE body, or nil at its end
--   stream:close()
--
-- Messages of the host on the way are held against the protocol's schema: see support.protocol.

local protocol = require "support.protocol"
local socketlib = require "socket"
local wait = require "support.wait"

local http = {}

local Connection = {}
Connection.__index = Connection

local Reply = {}
Reply.__index = Reply

-- Waits until there is something to read; false after `seconds`. A run of many clients at once puts
-- a function of its own in its place.
function http.await(socket, seconds)
  return socketlib.select({ socket }, nil, seconds)[1]
end

function http.connect(host)
  local socket = assert(socketlib.tcp4())
  socket:settimeout(wait.SECONDS)
  assert(socket:connect("127.0.0.1", host.port))
  return setmetatable({
    socket = socket,
    buffer = "",
    ended = false,
    watch = protocol.watch(),
  }, Connection)
end

-- Sends bytes. Returns true, or nil if the host has closed the connection.
function Connection:send(bytes)
  self.socket:settimeout(wait.SECONDS)
  return self.socket:send(bytes) and true or nil
end

-- Returns true if there is something to read, the end included, without waiting for it.
function Connection:is_readable()
  return #self.buffer > 0 or socketlib.select({ self.socket }, nil, 0)[1] ~= nil
end

-- The half-close is sent by hand: a child process of the specs may hold a copy of the socket, and
-- closing ours alone would then tell the host nothing.
function Connection:close()
  self.socket:shutdown "both"
  self.socket:close()
end

-- Waits for more bytes. Returns false at the end of the connection.
function Connection:fill(deadline)
  if self.ended then
    return false
  end
  local left = deadline - socketlib.gettime()
  if left <= 0 or not http.await(self.socket, left) then
    error("the host sent nothing more in time; so far: " .. string.format("%q", self.buffer), 0)
  end
  self.socket:settimeout(0)
  local data, problem, part = self.socket:receive(65536)
  self.buffer = self.buffer .. (data or part)
  if problem and problem ~= "timeout" then
    self.ended = true
    return #part > 0
  end
  return true
end

-- Takes bytes up to and including `mark`; nil if the connection ends before it.
function Connection:take_until(mark, deadline)
  while true do
    local _, last = self.buffer:find(mark, 1, true)
    if last then
      local taken = self.buffer:sub(1, last - #mark)
      self.buffer = self.buffer:sub(last + 1)
      return taken
    end
    if not self:fill(deadline) then
      return nil
    end
  end
end

-- Takes at most `count` bytes, at least one; nil at the end.
function Connection:take(count, deadline)
  if #self.buffer == 0 and not self:fill(deadline) then
    return nil
  end
  local taken = self.buffer:sub(1, count)
  self.buffer = self.buffer:sub(count + 1)
  return taken
end

local function parse_head(text)
  local reply = { headers = {}, status = tonumber(text:match "^HTTP/1%.1 (%d%d%d)") }
  assert(reply.status, "no status line: " .. text:sub(1, 80))
  for name, value in text:gmatch "\r\n([^:\r\n]+):[ \t]*([^\r\n]*)" do
    name = name:lower()
    local earlier = reply.headers[name]
    reply.headers[name] = earlier and earlier .. ", " .. value or value
  end
  return reply
end

-- Reads the head of the next reply, past any interim 100. Returns a reply whose body is still to
-- come, or nil if the host closed the connection without one.
function Connection:reply(seconds)
  local deadline = socketlib.gettime() + (seconds or wait.SECONDS)
  local reply
  repeat
    local head = self:take_until("\r\n\r\n", deadline)
    if not head then
      return nil
    end
    reply = parse_head(head)
  until reply.status ~= 100
  reply.connection = self
  reply.unread = reply.status ~= 204 and reply.status ~= 304
  reply.chunked = (reply.headers["transfer-encoding"] or ""):lower() == "chunked"
  reply.left = tonumber(reply.headers["content-length"])
  reply.events = ""
  return setmetatable(reply, Reply)
end

local function next_chunk(reply, deadline)
  local connection = reply.connection
  local size = connection:take_until("\r\n", deadline)
  if not size then
    reply.cut = true
    return nil
  end
  local left = assert(tonumber(size:match "^%x+", 16), "bad chunk size")
  local parts = {}
  while left > 0 do
    local part = assert(connection:take(left, deadline), "the connection ended inside a chunk")
    parts[#parts + 1] = part
    left = left - #part
  end
  connection:take_until("\r\n", deadline)
  return parts[1] and table.concat(parts)
end

-- Returns the next bytes of the body, or nil at its end. A chunked body that ends without its last
-- chunk sets `cut`.
function Reply:piece(deadline)
  if not self.unread then
    return nil
  end
  local piece
  if self.chunked then
    piece = next_chunk(self, deadline)
  elseif self.left == 0 then
    piece = nil
  else
    piece = self.connection:take(self.left or 65536, deadline)
    if self.left and piece then
      self.left = self.left - #piece
    end
  end
  self.unread = piece ~= nil
  return piece
end

-- Reads the whole body into `body`. Returns the reply.
function Reply:read(seconds)
  local deadline = socketlib.gettime() + (seconds or wait.SECONDS)
  local parts = {}
  local piece = self:piece(deadline)
  while piece do
    parts[#parts + 1] = piece
    piece = self:piece(deadline)
  end
  self.body = table.concat(parts)
  self:check()
  return self
end

-- Holds what was read against the protocol's schema, message by message.
function Reply:check()
  local kind = self.headers["content-type"] or ""
  if kind:find("application/json", 1, true) then
    self.connection.watch:received(self.body, self.connection.headers)
  elseif kind:find("text/event-stream", 1, true) then
    for data in self.body:gmatch "data: ?([^\r\n]+)" do
      self.connection.watch:received(data, self.connection.headers)
    end
  end
end

local function parse_event(block)
  local event = {}
  for line in block:gmatch "[^\n]+" do
    local field, value = line:match "^(%w+): ?(.*)$"
    if field == "data" and event.data then
      event.data = event.data .. "\n" .. value
    elseif field then
      event[field] = value
    end
  end
  return next(event) and event or nil
end

-- Returns the next event of an SSE body as { data, id, event, retry }, or nil at the end of the
-- stream. Comments are passed over.
function Reply:event(seconds)
  local deadline = socketlib.gettime() + (seconds or wait.SECONDS)
  while true do
    local first, last = self.events:find("\n\n", 1, true)
    if first then
      local event = parse_event(self.events:sub(1, first))
      self.events = self.events:sub(last + 1)
      if event then
        self.connection.watch:received(event.data or "", self.connection.headers)
        return event
      end
    else
      local piece = self:piece(deadline)
      if not piece then
        return nil
      end
      self.events = self.events .. piece:gsub("\r\n", "\n")
    end
  end
end

function Reply:close()
  self.connection:close()
end

-- Returns the text of a request. A header's value may be a list (sent once for each) or false (not
-- sent); Host and Content-Length are filled in unless given.
function http.render(host, request)
  local headers = { Host = "127.0.0.1:" .. host.port }
  if request.body then
    headers["Content-Length"] = #request.body
  end
  for name, value in pairs(request.headers or {}) do
    headers[name] = value
  end
  local lines = {}
  for name, value in pairs(headers) do
    for _, one in ipairs(type(value) == "table" and value or { value or nil }) do
      lines[#lines + 1] = name .. ": " .. one
    end
  end
  table.sort(lines)
  table.insert(lines, 1, string.format("%s %s HTTP/1.1", request.method, request.path or "/mcp"))
  return table.concat(lines, "\r\n") .. "\r\n\r\n" .. (request.body or "")
end

-- Sends a request on a connection of its own and reads the head of the reply.
function http.open(host, request)
  local connection = http.connect(host)
  connection.headers = request.headers
  local all = protocol.watch(host)
  if request.method == "GET" then
    connection.watch = all -- what comes there belongs to requests on other connections
  end
  connection.watch:sent(request.body, request.headers)
  all:sent(request.body, request.headers)
  connection:send(http.render(host, request))
  return assert(connection:reply(), "the host closed the connection without a reply")
end

-- Sends a request and reads the whole reply.
function http.exchange(host, request)
  local reply = http.open(host, request):read()
  reply:close()
  return reply
end

-- Posts a body as an MCP client would; `headers` come on top.
function http.post(host, body, headers)
  local all = {
    ["Content-Type"] = "application/json",
    Accept = "application/json, text/event-stream",
  }
  for name, value in pairs(headers or {}) do
    all[name] = value
  end
  return http.exchange(host, { method = "POST", headers = all, body = body })
end

return http
