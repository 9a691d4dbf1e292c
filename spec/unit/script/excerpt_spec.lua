local excerpt = require("unit").excerpt

local SOURCE = "local a = 1\n\tlocal é, x = = 3\n\n  print(foo, food)\r\nlast"

describe("an excerpt", function()
  it("shows the line with a caret under what the message quotes", function()
    assert.same({ "   4 |   print(foo, food) ", "     |         ^" },
      { excerpt.make(SOURCE, 4, "attempt to call a nil value (global 'foo')") })
    assert.same({ "   5 | last", "     | ^" }, { excerpt.make(SOURCE, 5, "near 'last'") })
  end)

  it("counts characters, not bytes, and a tab as one", function()
    assert.same({ "   2 |  local é, x = = 3", "     |           ^" },
      { excerpt.make(SOURCE, 2, "near 'x'") })
  end)

  it("has the caret under the first character where nothing quoted is there just once", function()
    for _, message in ipairs { "near '='", "near 'nowhere'", "near <eof>", "it isn't", "", "''" } do
      local _, caret = excerpt.make(SOURCE, 2, message)
      assert.equal("     |  ^", caret)
    end
  end)

  it("is not there for a line that is not, or has only spaces in it", function()
    for _, line in ipairs { -1, 0, 3, 6 } do
      assert.is_nil(excerpt.make(SOURCE, line, "near 'x'"))
    end
    assert.is_nil(excerpt.make("", 1, "x"))
  end)

  it("is cut where the line is very long, between two characters", function()
    local source, caret = excerpt.make(" x" .. ("é"):rep(100) .. "'end'", 1, "near 'end'")
    assert.equal("   1 |  x" .. ("é"):rep(79), source)
    assert.equal("     |  ^", caret)
  end)

  it("keeps the caret in line where the number is long", function()
    local source, caret = excerpt.make(("\n"):rep(12344) .. "x = y", 12345, "near 'y'")
    assert.equal("12345 | x = y", source)
    assert.equal("      |     ^", caret)
  end)
end)
