local bytecode = require("unit").bytecode

-- The uses in a source, in the order of their lines and names.
local function uses(source)
  local list = bytecode.uses(bytecode.dump(source))
  table.sort(list)
  return list
end

describe("the globals that a chunk uses", function()
  for source, expected in pairs {
    ["x = 1"] = { "1 set x" },
    ["local x = 1\nx = 2"] = {},
    ["\n\nfunction f() end"] = { "3 set f" },
    ["local t = {}\nfunction t.f() end"] = {},
    ["return io"] = { "1 get io" },
    ["return io.open"] = { "1 get io.open" },
    ["return io.open('x')"] = { "1 get io.open" },
    ["local x = io\nreturn x"] = { "1 get io" },
    ["return function()\n return function()\n y = os.time() end end"] =
      { "3 get os.time", "3 set y" },
    ["local up\nreturn function() up = up end"] = {},
    ["local _ENV = { x = 1 }\nx = 2"] = {},
    ["local a = 1\n" .. ("a = a + 1\n"):rep(500) .. "b = a"] = { "502 set b" },
    ["local a = 1" .. ("\n"):rep(300) .. "b = a"] = { "301 set b" },
    ["a = 1.5 + 7 + 2^53; b = nil; c = true; d = 'long' .. ('x')"] =
      { "1 set a", "1 set b", "1 set c", "1 set d" },
    ["a = '" .. ("x"):rep(500) .. "'"] = { "1 set a" },
    ["x.y = 1"] = { "1 get x" },
    ["local x <const> = 1; y = x"] = { "1 set y" },
    [""] = {},
  } do
    it(("are %d in %q"):format(#expected, source:sub(1, 60)), function()
      assert.same(expected, uses(source))
    end)
  end

  it("are not looked for in what is no dump of Lua 5.4", function()
    local dump = bytecode.dump "x = 1"
    assert.same({}, bytecode.uses "")
    assert.same({}, bytecode.uses "x = 1")
    for _, at in ipairs { 1, 4, 5, 6, 13, 14, 15 } do -- signature, version, format, sizes
      assert.same({}, bytecode.uses(dump:sub(1, at - 1) .. "\xEE" .. dump:sub(at + 1)))
    end
  end)

  it("are not made up from a dump that is cut short or damaged", function()
    local dump = bytecode.dump "local t = io.open; function f(a) g = a; return t(print) end"
    for n = 0, #dump - 1 do assert.is_table(bytecode.uses(dump:sub(1, n))) end
    for at = 32, #dump do
      for _, byte in ipairs { "\0", "\x7F", "\xFF" } do
        assert.is_table(bytecode.uses(dump:sub(1, at - 1) .. byte .. dump:sub(at + 1)))
      end
    end
  end)
end)
