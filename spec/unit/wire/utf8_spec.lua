local utf8_native = require("unit").utf8

local valid, next_code = utf8_native.valid, utf8_native.next

-- The first and the last code point of every length, and the neighbours of the surrogates.
local EDGES = { 0x00, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff }

local INVALID = {
  ["a continuation byte alone"] = "\x80",
  ["an overlong pair"] = "\xc1\xbf",
  ["an overlong triple"] = "\xe0\x9f\xbf",
  ["an overlong quadruple"] = "\xf0\x8f\xbf\xbf",
  ["the first surrogate"] = "\xed\xa0\x80",
  ["the last surrogate"] = "\xed\xbf\xbf",
  ["a code point above U+10FFFF"] = "\xf4\x90\x80\x80",
  ["a first byte of 0xf5"] = "\xf5\x80\x80\x80",
  ["a byte of 0xff"] = "\xff",
  ["a sequence cut short by the end"] = "\xe2\x82",
  ["a sequence cut short by ASCII"] = "\xe2\x82a",
  ["a five-byte form"] = "\xf8\x88\x80\x80\x80",
}

describe("utf8", function()
  it("reads what Lua's own library encodes, at every edge", function()
    for _, code in ipairs(EDGES) do
      local read, left = next_code(utf8.char(code) .. "x")
      assert.equal(code, read)
      assert.equal(1, left)
    end
  end)

  it("encodes as Lua's own library does, at every edge", function()
    for _, code in ipairs(EDGES) do
      assert.equal(utf8.char(code), utf8_native.encode(code))
    end
  end)

  it("agrees with Lua's strict reading on all pairs of bytes", function()
    for pair = 0, 0xffff do
      local text = string.char(pair >> 8, pair & 0xff)
      assert(valid(text) == (utf8.len(text) ~= nil), ("%04x"):format(pair))
    end
  end)

  for what, text in pairs(INVALID) do
    it("refuses " .. what, function()
      assert.is_false(valid(text))
      assert.is_false(valid("eight by" .. text))
      local code, left = next_code(text)
      assert.is_nil(code)
      assert.equal(#text, left)
    end)
  end

  it("accepts the empty text and ends there", function()
    assert.is_true(valid(""))
    assert.is_nil((next_code("")))
  end)

  it("finds an invalid byte wherever it stands in a long text", function()
    for at = 0, 24 do
      local text = ("a"):rep(at) .. "\xc3\xa9" .. ("b"):rep(24 - at)
      assert.is_true(valid(text))
      assert.is_false(valid((text:gsub("\xa9", ""))))
    end
  end)

  it("counts code points, not bytes", function()
    assert.equal(0, utf8_native.length(""))
    assert.equal(5, utf8_native.length("a\0é€𝄞"))
  end)
end)
