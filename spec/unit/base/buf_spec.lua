local buf = require("unit").buf

describe("a buf", function()
  it("holds what was added, NUL bytes and empty pieces included", function()
    assert.equal("a\0bc", buf.join("a", "", "\0", "bc"))
    assert.equal("", buf.join())
  end)

  it("grows past any size it had", function()
    assert.equal(("x"):rep(100000), buf.repeated("x", 100000))
    assert.equal(("y"):rep(255) .. ("z"):rep(70000), buf.join(("y"):rep(255), ("z"):rep(70000)))
  end)

  it("writes every integer of 64 bits in decimal", function()
    for _, value in ipairs { 0, 7, -7, 1234567890, math.maxinteger, math.mininteger } do
      assert.equal(tostring(value), buf.integer(value))
    end
  end)

  it("adds formatted text behind what it holds, however long", function()
    local long = ("w"):rep(5000)
    assert.equal("before " .. long .. "=-5;", buf.printed(long, -5))
  end)

  it("is text with a NUL behind it that is not counted", function()
    local text, n = buf.text("abc")
    assert.equal("abc", text)
    assert.equal(3, n)
    assert.equal("", (buf.text("")))
    assert.equal(256, #buf.text(("t"):rep(256)))
  end)

  it("hands over its memory and is empty then", function()
    local taken, n, ended, emptied = buf.take("a\0b")
    assert.equal("a\0b", taken)
    assert.equal(3, n)
    assert.is_true(ended)
    assert.is_true(emptied)
  end)

  it("reserves room behind what it holds", function()
    assert.equal("head" .. ("r"):rep(3000), buf.reserved("head", 3000))
  end)

  it("keeps its memory when it is cleared", function()
    local text, kept = buf.cleared("a long first text", "short")
    assert.equal("short", text)
    assert.is_true(kept)
  end)
end)
