local script = require "support.script"

local function with(files, source)
  local inside = {}
  for name, text in pairs(files) do inside["lib/" .. name] = text end
  return script.vm(source, { files = inside })
end

local function value(files, source)
  local vm, result = with(files, source)
  assert(vm, result)
  return result
end

local function problem(files, source)
  local vm, why = with(files, source)
  assert.is_nil(vm)
  return why
end

describe("require", function()
  after_each(script.clean)

  it("gives mcp, json and cjson, each the same every time", function()
    assert.equal("true true true", script.eval [[
      local same = {}
      for i, name in ipairs { "mcp", "json", "cjson" } do
        same[i] = tostring(require(name) == require(name) and type(require(name)) == "table")
      end
      return table.concat(same, " ")
    ]])
  end)

  it("runs a file of lib/ once, with its name as argument", function()
    assert.equal("m m 1", value({ ["m.lua"] = "runs = (runs or 0) + 1; return { name = ... }" }, [[
      return require "m".name .. " " .. require "m".name .. " " .. runs
    ]]))
  end)

  it("looks in folders of lib/ for what has dots", function()
    assert.equal("deep", value({ ["a/b/c_1.lua"] = "return 'deep'" }, "return require 'a.b.c_1'"))
  end)

  it("gives true for a module that returns nothing, and false for one that returns false",
    function()
      assert.equal("true true false false", value({
        ["none.lua"] = "",
        ["no.lua"] = "return false",
      }, [[
        return ("%s %s %s %s"):format(require "none", require "none", require "no", require "no")
      ]]))
    end)

  it("lets modules require others", function()
    assert.equal("from b", value({
      ["a.lua"] = "return require 'b'",
      ["b.lua"] = "return 'from b'",
    }, "return require 'a'"))
  end)

  it("refuses a module that requires itself, directly or not", function()
    assert.equal("scripts/lib/a.lua:1: module 'a' requires itself, directly or through another",
      problem({ ["a.lua"] = "return require 'a'" }, "require 'a'"))
    assert.equal("scripts/lib/b.lua:1: module 'a' requires itself, directly or through another",
      problem({ ["a.lua"] = "require 'b'", ["b.lua"] = "require 'a'" }, "require 'a'"))
  end)

  it("tells the same reason each time for a module that failed", function()
    assert.equal("scripts/lib/a.lua:2: broken scripts/lib/a.lua:2: broken",
      value({ ["a.lua"] = "\nerror 'broken'" }, [[
        local _, first = pcall(require, "a")
        local _, second = pcall(require, "a")
        return first .. " " .. second
      ]]))
  end)

  it("names file and line of a syntax error in a module", function()
    assert.equal("scripts/lib/a.lua:2: unexpected symbol near '=='",
      problem({ ["a.lua"] = "local x\n== 1" }, "require 'a'"))
  end)

  it("says where it looked for what is not there, and what there is", function()
    local why = problem({}, "\nrequire 'missing.part'")
    assert.matches("^scripts/x%.lua:2: module 'missing%.part' can't be read %(", why)
    assert.matches("/scripts/lib/missing/part%.lua: No such file or directory%); ", why)
    assert.matches("scripts can require mcp, json, cjson and the files in lib/$", why)
  end)

  it("refuses names that could lead out of lib/", function()
    for _, name in ipairs {
      "../x", "..", ".", "a..b", ".a", "a.", "a/b", "/etc/passwd", "a\\b", "a b", "", "ä", "a-b",
    } do
      assert.equal(("scripts/x.lua:1: '%s' is no module name: "):format(name)
        .. "letters, digits and _, parts joined by dots",
        problem({ ["a/b.lua"] = "return 1" }, ("require %q"):format(name)))
    end
  end)

  it("does not reach the scripts themselves, nor what Lua would find", function()
    for _, name in ipairs { "x", "string", "io", "os", "debug", "package", "lfs", "unit" } do
      assert.matches("^scripts/x%.lua:1: module '" .. name .. "' can't be read",
        problem({}, ("require %q"):format(name)))
    end
  end)

  it("wants a string", function()
    assert.matches("^scripts/x%.lua:1: bad argument #1 to 'require'", problem({}, "require {}"))
  end)

  it("refuses a module that is compiled, or larger than 64 KiB", function()
    assert.matches("lib/a%.lua: is compiled Lua; only source text is run",
      problem({ ["a.lua"] = string.dump(function() end) }, "require 'a'"))
    assert.matches("lib/a%.lua: larger than 64 KiB",
      problem({ ["a.lua"] = ("-"):rep(64 * 1024 + 1) }, "require 'a'"))
  end)

  it("stops a module that runs for ever", function()
    local vm, why = script.vm("require 'a'",
      { files = { ["lib/a.lua"] = "while true do end" }, cpu_us = 20000 })
    assert.is_nil(vm)
    assert.equal("scripts/x.lua: CPU time used up (vm_cpu) while loading", why)
  end)
end)
