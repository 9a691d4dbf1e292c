-- The legacy handshake, and what each kind of message leads to.

local inside = require "support.inside"

describe("a legacy message", function()
  local host

  setup(function()
    host = inside.start { config = [[name = "spec", version = "7", instructions = "Ask."]] }
  end)

  teardown(function()
    inside.close(host)
  end)

  local function initialize(params)
    return host:post('{"jsonrpc":"2.0","id":"i","method":"initialize","params":' .. params .. "}")
  end

  it("that begins a session is told who serves it, and gets an id", function()
    local reply = initialize '{"protocolVersion":"2025-06-18","capabilities":{}}'
    assert.equal(200, reply:status())
    assert.same({
      protocolVersion = "2025-06-18",
      serverInfo = { name = "spec", version = "7" },
      capabilities = { logging = {}, tools = { listChanged = true } },
      instructions = "Ask.",
    }, reply:result())
    assert.equal("i", reply:message().id)
    assert.equal(32, #reply:told().session_id)
  end)

  for asked, spoken in pairs {
    ["2025-11-25"] = "2025-11-25", ["2025-06-18"] = "2025-06-18", ["2025-03-26"] = "2025-03-26",
    ["2024-11-05"] = "2025-11-25", ["2026-07-28"] = "2025-11-25", ["1.0"] = "2025-11-25",
    [""] = "2025-11-25",
  } do
    it(("that asks for version '%s' is answered with %s"):format(asked, spoken), function()
      local reply = initialize(('{"protocolVersion":"%s","capabilities":{}}'):format(asked))
      assert.equal(spoken, reply:result().protocolVersion)
    end)
  end

  for _, params in ipairs {
    "{}", '{"protocolVersion":"2025-11-25"}', '{"capabilities":{}}',
    '{"protocolVersion":20251125,"capabilities":{}}',
    '{"protocolVersion":"2025-11-25","capabilities":[]}',
    '{"protocolVersion":"2025-11-25","capabilities":null}',
  } do
    it("that initializes with " .. params .. " is refused, and begins nothing", function()
      local reply = initialize(params)
      assert.equal(-32602, reply:error().code)
      assert.is_nil(reply:told().session_id)
    end)
  end

  it("that initializes without an id is refused", function()
    local reply = host:post '{"jsonrpc":"2.0","method":"initialize","params":{}}'
    assert.equal(400, reply:status())
    assert.equal("initialize must be a request", reply:error().message)
  end)

  it("that initializes in another dialect is refused", function()
    local reply = host:post '{"jsonrpc":"1.0","id":1,"method":"initialize","params":{}}'
    assert.equal(400, reply:status())
    assert.equal(-32600, reply:error().code)
  end)

  it("that is no JSON is refused with where it breaks", function()
    local reply = host:post '{"jsonrpc":"2.0",'
    assert.equal(400, reply:status())
    assert.equal(-32700, reply:error().code)
    assert.matches("^Parse error: .+ at byte 17$", reply:error().message)
  end)

  it("that is no message is refused with what is wrong", function()
    local session = host:initialize()
    for body, reason in pairs {
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}'] = "id must not be null",
      ['{"jsonrpc":"2.0","id":1}'] = "a message must hold a method, a result or an error",
      ["7"] = "a message must be an object",
    } do
      local reply = session:post(body)
      assert.equal(400, reply:status())
      assert.equal(reason, reply:error().message)
    end
  end)

  it("that asks for a method of the other era finds none", function()
    local reply = host:initialize():request "server/discover"
    assert.equal(200, reply:status()) -- a 404 would say that the session is gone
    assert.equal("Method not found: server/discover", reply:error().message)
  end)

  it("that is a notification is taken, known or not", function()
    local session = host:initialize()
    for _, method in ipairs { "notifications/initialized", "notifications/no/such" } do
      local reply = session:notify(method)
      assert.equal(202, reply:status())
      assert.is_nil(reply:told().body)
    end
  end)

  it("that cancels nothing is taken", function()
    local session = host:initialize()
    for _, params in ipairs { {}, { requestId = 7 }, { requestId = {} } } do
      assert.equal(202, session:notify("notifications/cancelled", params):status())
    end
    assert.equal(202, session:post('{"jsonrpc":"2.0","method":"notifications/cancelled"}'):status())
  end)
end)
