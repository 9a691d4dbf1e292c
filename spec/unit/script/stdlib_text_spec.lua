local script = require "support.script"

describe("tostring", function()
  after_each(script.clean)

  it("names what has no text of its own, and tells no address", function()
    assert.equal("table function function thread userdata", script.eval [[
      return table.concat({ tostring({}), tostring(print), tostring(function() end),
        tostring(coroutine.create(print)), tostring(require "json".null) }, " ")
    ]])
  end)

  it("tells all else as Lua does", function()
    assert.equal("nil true 1 -0.5 1e+100 text", script.eval [[
      return table.concat({ tostring(nil), tostring(true), tostring(1), tostring(-0.5),
        tostring(1e100), tostring("text") }, " ")
    ]])
    assert.equal("scripts/x.lua:1: bad argument #1 to 'tostring' (value expected)",
      script.failure "tostring()")
  end)

  it("lets __tostring say it, which must give a text", function()
    assert.equal("mine", script.eval [[
      return tostring(setmetatable({}, { __tostring = function() return "mine" end }))
    ]])
    assert.matches("'__tostring' must return a string$",
      script.failure "tostring(setmetatable({}, { __tostring = function() return {} end }))")
  end)
end)

describe("string.format", function()
  after_each(script.clean)

  it("has %s as tostring gives it, also with a width", function()
    assert.equal("table|  nil|mine |1|tab|100% table", script.eval [[
      local mine = setmetatable({}, { __tostring = function() return "mine" end })
      return ("%s|%5s|%-5s|%s|%.3s|100%% %s"):format({}, nil, mine, 1, {}, {})
    ]])
  end)

  it("has no %p, wherever it stands", function()
    for _, format in ipairs { "%p", "%%%p", "%s %20p", "%-5p" } do
      assert.matches("'%%p' would tell an address", script.failure(
        ("string.format(%q, 1, {})"):format(format)))
    end
    assert.equal("%p", script.eval "return ('%%p'):format()")
  end)

  it("is Lua's own for all else, with its errors at the script's line", function()
    assert.equal([[7 007 1.50 ff "a\0" A]], script.eval [[
      return ("%d %03d %.2f %x %q %c"):format(7, 7, 1.5, 255, "a\0", 65)
    ]])
    assert.equal("scripts/x.lua:1: bad argument #2 to 'format' (no value)",
      script.failure "string.format('%s')")
    assert.equal("scripts/x.lua:1: bad argument #2 to 'format' (number expected, got table)",
      script.failure "string.format('%d', {})")
    assert.matches("invalid conversion", script.failure "string.format('%y', 1)")
  end)
end)
