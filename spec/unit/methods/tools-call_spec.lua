local inside = require "support.inside"
local rpc = require "support.rpc"

local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "add", inputSchema = { type = "object", required = { "a" }, properties = {
    a = { type = "integer", minimum = 0 }, b = { type = "integer" } } },
  check = function(args) if args.a == 13 then return nil, "13 brings bad luck" end end,
  handler = function(args, ctx)
    ctx.store:append("c", args.a)
    return tostring(args.a + (args.b or 0))
  end }
mcp.tool { name = "open", inputSchema = { type = "object" }, handler = function(_, ctx)
    ctx.store:append("c", 1)
  end }
mcp.tool { name = "bare", handler = function(args) return next(args) and "some" or "none" end }
]]

describe("tools/call", function()
  local host, session

  before_each(function()
    host = inside.start { scripts = { s = SCRIPT }, settle = true }
    session = host:initialize()
  end)

  after_each(function()
    inside.close(host)
  end)

  -- Calls in both eras, and asserts of each that nothing was stored.
  local function each(name, arguments, check)
    for _, visit in ipairs { host:call(name, arguments), session:call(name, arguments) } do
      check(visit)
    end
    assert.same({}, host:rows("s", "c"))
  end

  it("runs the handler with the arguments", function()
    assert.equal("5", host:call("add", { a = 2, b = 3 }):text())
    assert.equal("2", session:call("add", { a = 2 }):text())
    assert.equal(2, #host:rows("s", "c"))
  end)

  it("takes missing arguments for none", function()
    each("bare", nil, function(visit) assert.equal("none", visit:text()) end)
    each("bare", {}, function(visit) assert.equal("none", visit:text()) end)
  end)

  for shown, arguments in pairs {
    ["a missing one"] = { b = 1 }, ["one of the wrong type"] = { a = "2" },
    ["one out of bounds"] = { a = -1 }, ["a fraction"] = { a = 1.5 },
  } do
    it("answers arguments with " .. shown .. " with an error of the tool", function()
      each("add", arguments, function(visit)
        assert.equal(200, visit:status())
        assert.is_true(visit:is_error())
        assert.matches("^Invalid arguments for add: a ", visit:text())
      end)
    end)
  end

  it("answers arguments that the tool's own check refuses with its reason", function()
    each("add", { a = 13 }, function(visit)
      assert.is_true(visit:is_error())
      assert.equal("13 brings bad luck", visit:text())
    end)
  end)

  it("answers a number that a script could only have as an infinity with where it is", function()
    for _, number in ipairs { "1e400", "-1e400", ("9"):rep(400) } do
      local visit = session:post(('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'
        .. '{"name":"open","arguments":{"list":[1e308,{"n":%s}]}}}'):format(number))
      assert.is_true(visit:is_error())
      assert.matches("^Invalid arguments for open: list%[1%]%.n must be a number up to 1%.8e308",
        visit:text())
    end
    assert.same({}, host:rows("s", "c"))
  end)

  it("refuses arguments that are no object", function()
    for _, arguments in ipairs { rpc.null, "x", 7, { 1 }, true } do
      each("add", arguments, function(visit)
        assert.equal(-32602, visit:error().code)
        assert.equal("params.arguments must be an object", visit:error().message)
      end)
    end
  end)

  it("finds no tool of another name, and says so", function()
    for _, name in ipairs { "nope", "Add", "ad", "add ", "" } do
      each(name, { a = 1 }, function(visit)
        assert.equal(200, visit:status())
        assert.equal(-32602, visit:error().code)
        assert.equal("Tool not found: " .. name, visit:error().message)
      end)
    end
  end)

  it("refuses a name that is missing or no text", function()
    for _, params in ipairs { "{}", '{"name":7}', '{"name":null}', '{"name":["add"]}' } do
      local visit = session:post(('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}')
        :format(params))
      assert.equal(-32602, visit:error().code)
      assert.equal("params.name must be the name of a tool", visit:error().message)
    end
    local visit = session:post '{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
    assert.equal(-32602, visit:error().code)
  end)
end)
