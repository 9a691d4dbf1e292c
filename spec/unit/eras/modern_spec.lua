-- What a modern request must say of itself, and which fault leads to which error.

local inside = require "support.inside"
local rpc = require "support.rpc"

local VERSION = "io.modelcontextprotocol/protocolVersion"
local INFO = "io.modelcontextprotocol/clientInfo"
local CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"

local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "who", handler = function(_, ctx)
  ctx.store:put("c", "k", 1)
  return ctx.era .. " " .. ctx.client.name .. " " .. ctx.client.version
end }
]]

describe("a modern request", function()
  local host

  before_each(function()
    host = inside.start { settle = true, scripts = { s = SCRIPT } }
  end)

  after_each(function()
    inside.close(host)
  end)

  -- Sends a call whose _meta `change(meta, headers, message)` has spoiled, and asserts that it is
  -- refused so and stores nothing.
  local function assert_refused(status, code, change, pattern)
    local visit = host:call("who", nil, { spoil = function(message, headers)
      change(message.params._meta, headers, message)
    end })
    local fault = visit:error()
    assert.equal(code, fault and fault.code, visit:told().body)
    assert.equal(status, visit:status())
    assert.equal(host.last_id, visit:message().id)
    if pattern then assert.truthy(fault.message:find(pattern, 1, true), fault.message) end
    assert.same({}, host:rows("s", "c"))
    return fault
  end

  it("that says all it must is answered", function()
    local visit = host:call "who"
    assert.equal(200, visit:status())
    assert.equal("modern spec 1", visit:text())
    assert.same({ "k=1" }, host:rows("s", "c"))
  end)

  for name, value in pairs { number = 20260728, null = rpc.null, list = { "2026-07-28" } } do
    it("whose version is a " .. name .. " is refused", function()
      assert_refused(400, -32602, function(meta) meta[VERSION] = value end, VERSION)
    end)
  end

  it("that names its version in the header alone is refused", function()
    assert_refused(400, -32602, function(meta) meta[VERSION] = nil end, VERSION)
    assert_refused(400, -32602, function(_, _, message) message.params._meta = nil end, VERSION)
    assert_refused(400, -32602, function(_, _, message) message.params = nil end, VERSION)
  end)

  it("of a version that nobody speaks is told which are spoken", function()
    local fault = assert_refused(400, -32022, function(meta, headers)
      meta[VERSION] = "2027-01-01"
      headers["MCP-Protocol-Version"] = "2027-01-01"
    end)
    assert.equal("2027-01-01", fault.data.requested)
    assert.same({ "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26" }, fault.data.supported)
  end)

  it("is refused for its version before anything else it lacks", function()
    assert_refused(400, -32022, function(meta, headers)
      meta[VERSION] = "2027-01-01"
      meta[CAPABILITIES] = nil
      for name in pairs(headers) do headers[name] = nil end
    end)
  end)

  it("is not of the version that its header denies", function()
    assert_refused(400, -32020, function(_, headers)
      headers["MCP-Protocol-Version"] = "2025-11-25"
    end, "MCP-Protocol-Version")
  end)

  for name, value in pairs { missing = false, ["a list"] = { 1 }, ["a text"] = "all",
    null = rpc.null } do
    it("whose capabilities are " .. name .. " is refused", function()
      assert_refused(400, -32602, function(meta)
        meta[CAPABILITIES] = value or nil
      end, CAPABILITIES)
    end)
  end

  for name, value in pairs { ["a text"] = "spec", null = rpc.null, ["without a name"] = {},
    ["named by a number"] = { name = 7 } } do
    it("whose client is " .. name .. " is refused", function()
      assert_refused(400, -32602, function(meta) meta[INFO] = value end, INFO)
    end)
  end

  it("need not say who its client is", function()
    local visit = host:call("who", nil, { spoil = function(message)
      message.params._meta[INFO] = nil
    end })
    assert.equal("modern  ", visit:text())
  end)

  it("that is no message is refused by its header", function()
    for body, reason in pairs {
      ["[]"] = "batches are not supported: send one message at a time",
      ['{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}'] =
        "id must be an integer, written without fraction and exponent",
    } do
      local visit = host:post(body, { headers = { ["MCP-Protocol-Version"] = "2026-07-28" } })
      assert.equal(400, visit:status())
      assert.equal(reason, visit:error().message)
    end
  end)

  it("is one by its body, whatever session the header names", function()
    local session = host:initialize()
    local visit = host:call("who", nil, { spoil = function(_, headers)
      headers["Mcp-Session-Id"] = session.id
    end })
    assert.equal("modern spec 1", visit:text())
  end)

  it("is none if the header alone says so and a session is named", function()
    local session = host:initialize()
    session.version = "2026-07-28"
    local visit = session:request "ping"
    assert.equal(400, visit:status())
    assert.matches("MCP%-Protocol%-Version", visit:error().message)
  end)

  it("needs no headers where the transport has none", function()
    local message = host:prepare("tools/call", { name = "who" })
    assert.equal("modern spec 1", host:post(message, { headers = false }):text())
  end)

  it("that is a notification is taken without a word", function()
    local visit = host:modern("notifications/cancelled", { requestId = 1 },
      { spoil = function(message) message.id = nil end })
    assert.equal(202, visit:status())
    assert.is_nil(visit:told().body)
  end)

  it("that is a notification needs no field of _meta, nor be known", function()
    local headers = { ["MCP-Protocol-Version"] = "2026-07-28" }
    for _, params in ipairs { "", ',"params":{}', ',"params":{"_meta":{}}' } do
      local visit = host:post('{"jsonrpc":"2.0","method":"no/such"' .. params .. "}",
        { headers = headers })
      assert.equal(202, visit:status())
      assert.is_nil(visit:told().body)
    end
  end)

  it("that is a response is refused, without the id that is not the client's", function()
    local visit = host:post('{"jsonrpc":"2.0","id":1,"result":{}}',
      { headers = { ["MCP-Protocol-Version"] = "2026-07-28" } })
    assert.equal(400, visit:status())
    assert.equal(-32600, visit:error().code)
    assert.is_nil(visit:message().id)
  end)

  for _, method in ipairs { "initialize", "ping", "no/such", "", "tools/call " } do
    it(("finds no method '%s'"):format(method), function()
      local visit = host:modern(method)
      assert.equal(404, visit:status())
      assert.equal(-32601, visit:error().code)
      assert.equal("Method not found: " .. method, visit:error().message)
    end)
  end

  it("is cancelled when its client leaves, and what it wrote is not stored", function()
    inside.close(host)
    host = inside.start { scripts = { s = SCRIPT:gsub("ctx.store:put", "ctx.store:count 'c' %0") },
      store = "file" }
    local visit = host:call "who"
    assert.equal("reading", host:states())
    visit:leave()
    host:settle()
    assert.same({}, host:rows("s", "c"))
    assert.equal(0, visit:told().replies)
  end)
end)
