-- A server on loopback for scripts to fetch from (web_server.lua), in a process of its own.
--
--   local web = web.start()
--   … "http://127.0.0.1:" .. web.port .. "/echo" …    the answer is the request itself
--   web:seen()                                        how many requests came since the last time
--   web:release()                                     answers those for /hang
--   web:close()

local http = require "socket.http"
local process = require "support.process"
local shell = require "support.shell"

local web = {}

local Web = {}
Web.__index = Web

function web.start()
  local pipe = assert(io.popen(shell.line {
    "lua5.4", process.root .. "/spec/support/web_server.lua" }, "r"))
  return setmetatable({ pipe = pipe, port = assert(tonumber(pipe:read "l")) }, Web)
end

function Web:url(path)
  return ("http://127.0.0.1:%d/%s"):format(self.port, path)
end

function Web:seen()
  return tonumber((http.request(self:url "seen")))
end

function Web:release()
  http.request(self:url "release")
  self:seen()
end

function Web:close()
  http.request(self:url "quit")
  self.pipe:close()
end

return web
