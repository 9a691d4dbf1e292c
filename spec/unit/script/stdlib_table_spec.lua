local script = require "support.script"

-- Lengths that plain Lua would walk for years, in C, where no hook stops it.
local LENGTHS = {
  ["a table with __len can't be used here"] = [[
    local t = setmetatable({}, { __len = function() return 1 << 53 end })
  ]],
  ["more than 4194304 elements"] = [[
    local t = { true, true, true, true }
    for bit = 61, 3, -1 do t[1 << bit] = true end
    t[5] = true
  ]],
}

describe("the functions of table", function()
  after_each(script.clean)

  it("do what the manual says", function()
    assert.equal("a,x,b a b 1 2 3 cba 2 4", script.eval [[
      local t = { "a", "b" }
      table.insert(t, 2, "x")
      local joined = table.concat(t, ",")
      assert(table.remove(t, 2) == "x")
      local sorted = { 3, 1, 2 }
      table.sort(sorted)
      local letters = { "a", "b", "c" }
      table.sort(letters, function(a, b) return a > b end)
      local moved = table.move({ 1, 2, 3, 4 }, 2, 4, 1)
      return ("%s %s %s %d %d %d %s %d %d"):format(joined, t[1], t[2], sorted[1], sorted[2],
        sorted[3], table.concat(letters), moved[1], moved[4])
    ]])
    assert.equal("1 2 3 / 3", script.eval [[
      local a, b, c = table.unpack { 1, 2, 3 }
      return ("%d %d %d / %d"):format(a, b, c, table.pack(nil, nil, nil).n)
    ]])
  end)

  for reason, table_text in pairs(LENGTHS) do
    it("refuse a length that would keep the host busy: " .. reason, function()
      for call, name in pairs {
        ["table.insert(t, 1, 0)"] = "insert",
        ["table.remove(t, 1)"] = "remove",
        ["table.sort(t, rawequal)"] = "sort",
        ["table.concat(t)"] = "concat",
        ["table.unpack(t)"] = "unpack",
      } do
        local problem = script.failure(table_text .. call)
        assert.matches("bad argument #1 to '" .. name .. "' (" .. reason .. ")", problem, 1, true)
        assert.matches("^scripts/x%.lua:%d+: ", problem)
      end
    end)
  end

  it("move no more than 4,194,304 elements", function()
    for _, range in ipairs {
      "1, 1 << 53", "math.mininteger, math.maxinteger", "-1, math.maxinteger - 1",
      "1, 4194306", "0, math.maxinteger",
    } do
      assert.matches("bad argument #3 to 'move' %(more than 4194304 elements%)",
        script.failure("table.move({}, " .. range .. ", 2)"))
    end
    assert.equal("ok", script.eval "table.move({}, 1, 4194304, 2) return 'ok'")
    assert.equal("ok", script.eval "table.move({}, 5, 1, 2) return 'ok'")
    assert.equal("scripts/x.lua:1: bad argument #4 to 'concat' (more than 4194304 elements)",
      script.failure "table.concat(setmetatable({}, { __index = rawlen }), '', 1, 1 << 40)")
    assert.equal("b", script.eval "return table.concat({ 'a', 'b' }, '', 2, 2)")
  end)

  it("tell wrong arguments at the script's line", function()
    assert.equal("scripts/x.lua:1: bad argument #1 to 'insert' (table expected, got nil)",
      script.failure "table.insert(nil, 1)")
    assert.equal("scripts/x.lua:1: wrong number of arguments to 'insert'",
      script.failure "table.insert({}, 1, 2, 3)")
    assert.equal("scripts/x.lua:1: invalid value (table) at index 1 in table for 'concat'",
      script.failure "table.concat { {} }")
    assert.equal("scripts/x.lua:1: bad argument #2 to 'move' (number expected, got no value)",
      script.failure "table.move({})")
  end)

  it("are stopped between long moves once the CPU time is used up", function()
    assert.equal("scripts/x.lua: CPU time used up (vm_cpu) while loading",
      script.failure("for _ = 1, 1000 do table.move({}, 1, 4000000, 2) end", { cpu_us = 20000 }))
  end)
end)
