local absent = require("unit").absent
local lfs = require "lfs"
local script = require "support.script"

describe("what scripts do not have", function()
  after_each(script.clean)

  it("is told with what to use instead", function()
    for name, advice in pairs {
      io = "use ctx:read", ["io.open"] = "use ctx:read", ["io.stdout.write"] = "use ctx:read",
      ["os.getenv"] = "use ctx:env", load = "require it", unpack = "use table.unpack",
    } do
      assert.truthy(absent.advice(name):find(advice, 1, true), name)
    end
  end)

  it("is nothing that they have, and nothing that nobody has", function()
    for _, name in ipairs { "os", "os.time", "string", "print", "iox", "loads", "getenv", "" } do
      assert.is_nil(absent.advice(name), name)
    end
  end)

  it("is absent indeed, with every name in the list", function()
    local file = assert(io.open(lfs.currentdir() .. "/core/script/absent.c"))
    local source = file:read "a"
    file:close()
    local names = {}
    for name in source:gmatch '\n    {"([%w_.]+)", "' do names[#names + 1] = name end
    assert.is_true(#names > 20)
    for _, name in ipairs(names) do
      assert.equal("nil", script.eval(("return type(%s)"):format(name)), name)
    end
  end)

  local CALL = "x.lua:1: attempt to call a nil value (field 'execute')"

  it("is added to Lua's message about a nil of that name", function()
    assert.matches("^: io is not available in scripts: use ctx:read",
      absent.explain("x.lua:1: attempt to index a nil value (global 'io')"))
    assert.matches("^: os%.execute is not available in scripts: ",
      absent.explain(CALL, "  return os.execute('ls')"))
  end)

  it("is told of ctx and mcp as what they are", function()
    assert.equal(": ctx is no global: it is the second argument of handler = function(args, ctx); "
      .. "while a script loads, nothing can be asked",
      absent.explain "x.lua:1: attempt to index a nil value (global 'ctx')")
    assert.equal(": mcp is no global: begin with local mcp = require \"mcp\"",
      absent.explain "x.lua:1: attempt to index a nil value (global 'mcp')")
  end)

  it("is not added to other messages", function()
    for _, message in ipairs { "", "no io", "(global 'io", "nil value (global '",
      "x.lua:1: attempt to index a nil value (local 'io')",
      "x.lua:1: attempt to index a nil value (global 'x')" } do
      assert.equal("", absent.explain(message, "io.open os.execute"))
    end
    assert.equal("", absent.explain(CALL, "db.execute()"))
    assert.equal("", absent.explain(CALL))
  end)

  it("is told in the reason of a load and of a run that fail", function()
    assert.matches("^scripts/x%.lua:2: attempt to index a nil value %(global 'io'%): io is not "
      .. "available in scripts: use ctx:read", script.failure "\nlocal f = io.open 'x'")
    assert.matches("attempt to call a nil value %(field 'getenv'%): os%.getenv is not available",
      script.handle("return os.getenv 'HOME'"):reason())
  end)
end)
