local script = require "support.script"
local unit = require "unit"

local KIBIBYTES_64 = 64 * 1024

-- A script of exactly `n` bytes that returns "ran".
local function padded(n)
  local code = "return 'ran' --"
  return code .. ("x"):rep(n - #code)
end

local function run_in(folder, path)
  local vm = assert(unit.vm.new { name = "x", folder = folder })
  local ok, value = vm:run(path)
  return ok, value, vm
end

describe("a VM", function()
  after_each(script.clean)

  it("gives what the file returns, and is good for more", function()
    local vm, value = script.vm "return 'first'"
    assert.equal("first", value)
    local folder = script.folder { ["y.lua"] = "return 'second'" }
    assert.same({ true, "second" }, { vm:run(folder .. "/y.lua") })
    assert.equal(0, vm:height())
  end)

  it("leaves nothing on its stack when the file fails", function()
    local _, _, vm = script.vm "error 'no'"
    assert.equal(0, vm:height())
  end)

  it("names folder, file and line of a mistake", function()
    assert.equal("scripts/x.lua:3: '}' expected (to close '{' at line 1) near 'b'",
      script.failure "local a = {\n  a = 1\n  b = 2 }")
    assert.equal("scripts/x.lua:2: attempt to index a nil value (global 'nothing')",
      script.failure "\nnothing.x = 1")
    assert.equal("scripts/x.lua:2: said so", script.failure "\nerror 'said so'")
  end)

  it("names them too when the folder's path ends in slashes", function()
    local folder = script.folder {
      ["x.lua"] = "require 'broken'",
      ["lib/broken.lua"] = "error 'said so'",
    }
    local ok, why = run_in(folder .. "//", folder .. "//x.lua")
    assert.is_false(ok)
    assert.equal("scripts/lib/broken.lua:1: said so", why)
  end)

  it("says what kind of error it was if it has no text", function()
    assert.equal("an error that is a table, not a text", script.failure "error {}")
    assert.equal("an error that is a nil, not a text", script.failure "error(nil)")
    assert.equal("an error that is a table, not a text",
      script.failure "error(setmetatable({}, { __tostring = function() return 'called' end }))")
    assert.equal("what mcp.fail said", script.failure "require('mcp').fail 'what mcp.fail said'")
  end)

  it("runs a file of 64 KiB, and none that is larger", function()
    assert.equal("ran", script.eval(padded(KIBIBYTES_64)))
    assert.matches("/scripts/x%.lua: larger than 64 KiB; move parts of it to lib/$",
      script.failure(padded(KIBIBYTES_64 + 1)))
  end)

  it("runs text only", function()
    assert.matches("/scripts/x%.lua: is compiled Lua; only source text is run$",
      script.failure(string.dump(function() return "ran" end)))
  end)

  it("overlooks the byte order mark that some editors write", function()
    assert.equal("ran", script.eval "\xEF\xBB\xBFreturn 'ran'")
    assert.matches("^scripts/x%.lua:1: ", script.failure "return 1\xEF\xBB\xBF")
  end)

  it("runs an empty file", function()
    assert.is_nil(script.eval "")
  end)

  it("names the file that it can't read", function()
    local folder = script.folder { ["d/x.lua"] = "" }
    local ok, why = run_in(folder, folder .. "/none.lua")
    assert.is_false(ok)
    assert.equal(folder .. "/none.lua: No such file or directory", why)
    ok, why = run_in(folder, folder .. "/d")
    assert.is_false(ok)
    assert.equal(folder .. "/d: Is a directory", why)
  end)

  it("shares nothing with another", function()
    script.vm "shared = 'here'; string.mark = 1; require('mcp').mark = 1; require('json').mark = 1"
    assert.equal("nil nil nil nil", script.eval [[
      return ("%s %s %s %s"):format(shared, string.mark, require("mcp").mark, require("json").mark)
    ]])
  end)

  it("is not made with less memory than its library needs", function()
    for _, memory in ipairs { 0, 1000, 20000 } do
      local vm, why = unit.vm.new { name = "small", folder = "scripts", memory = memory }
      assert.is_nil(vm)
      assert.equal("small: memory used up (vm_memory) before the script was loaded", why)
    end
  end)

  it("does host work without letting an error through", function()
    local vm = script.vm ""
    assert.is_true(vm:protect("nothing"))
    assert.same({ nil, "no such luck" }, { vm:protect("text", "no such luck") })
    assert.same({ nil, "an error that is a table, not a text" }, { vm:protect("table") })
    assert.equal(0, vm:height())
  end)
end)
