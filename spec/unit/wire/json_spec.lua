local cjson = require "cjson"
local json = require("unit").json
local random_json = require "support.random_json"

-- Returns the value of a dump as lua-cjson would decode it.
local function plain(dump)
  if dump.type == "null" then return cjson.null end
  if dump.type == "true" or dump.type == "false" then return dump.type == "true" end
  if dump.type == "number" then return tonumber(dump.text) + 0.0 end
  if dump.type == "string" then return dump.text end
  local value = {}
  local step = dump.type == "object" and 2 or 1
  for i = 1, #dump.inside, step do
    local key = step == 2 and dump.inside[i].text or i
    value[key] = plain(dump.inside[i + step - 1])
  end
  return value
end

local function refuses(text, reason, at, limits)
  assert.same({ nil, reason, at }, { json.parse(text, limits) })
end

describe("json_parse", function()
  it("lays values out in the order of the text, with spans, counts and raw text", function()
    local text = ' {"a" : [1, {}],\n"b":"x\\n"} '
    local root = json.parse(text)
    assert.equal("object", root.type)
    assert.equal(7, root.span)
    assert.equal(2, root.count)
    assert.equal(text:match "^%s*(.-)%s*$", root.raw)
    local a, list, b, x = table.unpack(root.inside)
    assert.same({ type = "string", span = 1, raw = '"a"', text = "a" }, a)
    assert.same({ "array", 3, 2, "[1, {}]" }, { list.type, list.span, list.count, list.raw })
    local one, empty = table.unpack(list.inside)
    assert.same({ type = "number", span = 1, raw = "1", text = "1", integer = true }, one)
    assert.same({ type = "object", span = 1, raw = "{}", count = 0, inside = {} }, empty)
    assert.equal('"b"', b.raw)
    assert.same({ type = "string", span = 1, raw = [["x\n"]], text = "x\n" }, x)
  end)

  it("keeps an id as it was sent", function()
    local ids = {
      "0", "-0", "9007199254740993", "123456789012345678901234567890", "1.50", "1E5",
      [["\u0041/"]], '""',
    }
    for _, id in ipairs(ids) do
      assert.equal(id, json.read('{"id": ' .. id .. " }", "id").raw)
    end
  end)

  it("tells integers by their notation", function()
    local integers = {}
    for i, dump in ipairs(json.parse("[1,-0,1.0,1e0,18446744073709551616]").inside) do
      integers[i] = dump.integer
    end
    assert.same({ true, true, false, false, true }, integers)
  end)

  it("reads what lua-cjson reads from what lua-cjson writes", function()
    local random = random_json.new(5)
    for _ = 1, 500 do
      local text = cjson.encode(random.value(6))
      assert.same(cjson.decode(text), plain(json.parse(text)))
    end
  end)

  it("reads a text of more values than fit its first tape", function()
    for _, n in ipairs { 126, 127, 128, 129, 255, 256, 5000 } do
      local root = json.parse("[" .. ("7,"):rep(n - 1) .. '"end"]')
      assert.equal(n, root.count)
      assert.equal(n + 1, root.span)
      assert.equal("end", root.inside[n].text)
    end
  end)

  it("reads escaped strings before and after the tape has grown", function()
    local root = json.parse("[" .. ([["\u0061\n",]]):rep(400) .. '{"\\u006b":0}]')
    assert.equal("a\n", root.inside[1].text)
    assert.equal("a\n", root.inside[400].text)
    assert.equal("k", root.inside[401].inside[1].text)
  end)

  describe("as to white space", function()
    it("takes space, tab, line feed and carriage return anywhere between", function()
      assert.equal(3, json.parse("\r\n\t [ 1\t,\r2\n] \t").span)
      assert.equal(1, json.parse(' { "a"\n:\t1 } ').count)
    end)

    local others = {
      ["form feed"] = "\f", ["vertical tab"] = "\v", ["no-break space"] = "\u{a0}", NUL = "\0",
    }
    for name, space in pairs(others) do
      it("refuses a " .. name, function()
        refuses("[" .. space .. "1]", "expected a value", 1)
        refuses("1" .. space, "text behind the value", 1)
      end)
    end
  end)

  describe("as to the whole text", function()
    it("refuses one without a value", function()
      refuses("", "the text ends too early", 0)
      refuses(" \n", "the text ends too early", 2)
    end)

    it("refuses anything behind the value, a second value too", function()
      refuses("{} {}", "text behind the value", 3)
      refuses("1 // one", "text behind the value", 2)
      refuses("[1]]", "text behind the value", 3)
      refuses("nullx", "text behind the value", 4)
    end)

    it("refuses a byte order mark before the value, not the same character in a string", function()
      refuses("\u{feff}1", "byte order mark", 0)
      assert.equal("\u{feff}", json.read('"\u{feff}"').string)
    end)

    it("refuses it cut short at any byte", function()
      local text = [[{"a":[true,false,null,-1.5e+3,"é\ud834\udd1e"],"b":{"c":{}}}]]
      assert.is_true(json.accepts(text))
      for n = 0, #text - 1 do assert.is_nil((json.accepts(text:sub(1, n)))) end
    end)
  end)

  describe("as to commas, colons and brackets", function()
    local refusals = {
      { "[1,]", "expected a value", 3 },
      { "[,1]", "expected a value", 1 },
      { "[1 2]", "expected a comma or ']'", 3 },
      { "[1}", "expected a comma or ']'", 2 },
      { '{"a":1]', "expected a comma or '}'", 6 },
      { '{"a":1 "b":2}', "expected a comma or '}'", 7 },
      { '{"a":1,}', "expected a key in quotes", 7 },
      { "{a:1}", "expected a key in quotes", 1 },
      { "{'a':1}", "expected a key in quotes", 1 },
      { "{1:1}", "expected a key in quotes", 1 },
      { '{"a" 1}', "expected a colon after the key", 5 },
      { '{"a"}', "expected a colon after the key", 4 },
      { '{"a":}', "expected a value", 5 },
      { "[1", "the text ends too early", 2 },
      { '{"a":', "the text ends too early", 5 },
      { "]", "expected a value", 0 },
      { "[1,/**/2]", "expected a value", 3 },
    }
    for _, refusal in ipairs(refusals) do
      it("refuses " .. refusal[1], function()
        refuses(table.unpack(refusal))
      end)
    end

    it("takes their correct neighbours", function()
      for _, text in ipairs { "[]", "[1,2]", "[[],[]]", "{}", '{"a":1,"b":2}', '{"a":{"a":1}}' } do
        assert.is_true(json.accepts(text))
      end
    end)
  end)

  describe("as to words", function()
    it("takes true, false and null", function()
      for _, word in ipairs { "true", "false", "null" } do
        assert.equal(word, json.parse(word).type)
      end
    end)

    local others = {
      "True", "NULL", "tru", "nul", "NaN", "Infinity", "undefined", "'a'", "+1", ".5",
    }
    for _, word in ipairs(others) do
      it("refuses " .. word, function()
        refuses(word, "expected a value", 0)
      end)
    end

    it("refuses -Infinity and hexadecimal", function()
      refuses("-Infinity", "malformed number", 1)
      refuses("0x10", "text behind the value", 1)
    end)
  end)

  it("names the place of a bad number or string in the whole text", function()
    refuses("[1, 02]", "leading zero", 4)
    refuses("[1, 2.]", "malformed number", 6)
    refuses("[1, 1e9999999999]", "exponent too large", 6)
    refuses('["é", "a\nb"]', "control character in a string", 9)
    refuses('["a", "b\xff"]', "invalid UTF-8", 8)
    refuses([[["a", "b\x"]
]], "invalid escape", 8)
    refuses([[{"a": "\ud834"}]], "lone surrogate", 7)
    refuses('["abc', "the text ends inside a string", 5)
  end)

  describe("as to keys", function()
    it("refuses the same one twice in an object", function()
      refuses('{"a":1,"b":2,"a":3}', "duplicate key", 13)
      refuses('[{"x":{"a":1,"a":1}}]', "duplicate key", 13)
      refuses('{"":1,"":1}', "duplicate key", 6)
    end)

    it("compares them unescaped", function()
      refuses([[{"a/b":1,"\u0061\/b":2}]], "duplicate key", 9)
    end)

    it("takes the same one in different objects, and keys that differ in case only", function()
      assert.is_true(json.accepts '[{"a":1},{"a":{"a":1}},{"a":1,"A":2,"aa":3}]')
    end)

    it("refuses NUL in a key, not in a value", function()
      refuses([[{"a":1,"b\u0000":2}]], "NUL in a key", 7)
      assert.equal("b\0", json.read([[{"a":"b\u0000"}]], "a").string)
    end)
  end)

  describe("as to limits", function()
    it("allows as many containers inside one another as the limit says, and no more", function()
      assert.is_table(json.parse("[]", { depth = 1 }))
      refuses("[[]]", "too deep", 1, { depth = 1 })
      assert.is_table(json.parse('[{"a":1},[2]]', { depth = 2 }))
      refuses('[{"a":1},{"a":{}}]', "too deep", 14, { depth = 2 })
      assert.is_table(json.parse("1", { depth = 0 }))
      refuses("{}", "too deep", 0, { depth = 0 })
    end)

    it("is 64 deep for a message", function()
      assert.is_true(json.accepts(("["):rep(64) .. ("]"):rep(64)))
      local ok, reason, at = json.accepts(("["):rep(65) .. ("]"):rep(65))
      assert.same({ nil, "too deep", 64 }, { ok, reason, at })
    end)

    it("counts every value and every key", function()
      local text = '{"a":[1,2],"b":null}'
      assert.equal(7, json.parse(text, { cells = 7 }).span)
      refuses(text, "too many values", 15, { cells = 6 })
      refuses("1", "too many values", 0, { cells = 0 })
    end)

    it("is 100,000 values for a message", function()
      assert.is_true(json.accepts("[" .. ("1,"):rep(99998) .. "1]"))
      local ok, reason = json.accepts("[" .. ("1,"):rep(99999) .. "1]")
      assert.same({ nil, "too many values" }, { ok, reason })
    end)
  end)
end)

describe("the readers of json", function()
  local text = [[{"s":"é","e":"","n":1.5,"i":-3,"t":true,"f":false,"z":null,"l":[1],
    "o":{"k":{"v":"deep"}}}]]

  it("find a member at any depth, and a later one behind nested values", function()
    assert.equal("deep", json.read(text, "o", "k", "v").string)
    assert.equal(2, json.read('{"a":{"b":[[],{"c":1}]},"b":2}', "b").int)
  end)

  it("find a member by its unescaped key", function()
    assert.equal(1, json.read([[{"\u0061":1}]], "a").int)
  end)

  it("say absent for what is not there, whatever the chain", function()
    local absent = { is_true = false, has_inside = false }
    assert.same(absent, json.read(text, "missing"))
    assert.same(absent, json.read(text, "missing", "further", "on"))
    assert.same(absent, json.read(text, "s", "é"))
    assert.same(absent, json.read(text, "l", "1"))
  end)

  it("read a string as a string only", function()
    assert.equal("é", json.read(text, "s").string)
    assert.equal("", json.read(text, "e").string)
    for _, key in ipairs { "n", "t", "z", "l", "o" } do
      assert.is_nil(json.read(text, key).string)
    end
  end)

  it("read true as true only", function()
    assert.is_true(json.read(text, "t").is_true)
    for _, key in ipairs { "s", "i", "f", "z", "l", "o" } do
      assert.is_false(json.read(text, key).is_true)
    end
  end)

  it("read an integer from any notation, and from numbers only", function()
    assert.equal(-3, json.read(text, "i").int)
    assert.equal(10, json.read("1e1").int)
    assert.equal("integer", math.type(json.read("1.0").int))
    assert.equal(math.maxinteger, json.read("9223372036854775807").int)
    assert.is_nil(json.read("9223372036854775808").int)
    for _, key in ipairs { "s", "n", "t", "z", "l", "o" } do
      assert.is_nil(json.read(text, key).int)
    end
  end)

  it("read a double from any number, and from numbers only", function()
    assert.equal(1.5, json.read(text, "n").double)
    assert.equal(-3.0, json.read(text, "i").double)
    assert.equal(0.1, json.read("0.1" .. ("0"):rep(200)).double)
    for _, key in ipairs { "s", "t", "z", "l", "o" } do
      assert.is_nil(json.read(text, key).double)
    end
  end)

  it("read a number beyond the doubles as infinity or nothing, with its sign", function()
    assert.equal(math.huge, json.read("1e400").double)
    assert.equal(-math.huge, json.read("-1e400").double)
    assert.equal(0.0, json.read("1e-400").double)
  end)

  it("read doubles as Lua does", function()
    local random = random_json.new(6)
    for _ = 1, 2000 do
      local number = random.number_text()
      assert(json.read(number).double == tonumber(number) + 0.0, number)
    end
  end)

  it("see what is inside containers only, and nothing inside empty ones", function()
    assert.is_true(json.read(text, "l").has_inside)
    assert.is_true(json.read(text, "o").has_inside)
    for _, empty in ipairs { "[]", "{}", '"x"', "1", "null" } do
      assert.is_false(json.read(empty).has_inside)
    end
  end)
end)

describe("json_equal", function()
  local equal = {
    { "1", "1.0" }, { "100", "1e2" }, { "-0", "0" }, { "1e400", "10.0e399" },
    { '"a"', [["\u0061"]] },
    { '{"a":1,"b":[2]}', '{ "b":[2.0], "a":1 }' }, { "[]", "[ ]" }, { "{}", "{ }" },
    { "null", " null" }, { '{"x":{"b":1,"a":2}}', '{"x":{"a":2,"b":1}}' },
  }
  for _, pair in ipairs(equal) do
    it(("holds for %s and %s"):format(pair[1], pair[2]), function()
      assert.is_true(json.equal(pair[1], pair[2]))
      assert.is_true(json.equal(pair[2], pair[1]))
    end)
  end

  local different = {
    { "1", "2" }, { "1", '"1"' }, { "0", "false" }, { "0", "null" }, { "true", "false" },
    { "[]", "{}" }, { "[1]", "[1,1]" }, { "[1,2]", "[2,1]" }, { "[[1],2]", "[[1,2]]" },
    { '{"a":1}', '{"a":2}' }, { '{"a":1}', '{"b":1}' }, { '{"a":1}', '{"a":1,"b":1}' },
    { '"a"', '"A"' }, { '""', "null" }, { "9007199254740993", "9007199254740992" },
    { "1e400", "1e401" },
  }
  for _, pair in ipairs(different) do
    it(("fails for %s and %s"):format(pair[1], pair[2]), function()
      assert.is_false(json.equal(pair[1], pair[2]))
      assert.is_false(json.equal(pair[2], pair[1]))
    end)
  end

  it("holds for a large object in reverse order until one value differs", function()
    local forth, back = {}, {}
    for i = 1, 300 do
      forth[i] = ('"k%d":%d'):format(i, i)
      back[301 - i] = ('"k%d":%d.0'):format(i, i)
    end
    local a, b = "{" .. table.concat(forth, ",") .. "}", "{" .. table.concat(back, ",") .. "}"
    assert.is_true(json.equal(a, b))
    assert.is_false(json.equal(a, (b:gsub('"k7":7', '"k7":8'))))
  end)
end)
