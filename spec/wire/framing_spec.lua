-- What is a message and what is not: JSON as strict as it is written, ids as they were sent.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"

local PARSE_ERROR, INVALID_REQUEST = -32700, -32600

-- A tools/list of the modern era with `id` and one more member of params, both as JSON text.
local function list_request(id, extra)
  local meta = [["_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",]]
    .. [["io.modelcontextprotocol/clientCapabilities":{}}]]
  return ([[{"jsonrpc":"2.0","id":%s,"method":"tools/list","params":{%s%s}}]]):format(
    id, meta, extra and ',"x":' .. extra or ""
  )
end

local LIST_HEADERS = {
  ["MCP-Protocol-Version"] = modern.VERSION,
  ["Mcp-Method"] = "tools/list",
}

local function nested(depth)
  return ("["):rep(depth) .. ("]"):rep(depth)
end

local function numbers(count)
  return "[" .. ("0,"):rep(count - 1) .. "0]"
end

local NOT_JSON = {
  { "is empty", "" },
  { "is cut short", '{"jsonrpc":"2.0","id":1,' },
  { "goes on behind the value", list_request("1") .. "x" },
  { "holds two messages", list_request("1") .. list_request("2") },
  { "ends with a NUL", list_request("1") .. "\0" },
  { "starts with a byte order mark", "\u{FEFF}" .. list_request("1") },
  { "has the same key twice", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}' },
  {
    "has the same key twice, once escaped",
    '{"jsonrpc":"2.0","id":1,"\\u0069d":2,"method":"ping"}',
  },
  { "has the same key twice deep inside", list_request("1", '{"a":{"b":1,"b":2}}') },
  { "has a byte that is no UTF-8", list_request("1", '"\xff"') },
  { "has an overlong UTF-8 sequence", list_request("1", '"\xc0\xaf"') },
  { "has a surrogate as UTF-8", list_request("1", '"\xed\xa0\x80"') },
  { "has a UTF-8 sequence that is cut short", list_request("1", '"\xe2\x82"') },
  { "escapes half a surrogate pair", list_request("1", [["\ud83d"]]) },
  { "has a bare control character in a string", list_request("1", '"a\nb"') },
  { "has a number with a leading zero", list_request("1", "01") },
  { "has NaN", list_request("1", "NaN") },
  { "has Infinity", list_request("1", "Infinity") },
  { "has a trailing comma", list_request("1", "[1,]") },
  { "has a comment", list_request("1", "/**/1") },
  { "has single quotes", list_request("1", "'a'") },
  -- The array stands inside two objects: the message and its params.
  { "is nested 65 deep", list_request("1", nested(63)) },
  { "has 100,001 values", list_request("1", numbers(100001)) },
}

local NOT_A_REQUEST = {
  { "null", "null" },
  { "a number", "1" },
  { "a string", '"ping"' },
  { "an empty array", "[]" },
  { "an array of requests", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]' },
  { "an empty object", "{}" },
  { "without jsonrpc", '{"id":1,"method":"ping"}' },
  { "of JSON-RPC 1.0", '{"jsonrpc":"1.0","id":1,"method":"ping"}' },
  { "with jsonrpc as a number", '{"jsonrpc":2.0,"id":1,"method":"ping"}' },
  { "with a null id", list_request("null") },
  { "with a fractional id", list_request("1.5") },
  { "with an id of true", list_request("true") },
  { "with an object for an id", list_request("{}") },
  { "with a method that is no string", '{"jsonrpc":"2.0","id":1,"method":7}' },
  { "with params that are an array", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}' },
  { "with params that are null", '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}' },
  { "with a method and a result", '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}' },
  {
    "with a result and an error",
    '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}',
  },
  { "with an error that has no code", '{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}' },
}

local IDS = {
  { "zero", "0" },
  { "a negative number", "-7" },
  { "2^53 + 1", "9007199254740993" },
  { "the largest integer of 64 bits", "9223372036854775807" },
  { "the empty string", '""' },
  { "a string of 4 KiB", '"' .. ("x"):rep(4096) .. '"' },
  { "a string beyond ASCII", '"Überblick 会議"' },
  { "a string with escapes", [["a\u0041\/\n\ud83d\ude00"]] },
  { "a string that looks like a number", '"1"' },
}

describe("a message", function()
  local host

  setup(function()
    host = process.start()
  end)

  teardown(function()
    process.close(host)
  end)

  local function assert_refused(code, reply)
    assert.equal(400, reply.status)
    assert.equal("application/json", reply.headers["content-type"])
    assert.equal(code, rpc.open(reply).error.code)
    assert.equal("2.0", reply.json.jsonrpc)
    assert.is_string(reply.error.message)
  end

  for _, case in ipairs(NOT_JSON) do
    local name, body = table.unpack(case)
    it("that " .. name .. " is a parse error without an id", function()
      local reply = http.post(host, body, LIST_HEADERS)
      assert_refused(PARSE_ERROR, reply)
      assert.is_nil(reply.json.id)
    end)
  end

  for _, case in ipairs(NOT_A_REQUEST) do
    local name, body = table.unpack(case)
    it(name .. " is an invalid request", function()
      assert_refused(INVALID_REQUEST, http.post(host, body, LIST_HEADERS))
    end)
  end

  for _, case in ipairs {
    { "nested 64 deep", nested(62) },
    { "of 99,900 values", numbers(99900) },
    { "with every escape", [["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"]] },
    { "with numbers of every kind", "[0,-0,1e5,1E-5,0.5,123456789012345678901234567890]" },
    { "with the longest UTF-8 sequences", '"\u{10FFFF}\u{FFFF}\u{7FF}"' },
  } do
    local name, extra = table.unpack(case)
    it(name .. " is served", function()
      local reply = rpc.open(http.post(host, list_request("1", extra), LIST_HEADERS))
      assert.equal(200, reply.status)
      assert.equal("book_meeting", reply.result.tools[1].name)
    end)
  end

  it("may have white space around it", function()
    local body = " \r\n\t" .. list_request("1") .. "\n \n"
    assert.equal(200, http.post(host, body, LIST_HEADERS).status)
  end)

  for _, case in ipairs(IDS) do
    local name, id = table.unpack(case)

    local function assert_echoed(body)
      local _, last = body:find('"id":' .. id, 1, true)
      assert.truthy(last and body:find("^[,}]", last + 1), body:sub(1, 200))
    end

    it("of the modern era gets " .. name .. " back as its id", function()
      local reply = http.post(host, list_request(id), LIST_HEADERS)
      assert.equal(200, reply.status)
      assert_echoed(reply.body)
    end)

    it("of the legacy era gets " .. name .. " back as its id", function()
      local client = legacy.connect(host)
      local reply = client:post(('{"jsonrpc":"2.0","id":%s,"method":"ping"}'):format(id))
      assert.equal(200, reply.status)
      assert_echoed(reply.body)
    end)

    it("that fails gets " .. name .. " back as its id", function()
      local body = list_request(id):gsub("tools/list", "no/such")
      local headers = { ["MCP-Protocol-Version"] = modern.VERSION, ["Mcp-Method"] = "no/such" }
      local reply = http.post(host, body, headers)
      assert.equal(404, reply.status)
      assert_echoed(reply.body)
    end)
  end
end)
