local script = require "support.script"

describe("getmetatable", function()
  after_each(script.clean)

  it("gives nil for everything but tables", function()
    assert.equal("nil nil nil nil", script.eval [[
      return ("%s %s %s %s"):format(getmetatable "", getmetatable(1), getmetatable(print),
        getmetatable(require "mcp".null))
    ]])
  end)

  it("gives the table that setmetatable was given", function()
    assert.equal("true", script.eval [[
      local mt = {}
      local t = setmetatable({}, mt)
      return getmetatable(t) == mt
    ]])
  end)

  it("gives none that the script has not set", function()
    assert.equal("nil nil nil", script.eval [[
      local _, failure = pcall(require "mcp".fail, "x")
      return ("%s %s %s"):format(getmetatable(require "mcp".array {}), getmetatable(failure),
        getmetatable {})
    ]])
  end)

  it("wants an argument", function()
    assert.matches("^scripts/x%.lua:1: bad argument #1 to 'getmetatable'",
      script.failure "getmetatable()")
  end)
end)

describe("setmetatable", function()
  after_each(script.clean)

  it("gives the table, with the metamethods in force", function()
    assert.equal("v:k called 3 sum true told", script.eval [[
      local mt = {
        __index = function(_, k) return "v:" .. k end,
        __call = function() return "called" end,
        __len = function() return 3 end,
        __add = function() return "sum" end,
        __eq = function() return true end,
        __tostring = function() return "told" end,
      }
      local t = setmetatable({}, mt)
      return ("%s %s %d %s %s %s"):format(t.k, t(), #t, t + 1, t == setmetatable({}, mt), t)
    ]])
  end)

  it("works for classes written in the usual ways", function()
    assert.equal("woof woof true true", script.eval [[
      local Animal = {}
      Animal.__index = Animal
      local Dog = setmetatable({}, { __index = Animal })
      Dog.__index = Dog
      function Dog.new() return setmetatable({}, Dog) end
      function Animal:speak() return self:sound() end
      function Dog:sound() return "woof" end
      local a, b = Dog.new(), Dog.new()
      return ("%s %s %s %s"):format(a:speak(), b:speak(), getmetatable(a) == Dog,
        getmetatable(a) == getmetatable(b))
    ]])
  end)

  it("takes the metatable away with nil", function()
    assert.equal("nil nil", script.eval [[
      local t = setmetatable({}, { __index = { a = 1 } })
      setmetatable(t, nil)
      return ("%s %s"):format(t.a, getmetatable(t))
    ]])
  end)

  for _, name in ipairs { "__gc", "__close", "__mode", "__concat", "__metatable", "__name" } do
    it("refuses " .. name .. ", and leaves the table as it was", function()
      assert.equal("setmetatable: a metatable can't have " .. name .. " here nil",
        script.eval(([[
          local t = {}
          local _, why = pcall(setmetatable, t, { %s = function() end })
          return why .. " " .. tostring(getmetatable(t))
        ]]):format(name)))
    end)
  end

  it("keeps a metamethod that is added later without effect", function()
    assert.equal("scripts/x.lua:4: attempt to concatenate a table value (local 't')",
      script.failure [[
        local mt = {}
        local t = setmetatable({}, mt)
        mt.__concat = function() return "" end
        return t .. "x"
      ]])
    assert.equal("false", script.eval [[
      local mt, ran = {}, false
      for i = 1, 10 do setmetatable({ i }, mt) end
      mt.__gc = function() ran = true end
      for i = 1, 1e5 do local _ = { i } end
      return tostring(ran)
    ]])
    assert.equal("scripts/x.lua:4: variable 'c' got a non-closable value", script.failure [[
        local mt = {}
        local t = setmetatable({}, mt)
        mt.__close = function() end
        local c <close> = t
      ]])
  end)

  it("refuses no field that only looks alike", function()
    assert.equal("1 2", script.eval [[
      local mt = { gc = 1, __mine = 2, [1] = 3 }
      mt.__index = mt
      local t = setmetatable({}, mt)
      return t.gc .. " " .. t.__mine
    ]])
  end)

  it("tells wrong arguments at the script's line", function()
    assert.equal("scripts/x.lua:1: bad argument #1 to 'setmetatable' (table expected, got string)",
      script.failure "setmetatable('', {})")
    assert.matches("^scripts/x%.lua:1: bad argument #2 to 'setmetatable' %(nil or table expected",
      script.failure "setmetatable({}, 1)")
    assert.matches("^scripts/x%.lua:1: bad argument #2 to 'setmetatable' %(nil or table expected",
      script.failure "setmetatable({})")
  end)
end)
