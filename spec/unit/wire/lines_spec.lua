local lines = require("unit").lines

local TOO_LONG = false

describe("lines", function()
  it("finds each line, wherever the pieces are cut", function()
    local text = '{"a":1}\n{"b":"é"}\n[]\n'
    for at = 0, #text do
      assert.same({ '{"a":1}', '{"b":"é"}', "[]" }, lines.read(100, text:sub(1, at),
        text:sub(at + 1)))
    end
  end)

  it("takes the carriage return before a newline for a part of it, and no other", function()
    assert.same({ "a", "b\r", "\rc" }, lines.read(100, "a\r\nb\r\r", "\n\rc\r", "\n"))
  end)

  it("passes over blank lines", function()
    assert.same({ "a", "b" }, lines.read(100, "\n\r\n \t\na\n", "\n", "\n  \r\nb\n"))
  end)

  it("takes a last line without its newline, unless it is blank", function()
    assert.same({ "a", "b" }, lines.read(100, "a\n", "b"))
    assert.same({ "b" }, lines.read(100, "b\r"))
    assert.same({ "a" }, lines.read(100, "a\n \r"))
  end)

  it("keeps NUL and bytes that are no UTF-8, which are for the parser to refuse", function()
    assert.same({ "a\0b", "\xff" }, lines.read(100, "a\0b\n\xff\n"))
  end)

  it("takes a line as long as may be, and tells once of one that is longer", function()
    assert.same({ "abcd", TOO_LONG, "ab" }, lines.read(4, "abcd\nabcde\nab\n"))
    assert.same({ TOO_LONG, "ab" }, lines.read(4, "abc", "de", "fghijk", "lm\nab\n"))
    assert.same({ TOO_LONG }, lines.read(4, "abcde"))
  end)

  it("tells of a line that is too long before its end has come, and holds nothing of it", function()
    local found, held = lines.read(4, "abc", "de", ("x"):rep(1000))
    assert.same({ TOO_LONG }, found)
    assert.equal(0, held)
  end)
end)
