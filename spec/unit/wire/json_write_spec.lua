local cjson = require "cjson"
local unit = require "unit"
local random_json = require "support.random_json"

local write = unit.json_write

describe("json_write.string", function()
  it("writes plain text between quotes", function()
    assert.equal('""', write.string(""))
    assert.equal('"a/b é € 𝄞"', write.string("a/b é € 𝄞"))
  end)

  it("uses the short escapes where JSON has them", function()
    assert.equal([["\"\\\b\f\n\r\t"]], write.string('"\\\b\f\n\r\t'))
  end)

  it("escapes every other control character and DEL, and not their neighbours", function()
    assert.equal([["\u0000\u0001\u001f !~\u007f"]], write.string("\0\1\x1f !~\x7f"))
    assert.equal('"\u{80}"', write.string("\u{80}"))
  end)

  it("escapes the line separators of JavaScript, and not their neighbours", function()
    assert.equal([["\u2028\u2029"]], write.string("\u{2028}\u{2029}"))
    assert.equal('"\u{2027}\u{202a}"', write.string("\u{2027}\u{202a}"))
  end)

  it("writes U+FFFD for each invalid byte and keeps what stands around", function()
    assert.equal('"a\u{fffd}b"', write.string("a\xffb"))
    assert.equal('"é\u{fffd}\u{fffd}\\n"', write.string("é\xe2\x82\n"))
    assert.equal('"\u{fffd}\u{fffd}\u{fffd}"', write.string("\xed\xa0\x80"))
  end)

  it("is read back as it was by the parser and by lua-cjson", function()
    local random = random_json.new(1)
    for _ = 1, 1000 do
      local text = random.text(60)
      local written = write.string(text)
      assert.equal(text, unit.json.read(written).string)
      assert.equal(text, cjson.decode("[" .. written .. "]")[1])
    end
  end)
end)

describe("json_write.double", function()
  local forms = {
    { 0.1, "0.1" }, { 1.0, "1.0" }, { 0.0, "0.0" }, { -0.0, "-0.0" }, { -2.5, "-2.5" },
    { 1e22, "1e+22" }, { 1e-7, "1e-07" }, { 123456789012345.0, "123456789012345.0" },
    { 0.1 + 0.2, "0.30000000000000004" }, { 2.0 ^ 53, "9007199254740992.0" },
    { 1.7976931348623157e308, "1.7976931348623157e+308" },
    { 5e-324, "4.94065645841247e-324" },
  }
  for _, form in ipairs(forms) do
    it("writes " .. form[2], function()
      assert.equal(form[2], write.double(form[1]))
    end)
  end

  it("writes nothing for what JSON lacks", function()
    for _, value in ipairs { 0 / 0, 1 / 0, -1 / 0 } do
      assert.same({ nil, "" }, { write.double(value) })
    end
  end)

  it("is read back as the same double, and never as an integer", function()
    local random = random_json.new(2)
    for _ = 1, 3000 do
      local low, high = random.below(1 << 31), random.below(1 << 31)
      local value = string.unpack("<d", string.pack("<I4I4", low, high << 1))
      if value == value and math.abs(value) < math.huge then
        local written = write.double(value)
        assert(unit.json.read(written).double == value, written)
        assert(unit.json.parse(written).integer == false, written)
      end
    end
  end)
end)

describe("json_write.value", function()
  it("drops white space and nothing else", function()
    local text = ' { "b" : [ 1 , 2.50, -0,1E400 ],\r\n\t"a":{"":null},"c":[ ],"d":{ } ,"e":[true]} '
    local dense = '{"b":[1,2.50,-0,1E400],"a":{"":null},"c":[],"d":{},"e":[true]}'
    assert.equal(dense, write.value(text))
  end)

  it("writes a scalar alone", function()
    for _, text in ipairs { "null", "true", "false", "12345678901234567890", '"x"' } do
      assert.equal(text, write.value(text))
    end
  end)

  it("writes strings by the rules of json_write.string, keys too", function()
    assert.equal([[{"\u2028k":"A/\u007f"}]], write.value('{"\u{2028}k":"\\u0041\\/\x7f"}'))
  end)

  it("gives a text of equal value for any value", function()
    local random = random_json.new(3)
    for _ = 1, 500 do
      local text = cjson.encode(random.value(5))
      assert(unit.json.equal(text, write.value(text)), text)
    end
  end)
end)

describe("json_write.canonical", function()
  it("sorts keys bytewise at every level", function()
    assert.equal('{"A":1,"a":{"x":[{"b":2,"c":1}],"y":0},"é":3}',
      write.canonical('{"é":3,"a":{"y":0,"x":[{"c":1,"b":2}]},"A":1}'))
  end)

  it("keeps the order of an array", function()
    assert.equal("[3,1,2]", write.canonical("[3, 1, 2]"))
  end)

  it("writes numbers in their normal form and loses no digit", function()
    assert.equal("[1,1,1,0,0.5,100,9007199254740993,1e+400]",
      write.canonical("[1,1.0,10e-1,-0.0,5e-1,1E2,9007199254740993.0,1E400]"))
  end)

  local differences = {
    { "1", "1.0000000000000000000001" }, { "1", '"1"' }, { "null", "false" }, { "[]", "{}" },
    { "[1,2]", "[2,1]" }, { '{"a":1}', '{"a":1,"b":1}' }, { "[[1],2]", "[[1,2]]" },
    { '{"a":"b"}', '{"b":"a"}' },
  }
  for _, pair in ipairs(differences) do
    it(("tells %s from %s"):format(pair[1], pair[2]), function()
      assert.not_equal(write.canonical(pair[1]), write.canonical(pair[2]))
      assert.is_false(unit.json.equal(pair[1], pair[2]))
    end)
  end

  it("agrees with json_equal on any two values, and is canonical itself", function()
    local random = random_json.new(4)
    local texts, forms = {}, {}
    for i = 1, 120 do
      texts[i] = cjson.encode(random.value(random.below(3)))
      forms[i] = write.canonical(texts[i])
      assert.equal(forms[i], write.canonical(forms[i]))
      for j = 1, i do
        local equal = unit.json.equal(texts[i], texts[j])
        assert((forms[i] == forms[j]) == equal, texts[i] .. " / " .. texts[j])
      end
    end
  end)
end)
