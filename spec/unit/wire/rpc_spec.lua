local cjson = require "cjson"
local rpc = require("unit").rpc

-- Ids that must come back byte for byte, as JSON text.
local IDS = {
  "0", '""', "-1", "-0", "9007199254740993", "123456789012345678901234567890", '"0"',
  '"' .. ("x"):rep(4096) .. '"', [["\u0061\/\"\\\n\ud83d\ude00"]], '"é 会議 🎉"', '" "',
}

local function refused(text)
  local m, code, reason = rpc.read(text)
  assert.is_string(code, "was not refused: " .. text)
  assert.equal("invalid_request", code)
  return reason, m.id
end

describe("rpc codes", function()
  it("have the numbers and the HTTP statuses of the specification", function()
    assert.same({
      parse_error = "-32700/400", invalid_request = "-32600/400", method_not_found = "-32601/404",
      legacy_method_not_found = "-32601/200",
      invalid_params = "-32602/200", invalid_meta = "-32602/400", internal_error = "-32603/500",
      handler_failed = "-32603/200", resource_not_found = "-32002/200",
      header_mismatch = "-32020/400", capability_missing = "-32021/400",
      version_unsupported = "-32022/400", url_elicitation_required = "-32042/200",
      session_not_found = "-32001/404", busy = "-32603/503",
    }, rpc.codes())
  end)
end)

describe("rpc_read", function()
  it("reads a message with a method and an id as a request", function()
    assert.same({ kind = "request", id = "7", method = "tools/call", params = '{"name":"x"}' },
      rpc.read '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}}')
  end)

  it("reads a message with a method and no id as a notification", function()
    assert.same({ kind = "notification", method = "notifications/initialized" },
      rpc.read '{"jsonrpc":"2.0","method":"notifications/initialized"}')
  end)

  it("reads a result, whatever its type, as a response", function()
    for _, result in ipairs { "{}", '{"action":"accept"}', "null", "[]", "false" } do
      assert.same({ kind = "response", id = '"q-1"', result = result },
        rpc.read('{"jsonrpc":"2.0","id":"q-1","result":' .. result .. "}"))
    end
  end)

  it("reads an error as a response, with or without an id", function()
    local body = '{"code":-32600,"message":"no","data":[1]}'
    assert.same({ kind = "response", id = "1", error = body },
      rpc.read('{"jsonrpc":"2.0","id":1,"error":' .. body .. "}"))
    assert.same({ kind = "response", error = body },
      rpc.read('{"jsonrpc":"2.0","error":' .. body .. "}"))
  end)

  it("ignores members it does not know and the order of those it does", function()
    assert.same({ kind = "request", id = "1", method = "ping" },
      rpc.read ' { "x":{"id":2}, "method" : "ping" , "id" : 1 , "jsonrpc":"2.0" } ')
  end)

  it("keeps an id exactly as it was written", function()
    for _, id in ipairs(IDS) do
      local m = rpc.read('{"jsonrpc":"2.0","id":' .. id .. ',"method":"ping"}')
      assert.equal("request", m.kind)
      assert.equal(id, m.id)
    end
  end)

  it("refuses a number with a fraction or an exponent as an id, even if it is whole", function()
    for _, id in ipairs { "1.5", "1.0", "1e2", "1E2", "-0.0", "0e0" } do
      local reason, kept = refused('{"jsonrpc":"2.0","id":' .. id .. ',"method":"ping"}')
      assert.equal("id must be an integer, written without fraction and exponent", reason)
      assert.is_nil(kept)
    end
  end)

  it("refuses null and any other type as an id", function()
    assert.equal("id must not be null", (refused '{"jsonrpc":"2.0","id":null,"method":"ping"}'))
    for _, id in ipairs { "true", "false", "[]", "[1]", "{}" } do
      local reason, kept = refused('{"jsonrpc":"2.0","id":' .. id .. ',"method":"ping"}')
      assert.equal("id must be a string or an integer", reason)
      assert.is_nil(kept)
    end
  end)

  it("refuses a value that is no object", function()
    for _, text in ipairs { "null", "1", '"x"', "true" } do
      assert.equal("a message must be an object", (refused(text)))
    end
  end)

  it("refuses a batch and says so", function()
    for _, text in ipairs { "[]", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]' } do
      assert.equal("batches are not supported: send one message at a time", (refused(text)))
    end
  end)

  it("refuses any jsonrpc but the string 2.0, and keeps the id for the reply", function()
    for _, member in ipairs { '"jsonrpc":"1.0",', '"jsonrpc":2.0,', '"jsonrpc":null,',
      '"jsonrpc":"2.0 ",', '"JSONRPC":"2.0",', "" } do
      local reason, id = refused("{" .. member .. '"id":7,"method":"ping"}')
      assert.equal('jsonrpc must be "2.0"', reason)
      assert.equal("7", id)
    end
  end)

  it("refuses a method that is no string", function()
    for _, method in ipairs { "null", "1", "{}", '["ping"]', "true" } do
      local reason, id = refused('{"jsonrpc":"2.0","id":"a","method":' .. method .. "}")
      assert.equal("method must be a string", reason)
      assert.equal('"a"', id)
    end
  end)

  it("refuses params that are no object", function()
    for _, params in ipairs { "null", "[]", "[1]", '"x"', "1", "true" } do
      assert.equal("params must be an object",
        (refused('{"jsonrpc":"2.0","id":1,"method":"ping","params":' .. params .. "}")))
    end
  end)

  it("refuses a method together with a result or an error", function()
    local reason = "a message with a method must not hold a result or an error"
    assert.equal(reason, (refused '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}'))
    assert.equal(reason, (refused '{"jsonrpc":"2.0","id":1,"method":"ping","error":null}'))
    assert.equal(reason, (refused '{"jsonrpc":"2.0","method":"ping","result":null}'))
  end)

  it("refuses a message with neither method, result nor error", function()
    assert.equal("a message must hold a method, a result or an error",
      (refused '{"jsonrpc":"2.0","id":1}'))
    assert.equal("a message must hold a method, a result or an error",
      (refused '{"jsonrpc":"2.0"}'))
  end)

  it("refuses a response with both a result and an error", function()
    assert.equal("a response must not hold both a result and an error",
      (refused '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}'))
  end)

  it("refuses a result without an id", function()
    assert.equal("a response must carry the id of its request",
      (refused '{"jsonrpc":"2.0","result":{}}'))
  end)

  it("refuses an error without an integer code and a string message", function()
    for _, body in ipairs { "null", "{}", '"x"', "[]", '{"code":1}', '{"message":"x"}',
      '{"code":"1","message":"x"}', '{"code":1.5,"message":"x"}', '{"code":1,"message":null}' } do
      assert.equal("an error must hold an integer code and a string message",
        (refused('{"jsonrpc":"2.0","id":1,"error":' .. body .. "}")))
    end
  end)
end)

describe("rpc_write", function()
  it("writes a result with the id as it was sent", function()
    for _, id in ipairs(IDS) do
      assert.equal('{"jsonrpc":"2.0","id":' .. id .. ',"result":{"a":1}}', rpc.result(id,
        '{"a":1}'))
    end
  end)

  it("writes an error with its number, its message and its data", function()
    assert.equal('{"jsonrpc":"2.0","id":0,"error":{"code":-32022,"message":"no \\"x\\"",'
      .. '"data":{"supported":[]}}}',
      rpc.error("0", "version_unsupported", 'no "x"', '{"supported":[]}'))
  end)

  it("leaves out an absent id and absent data", function()
    assert.equal('{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}',
      rpc.error("", "parse_error", "x", ""))
  end)

  it("writes an error that is JSON whatever the message holds", function()
    local message = 'a"b\\c\n\0\27 é'
    local read = cjson.decode(rpc.error("1", "internal_error", message, ""))
    assert.equal(message, read.error.message)
  end)

  it("writes a request of ours, with and without params", function()
    assert.equal('{"jsonrpc":"2.0","id":"e1","method":"elicitation/create","params":{"m":1}}',
      rpc.request('"e1"', "elicitation/create", '{"m":1}'))
    assert.equal('{"jsonrpc":"2.0","id":"e2","method":"roots/list"}',
      rpc.request('"e2"', "roots/list", ""))
  end)

  it("writes a notification, which has no id", function()
    assert.equal('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
      rpc.notification("notifications/tools/list_changed", ""))
    assert.equal('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}',
      rpc.notification("notifications/progress", '{"progress":1}'))
  end)

  it("knows an id by its value, however its string is escaped", function()
    assert.is_true(rpc.is_id('"a\\u0062/"', '"ab\\/"'))
    assert.is_true(rpc.is_id("9007199254740993", "9007199254740993"))
    for id, other in pairs { ["1"] = '"1"', ["9007199254740993"] = "9007199254740992",
      ['"a"'] = '"A"', ["0"] = "null" } do
      assert.is_false(rpc.is_id(id, other), id)
    end
  end)

  it("writes what rpc_read reads back", function()
    for _, id in ipairs(IDS) do
      assert.same({ kind = "response", id = id, result = "{}" }, rpc.read(rpc.result(id, "{}")))
      assert.same({ kind = "request", id = id, method = "ping" }, rpc.read(rpc.request(id, "ping",
        "")))
    end
  end)
end)
