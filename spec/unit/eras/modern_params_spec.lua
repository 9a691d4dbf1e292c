local inside = require "support.inside"
local rpc = require "support.rpc"

local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "t", inputSchema = { type = "object", properties = {
    region = { type = { "string", "null" }, ["x-mcp-header"] = "Region" },
    count = { type = "integer", ["x-mcp-header"] = "Count" },
    deep = { type = "object", properties = {
      dry = { type = "boolean", ["x-mcp-header"] = "Dry" } } } } },
  handler = function(_, ctx)
    ctx.store:append("c", 1)
    return "ran"
  end }
mcp.tool { name = "plain", inputSchema = { type = "object" },
  handler = function() return "ran" end }
]]

describe("the headers that repeat parameters", function()
  local host

  before_each(function()
    host = inside.start { scripts = { s = SCRIPT }, settle = true }
  end)

  after_each(function()
    inside.close(host)
  end)

  local function call(arguments, headers, name)
    return host:call(name or "t", arguments, { spoil = function(_, all)
      for header, value in pairs(headers) do all["Mcp-Param-" .. header] = value end
    end })
  end

  local function passes(arguments, headers)
    assert.equal("ran", call(arguments, headers):text())
  end

  local function refused(arguments, headers)
    local before = #host:rows("s", "c")
    local visit = call(arguments, headers)
    assert.equal(-32020, visit:error().code)
    assert.equal(400, visit:status())
    assert.equal(before, #host:rows("s", "c"))
    return visit:error().message
  end

  it("must be there and say the same", function()
    passes({ region = "eu", count = 42, deep = { dry = true } },
      { Region = "eu", Count = "42", Dry = "true" })
    assert.matches("Mcp%-Param%-Region is missing", refused({ region = "eu" }, {}))
    assert.matches("Mcp%-Param%-Region does not match",
      refused({ region = "eu" }, { Region = "EU" }))
    refused({ deep = { dry = false } }, { Dry = "true" })
    refused({ deep = { dry = true } }, { Dry = "True" })
  end)

  it("say it in base64 where it is no plain text", function()
    passes({ region = "Hello, 世界" }, { Region = "=?base64?SGVsbG8sIOS4lueVjA==?=" })
    passes({ region = " padded " }, { Region = "=?base64?IHBhZGRlZCA=?=" })
    passes({ region = "eu" }, { Region = "=?base64?ZXU=?=" })
    assert.equal(3, #host:rows("s", "c"))
  end)

  it("are refused in any other encoding", function()
    for _, value in ipairs { "=?base64?ZXU?=", "=?base64?Z!U=?=", "=?BASE64?ZXU=?=", "\xc3\xa9" } do
      refused({ region = "eu" }, { Region = value })
    end
    assert.matches("is neither plain ASCII nor", refused({ region = "é" }, { Region = "é" }))
  end)

  it("are numbers where the argument is one", function()
    for _, text in ipairs { "42", "42.0", "4.2e1" } do passes({ count = 42 }, { Count = text }) end
    assert.equal(3, #host:rows("s", "c"))
  end)

  it("are no numbers that JSON has not", function()
    for _, text in ipairs { "43", "042", "+42", "0x2a", "42 ", "", "forty-two", "true" } do
      refused({ count = 42 }, { Count = text })
    end
  end)

  it("are left out where the argument is, or is null", function()
    passes({}, {})
    passes({ region = rpc.null }, {})
    assert.equal(2, #host:rows("s", "c"))
  end)

  it("are not there without their argument", function()
    refused({}, { Region = "eu" })
    refused({ region = rpc.null }, { Region = "null" })
    refused({ deep = {} }, { Dry = "true" })
  end)

  it("leave an argument of another type to the schema", function()
    assert.is_true(call({ region = { "eu" } }, {}):is_error())
    assert.same({}, host:rows("s", "c"))
  end)

  it("are not looked at where the tool has none, nor in the legacy era", function()
    assert.equal("ran", call({}, { Region = "eu" }, "plain"):text())
    assert.equal("ran", host:initialize():call("t", { region = "eu" }):text())
  end)
end)
