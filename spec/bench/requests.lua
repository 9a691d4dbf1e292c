-- The requests of the bench, by name: the HTTP headers, the body, and what a right reply contains.
-- Read by bench.lua (Lua 5.4) and, inside wrk, by request.lua (LuaJIT).

local META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
  .. '"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},'
  .. '"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}'

local function request(method, name, params, expected)
  return {
    body = ('{"jsonrpc":"2.0","id":1,"method":"%s","params":{%s%s}}'):format(method, params, META),
    expected = expected,
    headers = {
      ["Content-Type"] = "application/json",
      ["Accept"] = "application/json, text/event-stream",
      ["MCP-Protocol-Version"] = "2026-07-28",
      ["Mcp-Method"] = method,
      ["Mcp-Name"] = name,
    },
  }
end

local function call(name, arguments, expected)
  local params = ('"name":"%s","arguments":%s,'):format(name, arguments)
  return request("tools/call", name, params, expected)
end

local TEXT = ("0123456789"):rep(17)

return {
  echo = call("echo", '{"text":"' .. TEXT .. '"}', TEXT),
  list = request("tools/list", nil, "", '"inputSchema"'),
  meeting = call("book_meeting", '{"topic":"Quarterly review"}', '"input_required"'),
}
