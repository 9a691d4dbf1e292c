local json_string = require("unit").json_string

describe("json_string.scan", function()
  it("ends at the closing quote and leaves the rest alone", function()
    assert.same({ 5, false }, { json_string.scan('"abc", "d"') })
    assert.same({ 2, false }, { json_string.scan('""') })
  end)

  it("says whether there are escapes, and passes over an escaped quote", function()
    assert.same({ 6, true }, { json_string.scan([["a\"b"]]) })
    assert.same({ 4, true }, { json_string.scan([["\\"]]) })
  end)

  it("finds the quote at every offset of a word", function()
    for n = 0, 40 do
      local text = '"' .. ("x"):rep(n) .. '"'
      assert.same({ n + 2, false }, { json_string.scan(text .. "yyyyyyyyyyyy") })
      assert.same({ n + 2, false }, { json_string.scan(text) })
    end
  end)

  it("refuses a control character at every offset of a word, and names the place", function()
    for n = 0, 20 do
      local text = '"' .. ("x"):rep(n) .. "\x1f" .. ("y"):rep(20) .. '"'
      assert.same({ nil, "control character in a string", n + 1 }, { json_string.scan(text) })
    end
  end)

  it("accepts space and DEL, the neighbours of the control characters", function()
    assert.same({ 4, false }, { json_string.scan('" \x7f"') })
  end)

  it("refuses invalid UTF-8 where it stands", function()
    assert.same({ nil, "invalid UTF-8", 3 }, { json_string.scan('"é\xff"') })
    assert.same({ 8, false }, { json_string.scan('"é𝄞"') })
  end)

  it("refuses a text that ends before the closing quote", function()
    for _, text in ipairs { '"', '"abc', [["abc\]], [["abc\"]], '"abcdefgh', '"é' } do
      assert.same({ nil, "the text ends inside a string", #text }, { json_string.scan(text) })
    end
  end)
end)

describe("json_string.decode", function()
  it("knows every short escape", function()
    assert.equal('"\\/\b\f\n\r\t', json_string.decode([[\"\\\/\b\f\n\r\t]]))
  end)

  it("keeps what stands around an escape", function()
    assert.equal("é\tb\n", json_string.decode([[é\tb\n]]))
  end)

  it("reads hexadecimal digits of either case", function()
    assert.equal("éÿ«\0", json_string.decode([[\u00e9\u00FF\u00aB\u0000]]))
  end)

  it("joins a pair of surrogates", function()
    assert.equal("𝄞", json_string.decode([[\ud834\udd1e]]))
    assert.equal("\u{10000}\u{10ffff}", json_string.decode([[\uD800\uDC00\udbff\udfff]]))
  end)

  it("takes the neighbours of the surrogates as they are", function()
    assert.equal("\u{d7ff}\u{e000}", json_string.decode([[\ud7ff\ue000]]))
  end)

  local lone = { [[\ud834]], [[\udd1e]], [[\ud834x]], [[\ud834\n]], [[\ud834\ud834]],
    [[\ud834\u0041]], [[\ud834\udd1]], [[\udd1e\ud834]] }
  for _, text in ipairs(lone) do
    it("refuses the lone surrogate in " .. text, function()
      assert.same({ nil, "lone surrogate", 2 }, { json_string.decode("ab" .. text) })
    end)
  end

  local unknown = {
    [[\x41]], [[\']], [[\N]], [[\u12]], [[\u12g4]], [[\U0041]], "\\\0", "\\é",
  }
  for _, text in ipairs(unknown) do
    it("refuses the escape " .. text:gsub("%z", "NUL"), function()
      assert.same({ nil, "invalid escape", 1 }, { json_string.decode("a" .. text) })
    end)
  end
end)
