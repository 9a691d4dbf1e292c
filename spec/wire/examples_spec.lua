-- The official example messages of 2026-07-28: each is what the schema says it is, and each request
-- among them is served, or refused once it is spoiled.

local http = require "support.http"
local lfs = require "lfs"
local process = require "support.process"
local protocol = require "support.protocol"
local rpc = require "support.rpc"
local shell = require "support.shell"

local EXAMPLES = (os.getenv "LUNASK_DATA" or "../shared/data")
  .. "/mcp-schema/2026-07-28/examples/"

-- What the examples ask for.
local SCRIPT = [[
local mcp = require "mcp"
mcp.tool {
  name = "get_weather",
  description = "Tells the weather.",
  inputSchema = { type = "object", properties = { location = { type = "string" } } },
  handler = function(args) return "Fine in " .. args.location end,
}
mcp.prompt {
  name = "code_review",
  arguments = { { name = "code" }, { name = "language" } },
  complete = { language = function() return { "python", "pytorch" } end },
  handler = function(args) return "Review this: " .. (args.code or "") end,
}
mcp.resource { uri = "file:///project/src/main.rs", text = "fn main() {}" }
]]

local NAMED_BY = {
  ["tools/call"] = "name",
  ["prompts/get"] = "name",
  ["resources/read"] = "uri",
}

-- Calls `visit` with the name of a definition, the file of an example of it, and its text.
local function each_example(visit)
  for name in lfs.dir(EXAMPLES) do
    local folder = EXAMPLES .. name
    if name:sub(1, 1) ~= "." and lfs.attributes(folder, "mode") == "directory" then
      for file in lfs.dir(folder) do
        if file:find "%.json$" then
          visit(name, file, shell.read(folder .. "/" .. file))
        end
      end
    end
  end
end

describe("the examples of 2026-07-28", function()
  if protocol.off then
    pending("hold (" .. protocol.off .. ")")
    return
  end

  local host, remove

  setup(function()
    local folder
    folder, remove = shell.folder()
    shell.capture { "mkdir", "-p", folder .. "/scripts" }
    shell.write(folder .. "/scripts/examples.lua", SCRIPT)
    host = process.start { scripts = folder .. "/scripts" }
  end)

  teardown(function()
    process.close(host)
    remove()
  end)

  local function send(message, text)
    local reply = http.open(host, {
      method = "POST",
      headers = {
        ["Content-Type"] = "application/json",
        Accept = "application/json, text/event-stream",
        ["MCP-Protocol-Version"] = protocol.MODERN,
        ["Mcp-Method"] = message.method,
        ["Mcp-Name"] = message.params[NAMED_BY[message.method] or false],
      },
      body = text or rpc.encode(message),
    })
    return reply
  end

  -- Sends a message and returns the reply, read to its end.
  local function exchange(message)
    local reply = rpc.open(send(message):read())
    reply:close()
    return reply
  end

  each_example(function(name, file, text)
    local what = name .. "/" .. file

    it(what .. " is what the schema says", function()
      local valid, reasons = protocol.checker(protocol.MODERN, name)(text)
      assert.is_true(valid, reasons)
    end)

    local message = rpc.decode(text)
    local method = type(message) == "table" and message.jsonrpc and message.method
    if not name:find "Request$" or not method then
      return
    end

    if method == "subscriptions/listen" then
      it(what .. " opens a stream that begins with its acknowledgement", function()
        local stream = send(message, text)
        assert.equal(200, stream.status)
        local first = rpc.decode(stream:event().data)
        assert.equal("notifications/subscriptions/acknowledged", first.method)
        stream:close()
      end)
    else
      it(what .. " is served under its id", function()
        local reply = rpc.open(send(message, text):read())
        reply:close()
        assert.equal(200, reply.status, reply.body)
        assert.equal(message.id, reply.json.id)
        assert.equal("complete", reply.result.resultType)
        assert.is_nil(reply.result.isError)
      end)
    end

    it(what .. " is refused without each thing that _meta must hold", function()
      for _, key in ipairs { "protocolVersion", "clientCapabilities" } do
        local spoiled = rpc.decode(text)
        spoiled.params._meta["io.modelcontextprotocol/" .. key] = nil
        local reply = exchange(spoiled)
        assert.equal(400, reply.status, key)
        assert.is_nil(reply.result)
      end
    end)

    it(what .. " is refused for a version that nobody knows", function()
      local spoiled = rpc.decode(text)
      spoiled.params._meta["io.modelcontextprotocol/protocolVersion"] = "2020-01-01"
      local reply = exchange(spoiled)
      assert.equal(400, reply.status)
      assert.is_nil(reply.result)
    end)

    if NAMED_BY[method] then
      it(what .. " is refused for a name that nothing has", function()
        local spoiled = rpc.decode(text)
        spoiled.params[NAMED_BY[method]] = "file:///nothing"
        local reply = exchange(spoiled)
        assert.equal(-32602, reply.error.code)
      end)
    end
  end)

  it("of what a host asks are no requests of a client", function()
    for _, name in ipairs { "CreateMessageRequest/sampling-request",
      "ElicitRequest/elicitation-request", "ListRootsRequest/list-roots-request" } do
      local message = rpc.decode(shell.read(EXAMPLES .. name .. ".json"))
      message.params = message.params or {}
      assert.equal(-32600, exchange(message).error.code, name)
      message.jsonrpc, message.id = "2.0", "x"
      message.params._meta = {
        ["io.modelcontextprotocol/protocolVersion"] = protocol.MODERN,
        ["io.modelcontextprotocol/clientCapabilities"] = {},
      }
      local reply = exchange(message)
      assert.equal(404, reply.status, name)
      assert.equal(-32601, reply.error.code, name)
    end
  end)
end)

describe("the check of all messages", function()
  if protocol.off then
    pending("refuses what the schema refuses (" .. protocol.off .. ")")
    return
  end

  local function refusal(asked, answered)
    local watch = protocol.watch()
    watch:sent(asked, { ["MCP-Protocol-Version"] = protocol.MODERN })
    local good, why = pcall(watch.received, watch, answered)
    assert.is_false(good)
    return why
  end

  it("refuses a result that is not that of the method asked", function()
    local asked = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}'
    assert.truthy(refusal(asked, '{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}}')
      :find("ListToolsResult: .*result.tools is missing"))
  end)

  it("refuses a notification and an error that lack what theirs need", function()
    assert.truthy(refusal("", '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}')
      :find("params.progressToken is missing", 1, true))
    assert.truthy(refusal('{"jsonrpc":"2.0","id":7,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32022,"message":"no"}}')
      :find("UnsupportedProtocolVersionError: error.data is missing", 1, true))
  end)
end)
