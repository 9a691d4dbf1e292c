local registry = require("unit").registry
local script = require "support.script"

local TOOL = "\nrequire('mcp').tool { handler = function() end }\n"

-- Returns what a script of this text, and a module lib/m.lua, are told of.
local function findings(text, module)
  local files = { ["x.lua"] = text .. TOOL, ["lib/m.lua"] = module }
  local told = table.pack(registry.load(script.folder(files), { findings = true }))
  local list = told[told.n]
  local shown = {}
  for i, line in ipairs(list) do shown[i] = line:gsub("^scripts/", "") end
  return shown
end

local SHARED = "', which all calls of the script share: write local"

describe("a script's globals", function()
  after_each(script.clean)

  it("are no finding while it only uses what there is, or sets none", function()
    assert.same({}, findings [[
      local function f(...) return select("#", ...), table.unpack { ... } end
      print(f(os.time(), string.rep("x", 2), math.huge, utf8.char(1), require "json"))
      for _ in pairs {} do tostring(coroutine.wrap(f)) end
      string.trim = function(s) return s end
      print(string.trim "x")]])
  end)

  it("are told of where it first sets one, in a handler that never ran, too", function()
    assert.same({ "x.lua:1: warning: sets the global 'f" .. SHARED,
      "x.lua:2: warning: sets the global 'n" .. SHARED },
      findings "function f()\n  n = (n or 0) + 1; n = 2\nend\nf = nil")
  end)

  it("are told of where it reads one that nothing sets", function()
    assert.same({ "x.lua:2: warning: nothing sets the global 'answr'",
      "x.lua:3: warning: nothing sets the global 'pritn' (did you mean 'print'?)" },
      findings "local function f()\n  return answr or\n  pritn, answr\nend\nlocal _ = f")
  end)

  it("are told of where it uses what scripts do not have", function()
    local list = findings("local function f()\n return io.open('x'), os.execute('y'), os.date()"
      .. "\nend\nlocal _ = f")
    assert.equal(2, #list)
    assert.matches("^x%.lua:2: warning: io%.open is not available in scripts: use ", list[1])
    assert.matches("^x%.lua:2: warning: os%.execute is not available in scripts: ", list[2])
  end)

  it("are looked at in the modules it requires", function()
    assert.same({ "lib/m.lua:1: warning: sets the global 'shared" .. SHARED },
      findings("local m = require 'm'\nprint(m, shared)", "shared = 1\nreturn {}"))
  end)

  it("are looked at in a script that does not load", function()
    local list = findings "n = 1\nerror 'no'"
    table.sort(list)
    assert.same({ "x.lua:1: warning: sets the global 'n" .. SHARED, "x.lua:2: no" }, list)
  end)

  it("are no finding of a script that does not compile", function()
    assert.same({ "x.lua:1: unexpected symbol near '='" }, findings "x = = 1")
  end)
end)
