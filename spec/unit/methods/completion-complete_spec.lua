local inside = require "support.inside"

local SCRIPT = [[
local mcp = require "mcp"
mcp.prompt { name = "review", handler = print, arguments = { { name = "language" },
    { name = "framework" }, { name = "free" }, { name = "many" }, { name = "bad" },
    { name = "asks" } },
  complete = {
    language = { "Python", "PyPy", "Perl" },
    framework = function(value, args, ctx)
      ctx.store:append("c", value)
      return { (args.language or "?") .. ":" .. value }
    end,
    many = function()
      local list = {}
      for i = 1, 150 do list[i] = "v" .. i end
      return list
    end,
    bad = function() return { 1 } end,
    asks = function(_, _, ctx)
      return { ctx:elicit { message = "?", requestedSchema = { type = "object",
        properties = {} } }.action }
    end,
  } }
mcp.resource_template { uriTemplate = "docs://{page}", handler = print,
  complete = { page = function(value) return { values = { value .. "!" }, total = 7 } end } }
mcp.resource { uri = "docs://static", text = "" }
]]

describe("completion/complete", function()
  local host, session

  before_each(function()
    host = inside.start { scripts = { s = SCRIPT }, settle = true }
    session = host:initialize()
  end)

  after_each(function()
    inside.close(host)
  end)

  local function both(params, check)
    check(host:modern("completion/complete", params))
    check(session:request("completion/complete", params))
  end

  local function params(name, value, arguments)
    return { ref = { type = "ref/prompt", name = "review" },
      argument = { name = name, value = value },
      context = arguments and { arguments = arguments } }
  end

  local function completes(what, completion)
    both(what, function(visit) assert.same(completion, visit:result().completion) end)
  end

  it("finds those of a list that begin with what is typed, whatever their case", function()
    completes(params("language", "py"),
      { values = { "Python", "PyPy" }, total = 2, hasMore = false })
  end)

  it("asks a function, with what is filled in already", function()
    completes(params("framework", "fla", { language = "python" }),
      { values = { "python:fla" }, total = 1, hasMore = false })
    assert.equal(2, #host:rows("s", "c"))
  end)

  it("sends a hundred values at most, and says that there are more", function()
    both(params("many", ""), function(visit)
      local completion = visit:result().completion
      assert.equal(100, #completion.values)
      assert.equal(150, completion.total)
      assert.is_true(completion.hasMore)
    end)
  end)

  it("knows a template by its text and by a URI of it", function()
    for _, uri in ipairs { "docs://{page}", "docs://x" } do
      completes({ ref = { type = "ref/resource", uri = uri },
        argument = { name = "page", value = "a" } },
        { values = { "a!" }, total = 7, hasMore = true })
    end
  end)

  it("has nothing for an argument without suggestions", function()
    for _, name in ipairs { "free", "nobody" } do
      both(params(name, "x"), function(visit)
        assert.equal(0, #visit:result().completion.values)
      end)
    end
  end)

  it("is an internal error where the function fails or asks", function()
    for name, message in pairs { bad = "^review failed %(reference", asks = "it can't ask$" } do
      both(params(name, ""), function(visit)
        assert.equal(-32603, visit:error().code)
        assert.matches(message, visit:error().message)
      end)
    end
    assert.matches("complete: return a list of strings", host:log())
  end)

  it("refuses what is no reference to anything, or is malformed", function()
    local argument = { name = "a", value = "" }
    for _, wrong in ipairs {
      {}, { ref = "review", argument = argument }, { ref = { type = "ref/prompt", name = "x" },
        argument = argument },
      { ref = { type = "ref/tool", name = "review" }, argument = argument },
      { ref = { type = "ref/resource", uri = "x:y" }, argument = argument },
      { ref = { type = "ref/prompt", name = "review" } },
      { ref = { type = "ref/prompt", name = "review" }, argument = { name = "a", value = 1 } },
      { ref = { type = "ref/prompt", name = "review" }, argument = argument, context = 1 },
      { ref = { type = "ref/prompt", name = "review" }, argument = argument,
        context = { arguments = { b = 1 } } },
    } do
      both(wrong, function(visit) assert.equal(-32602, visit:error().code) end)
    end
  end)
end)
