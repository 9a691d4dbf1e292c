local said = require "support.schema"
local schema = require("unit").schema

local reason, accepts, props, fault = said.reason, said.accepts, said.props, said.fault

describe("schema reasons", function()
  it("name the path of the value and the length allowed", function()
    assert.equal("topic must be at most 3 characters long",
      reason(props '"topic":{"maxLength":3}', '{"topic":"four"}'))
    assert.equal("topic must be at least 1 character long",
      reason(props '"topic":{"minLength":1}', '{"topic":""}'))
  end)

  it("say the type wanted and the type found", function()
    assert.equal("items[1].price must be a number, not a string",
      reason(props '"items":{"items":{"properties":{"price":{"type":"number"}}}}',
        '{"items":[{"price":1},{"price":"1"}]}'))
    assert.equal("arguments must be an object, not null", reason('{"type":"object"}', "null"))
    assert.equal("n must be an integer, not 1.5",
      reason(props '"n":{"type":"integer"}', '{"n":1.5}'))
    assert.equal("n must be a string, a boolean or null, not a number",
      reason(props '"n":{"type":["null","string","boolean"]}', '{"n":1}'))
  end)

  it("take the given name for the root, and for a path that opens with an index", function()
    assert.equal("answer must be an object, not an array",
      reason('{"type":"object"}', "[]", "answer"))
    assert.equal("answer[0] must be a string, not null",
      reason('{"items":{"type":"string"}}', "[null]", "answer"))
  end)

  it("quote names in a path that would not read as one", function()
    assert.equal('arguments["a b"].c must be a string, not null',
      reason(props '"a b":{"properties":{"c":{"type":"string"}}}', '{"a b":{"c":null}}'))
    assert.equal('x["a.b"] must be a string, not null',
      reason(props '"x":{"properties":{"a.b":{"type":"string"}}}', '{"x":{"a.b":null}}'))
    assert.equal("prénom must be a string, not null",
      reason(props '"prénom":{"type":"string"}', '{"prénom":null}'))
  end)

  it("list what is missing, in the order of the schema", function()
    assert.equal("b is missing; a is missing", reason('{"required":["b","a"]}', "{}"))
    assert.equal("x.b is missing", reason(props '"x":{"required":["b"]}', '{"x":{}}'))
    assert.equal('b is missing ("a" needs it)',
      reason('{"dependentRequired":{"a":["b"]}}', '{"a":1}'))
  end)

  it("list the values allowed and quote a short one that isn't", function()
    assert.equal('colour must be one of "red", "green", not "blue"',
      reason(props '"colour":{"type":"string","enum":["red","green"]}', '{"colour":"blue"}'))
    assert.equal('colour must be one of "red", "green"',
      reason(props '"colour":{"enum":["red","green"]}', '{"colour":"' .. ("b"):rep(50) .. '"}'))
    assert.equal('kind must be "a", not 1', reason(props '"kind":{"const":"a"}', '{"kind":1}'))
  end)

  it("cut long lists of values", function()
    local values = {}
    for i = 1, 500 do values[i] = '"value' .. i .. '"' end
    local text = reason('{"enum":[' .. table.concat(values, ",") .. "]}", "0")
    assert.is_true(#text < 600)
    assert.truthy(text:find('"value1", "value2"', 1, true))
    assert.truthy(text:find(", and %d+ more, not 0$"))
  end)

  it("give bounds of numbers with the number found", function()
    assert.equal("n must be at least 1, not 0", reason(props '"n":{"minimum":1}', '{"n":0}'))
    assert.equal("n must be at most 1.5, not 2", reason(props '"n":{"maximum":1.5}', '{"n":2}'))
    assert.equal("n must be more than 1, not 1",
      reason(props '"n":{"exclusiveMinimum":1}', '{"n":1}'))
    assert.equal("n must be less than 1, not 1",
      reason(props '"n":{"exclusiveMaximum":1}', '{"n":1}'))
    assert.equal("n must be a multiple of 0.01, not 0.015",
      reason(props '"n":{"multipleOf":0.01}', '{"n":0.015}'))
  end)

  it("show the pattern that a text must match", function()
    assert.equal('id must match the pattern ^[a-z]+$, not "A"',
      reason(props '"id":{"pattern":"^[a-z]+$"}', '{"id":"A"}'))
  end)

  it("name an unknown property and the one it may have been meant to be", function()
    local text = '{"properties":{"topic":{}},"additionalProperties":false}'
    assert.equal('arguments has an unknown property "toppic" (did you mean "topic"?)',
      reason(text, '{"toppic":1}'))
    assert.equal('arguments has an unknown property "else"', reason(text, '{"else":1}'))
    assert.equal('list[0] has an unknown property "b"',
      reason(props '"list":{"items":{"additionalProperties":false}}', '{"list":[{"b":1}]}'))
  end)

  it("give the counts of items and properties", function()
    assert.equal("l must have at least 2 items, not 1",
      reason(props '"l":{"minItems":2}', '{"l":[1]}'))
    assert.equal("l must have at most 1 item, not 2",
      reason(props '"l":{"maxItems":1}', '{"l":[1,2]}'))
    assert.equal("l must have at most 1 item, not 2",
      reason(props '"l":{"prefixItems":[true],"items":false}', '{"l":[1,2]}'))
    assert.equal("arguments must have at least 1 property, not 0",
      reason('{"minProperties":1}', "{}"))
    assert.equal("arguments must have at most 2 properties, not 3",
      reason('{"maxProperties":2}', '{"a":1,"b":1,"c":1}'))
  end)

  it("point at the two items that are equal", function()
    assert.equal('l must not have two equal items, but [0] and [2] are both "a"',
      reason(props '"l":{"uniqueItems":true}', '{"l":["a","b","a"]}'))
    local many = {}
    for i = 0, 40 do many[#many + 1] = tostring(i) end
    many[#many + 1] = "7.0"
    assert.equal("l must not have two equal items, but [7] and [41] are both 7.0",
      reason(props '"l":{"uniqueItems":true}', '{"l":[' .. table.concat(many, ",") .. "]}"))
  end)

  it("say that a property name is wrong, not its value", function()
    assert.equal('arguments: the property name "abc" must be at most 2 characters long',
      reason('{"propertyNames":{"maxLength":2}}', '{"ab":1,"abc":1}'))
  end)

  it("say what a schema of false forbids", function()
    assert.equal("old is not allowed", reason(props '"old":false', '{"old":1}'))
  end)

  it("list several problems, at most 8, in the order of the schema", function()
    assert.equal("a must be a string, not a number; b must be at least 2, not 1; c is missing",
      (reason('{"properties":{"a":{"type":"string"},"b":{"minimum":2}}}', '{"a":1,"b":1}')
        .. "; " .. reason('{"required":["c"]}', "{}")))
    local numbers = ("1,"):rep(20) .. "1"
    local text = reason('{"items":{"type":"string"}}', "[" .. numbers .. "]")
    local _, separators = text:gsub("; ", "")
    assert.equal(7, separators)
  end)

  it("leave out what a wrong type makes meaningless", function()
    assert.equal("a must be a string, not a number",
      reason(props '"a":{"type":"string","anyOf":[{"const":"x"},{"const":"y"}]}', '{"a":1}'))
  end)

  it("never break a line or grow with a hostile name", function()
    local text = reason('{"additionalProperties":false}', '{"a\\nb":1}')
    assert.equal('arguments has an unknown property "a\\nb"', text)
    text = reason('{"additionalProperties":false}', '{"' .. ("é"):rep(5000) .. '":1}')
    assert.equal('arguments has an unknown property "' .. ("é"):rep(32) .. '…"', text)
  end)
end)

describe("schema alternatives", function()
  it("name the types when no branch allows the type", function()
    assert.equal("x must be a string or an integer, not a boolean",
      reason(props '"x":{"anyOf":[{"type":"string"},{"type":"integer"}]}', '{"x":true}'))
  end)

  it("list the constants of titled options", function()
    assert.equal('x must be one of "r", "g", not "b"',
      reason(props '"x":{"oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}',
        '{"x":"b"}'))
  end)

  it("explain the one branch whose type fits", function()
    assert.equal("x must be at most 2 characters long",
      reason(props '"x":{"anyOf":[{"type":"string","maxLength":2},{"type":"null"}]}',
        '{"x":"abc"}'))
  end)

  it("explain the branch that a constant member picks", function()
    local text = [[{"oneOf":[
      {"properties":{"kind":{"const":"cat"}},"required":["kind","lives"]},
      {"properties":{"kind":{"const":"dog"}},"required":["kind","tricks"]}]}]]
    assert.equal("tricks is missing", reason(text, '{"kind":"dog"}'))
    assert.equal("lives is missing", reason(text, '{"kind":"cat"}'))
  end)

  it("explain each branch when several could be meant", function()
    assert.equal("arguments must match one of 2 alternatives: a is missing, or b is missing",
      reason('{"anyOf":[{"required":["a"]},{"required":["b"]}]}', "{}"))
  end)

  it("say which two branches of a oneOf match", function()
    assert.equal("arguments must match exactly one of 3 alternatives, "
      .. "but matches number 1 and number 3",
      reason('{"oneOf":[{"minimum":1},{"type":"string"},{"multipleOf":2}]}', "2"))
  end)

  it("say what a not forbids", function()
    assert.equal('x must not be "a"', reason(props '"x":{"not":{"const":"a"}}', '{"x":"a"}'))
    assert.equal("x must not be a string or null",
      reason(props '"x":{"not":{"type":["string","null"]}}', '{"x":"a"}'))
    assert.equal('arguments must not have "old"',
      reason('{"not":{"required":["old"]}}', '{"old":1}'))
  end)

  it("explain the branch that if picks", function()
    local text = '{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}'
    assert.equal("b is missing", reason(text, '{"a":1}'))
    assert.equal("c is missing", reason(text, "{}"))
    accepts(text, '{"a":1,"b":1}')
  end)
end)

describe("schema numbers", function()
  it("are integers in whatever notation without a fraction", function()
    for _, n in ipairs { "1", "1.0", "1e3", "12.50e1", "-0.0", "1e400", "123456789012345678901" } do
      accepts('{"type":"integer"}', n)
    end
    for _, n in ipairs { "1.5", "1e-1", "9007199254740993.5" } do
      assert.is_false((schema.valid('{"type":"integer"}', n)))
    end
  end)

  it("are compared exactly beyond 2^53", function()
    accepts('{"maximum":9007199254740993}', "9007199254740993")
    assert.is_false((schema.valid('{"maximum":9007199254740992}', "9007199254740993")))
    assert.is_false((schema.valid('{"const":9007199254740992}', "9007199254740993")))
  end)

  it("are multiples in decimals, not in binary", function()
    accepts('{"multipleOf":0.01}', "4.35")
    accepts('{"multipleOf":0.1}', "123456789012345678901234.7")
    accepts('{"multipleOf":1e-8}', "12391239123")
    accepts('{"multipleOf":2.50}', "1e100")
    accepts('{"multipleOf":3}', "0.0")
    for _, pair in ipairs { { "0.01", "4.351" }, { "3", "1e100" }, { "0.3", "1" }, { "9", "5" } } do
      assert.is_false((schema.valid('{"multipleOf":' .. pair[1] .. "}", pair[2])), pair[2])
    end
  end)
end)

describe("schema strings", function()
  it("are as long as they have code points", function()
    accepts('{"maxLength":2,"minLength":2}', '"éé"')
    accepts('{"maxLength":1}', '"\\ud83d\\ude00"')
    assert.is_false((schema.valid('{"minLength":2}', '"\\ud83d\\ude00"')))
  end)

  it("are searched by patterns as ECMAScript writes them", function()
    accepts('{"pattern":"^\\\\p{Letter}\\\\p{Script=Greek}$"}', '"aπ"')
    accepts('{"pattern":"^\\\\u{1F600}\\\\u0041$"}', '"\\ud83d\\ude00A"')
    accepts('{"pattern":"^[^]$"}', '"\\n"')
    accepts('{"pattern":"a/b"}', '"xa/by"')
    assert.is_false((schema.valid('{"pattern":"^a$"}', '"a\\n"')))
    assert.is_false((schema.valid('{"pattern":"^\\\\d$"}', '"٣"')))
  end)

  it("are invalid, with a reason, when a pattern runs into its limit", function()
    local text = '{"pattern":"^(a+)+$"}'
    assert.equal("arguments takes too long to match against its pattern",
      reason(text, '"' .. ("a"):rep(40) .. '!"'))
    assert.equal("arguments takes too long to match against its pattern",
      reason('{"not":' .. text .. "}", '"' .. ("a"):rep(40) .. '!"'))
  end)

  it("can't keep a quadratic pattern running", function()
    local begun = os.clock()
    assert.equal("arguments takes too long to match against its pattern",
      reason('{"pattern":"[a ]+$"}', '"' .. (" "):rep(1000000) .. '!"'))
    assert.is_true(os.clock() - begun < 10)
  end)

  it("may be long for a pattern that is quick", function()
    accepts('{"pattern":"needle"}', '"' .. ("hay "):rep(500000) .. 'needle"')
    accepts('{"pattern":"^(hay )+needle$"}', '"' .. ("hay "):rep(5000) .. 'needle"')
  end)
end)

describe("schema limits", function()
  it("end a reference that goes round without getting anywhere", function()
    assert.equal("arguments can't be checked: the schema refers to itself too deeply",
      reason('{"$ref":"#"}', "1"))
    assert.equal("arguments can't be checked: the schema refers to itself too deeply",
      reason('{"not":{"$ref":"#"}}', "1"))
  end)

  it("follow a reference that goes round with the value", function()
    local tree = '{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}'
    accepts(tree, ('{"next":'):rep(60) .. "{}" .. ("}"):rep(60))
    assert.equal("next.next must be an object, not a number",
      reason(tree, '{"next":{"next":1}}'))
  end)

  it("end a check that branches without bound, whatever stands around it", function()
    local branch = '{"type":"array","items":{"$ref":"#/$defs/x"}}'
    local defs = '{"$defs":{"x":{"anyOf":[' .. branch .. "," .. branch .. "]}},"
    local value = ("["):rep(40) .. "1" .. ("]"):rep(40)
    for _, text in ipairs { '"$ref":"#/$defs/x"}', '"not":{"$ref":"#/$defs/x"}}' } do
      local valid, reasons, same = schema.valid(defs .. text, value)
      assert.is_false(valid)
      assert.is_true(same)
      assert.truthy(reasons:find("takes too many steps", 1, true))
    end
  end)

  it("count the steps of large values", function()
    local values = '["' .. ("a"):rep(3) .. '"' .. (',"b"'):rep(60000) .. "]"
    accepts('{"items":{"type":"string"}}', values)
    assert.truthy(reason('{"items":{"allOf":[{"type":"string"}]}}', values)
      :find("takes too many steps to check; send a smaller value", 1, true))
  end)

  it("compare many items without comparing all pairs", function()
    local list = {}
    for i = 1, 40000 do list[i] = '"' .. i .. '"' end
    local begun = os.clock()
    accepts('{"uniqueItems":true}', "[" .. table.concat(list, ",") .. "]")
    assert.is_true(os.clock() - begun < 5)
  end)
end)

describe("schema formats", function()
  local function is(format, text)
    return (schema.valid('{"format":"' .. format .. '"}', '"' .. text .. '"', true))
  end

  it("are notes unless asserted", function()
    accepts('{"format":"email"}', '"nobody"')
    assert.is_false(is("email", "nobody"))
    assert.is_true(is("hostname", "-"))
  end)

  it("say what a value should look like", function()
    local valid, reasons = schema.valid(props '"mail":{"format":"email"}', '{"mail":"x"}', true)
    assert.is_false(valid)
    assert.equal('mail must be an e-mail address such as name@example.org, not "x"', reasons)
  end)

  it("know the days of the calendar", function()
    assert.is_true(is("date", "2024-02-29"))
    assert.is_true(is("date", "2000-02-29"))
    assert.is_false(is("date", "2023-02-29"))
    assert.is_false(is("date", "1900-02-29"))
    assert.is_false(is("date", "2023-04-31"))
    assert.is_false(is("date", "2023-13-01"))
    assert.is_false(is("date", "2023-00-01"))
    assert.is_false(is("date", ""))
  end)

  it("allow second 60 only at the end of a UTC day", function()
    assert.is_true(is("date-time", "2016-12-31T23:59:60Z"))
    assert.is_true(is("date-time", "2017-01-01T00:59:60+01:00"))
    assert.is_false(is("date-time", "2016-12-31T23:59:60+01:00"))
    assert.is_false(is("date-time", "2016-12-31 23:59:00Z"))
    assert.is_false(is("date-time", "2016-12-31T23:59:00.Z"))
  end)

  it("tell quoted local parts of mail addresses from broken ones", function()
    assert.is_true(is("email", '\\"a\\\\\\"b\\"@example.org'))
    assert.is_false(is("email", '\\"a\\"b\\"@example.org'))
    assert.is_false(is("email", '\\"a\\\\\\"@example.org'))
    assert.is_false(is("email", "a@-b.org"))
    assert.is_false(is("email", ("a"):rep(65) .. "@b.org"))
    assert.is_false(is("email", '\\"@b.org'))
  end)

  it("take URIs with a scheme and RFC 3986's characters alone", function()
    assert.is_true(is("uri", "http://[v1.fe]/"))
    assert.is_true(is("uri", "a:"))
    assert.is_true(is("uri", "http://user:pw@example.org:8080/a?b#c"))
    assert.is_false(is("uri", "http://[v1.]/"))
    assert.is_false(is("uri", "http://a b/"))
    assert.is_false(is("uri", "http://x/#a#b"))
    assert.is_false(is("uri", ""))
  end)
end)

describe("schema compiler", function()
  it("names the place and the fault", function()
    assert.equal("/properties/topic/minLength: must be a non-negative integer",
      fault(props '"topic":{"minLength":-1}'))
    assert.equal("/minLength: must be a non-negative integer", fault('{"minLength":1.5}'))
    assert.equal("/multipleOf: must be a number above 0", fault('{"multipleOf":0}'))
    assert.equal("/required/1: must be a string, the name of a property",
      fault('{"required":["a",1]}'))
    assert.equal("/properties/a~1b~0: must be a schema: an object or a boolean",
      fault(props '"a/b~":1'))
    assert.equal("/anyOf: must be an array of at least one schema", fault('{"anyOf":[]}'))
    assert.equal("the schema itself: must be a schema: an object or a boolean", fault("1"))
    assert.truthy(fault('{"type":"text"}'):find('^/type: must be "string"'))
    assert.truthy(fault('{"type":["string","text"]}'):find('^/type/1: must be "string"'))
    assert.truthy(fault('{"pattern":"["}'):find("^/pattern: not a regular expression: missing"))
    assert.truthy(fault('{"patternProperties":{"[":{}}}')
      :find("^/patternProperties/%[: not a regular expression"))
  end)

  it("finds faults where nothing refers to", function()
    assert.equal("/$defs/x/maxItems: must be a non-negative integer",
      fault('{"$defs":{"x":{"maxItems":"1"}}}'))
  end)

  it("says how to write a list of items by position", function()
    assert.equal('/items: must be one schema; a list of them by position is "prefixItems"',
      fault('{"items":[{}]}'))
  end)

  it("warns of unknown keywords with the nearest known one", function()
    assert.equal('/properties/topic: unknown keyword "maxlength" (did you mean "maxLength"?)\n',
      schema.compile(props '"topic":{"maxlength":1}'))
    assert.equal('/: unknown keyword "colour"\n', schema.compile '{"colour":1}')
    assert.equal("", schema.compile '{"x-colour":1,"title":"T","$comment":"C","enumNames":[]}')
  end)

  it("warns of a required property that is not described", function()
    assert.equal('/: "topci" is required, but not among the properties (did you mean "topic"?)\n'
      .. '/: "x" is required, but not among the properties\n',
      schema.compile '{"properties":{"topic":{}},"required":["topci","topic","x"]}')
    for _, keyword in ipairs { '"additionalProperties":{}', '"patternProperties":{"^x":{}}',
      '"allOf":[{"properties":{"x":{}}}]', '"$ref":"#/$defs/d","$defs":{"d":{}}' } do
      assert.equal("", schema.compile('{"properties":{},"required":["x"],' .. keyword .. "}"))
    end
    assert.equal("", schema.compile '{"required":["x"]}')
    assert.equal("", schema.compile '{"properties":{"a":{"required":["x"]}}}')
  end)

  it("warns of keywords of the other draft", function()
    assert.equal('/: "additionalItems" is no keyword of 2020-12 and is ignored\n',
      schema.compile '{"additionalItems":false}')
    assert.equal('/: "prefixItems" is no keyword of draft-07 and is ignored\n', schema.compile
      '{"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[true]}')
  end)

  it("does not take a property's name for a keyword", function()
    assert.equal("", schema.compile(props '"maxlength":{},"$ref":{"type":"string"}'))
  end)

  it("follows references within the schema, escaped or not", function()
    local defs = '"$defs":{"a/b":{"type":"string"},"c%d":{"type":"string"}}'
    accepts('{"$ref":"#/$defs/a~1b",' .. defs .. "}", '"x"')
    assert.is_false((schema.valid('{"$ref":"#/$defs/a~1b",' .. defs .. "}", "1")))
    assert.is_false((schema.valid('{"$ref":"#/%24defs/c%25d",' .. defs .. "}", "1")))
  end)

  it("refuses references to nothing and to other documents", function()
    assert.equal('/$ref: refers to nothing in this schema; write "#" or "#/path/to/it"',
      fault('{"$ref":"#/$defs/a"}'))
    assert.truthy(fault('{"$ref":"#name"}'):find("refers to nothing", 1, true))
    assert.truthy(fault('{"$ref":"#/a~2"}'):find("refers to nothing", 1, true))
    assert.truthy(fault('{"$ref":"https://example.org/s.json"}')
      :find("references to other documents aren't fetched", 1, true))
    assert.equal("/title: must be a schema: an object or a boolean",
      fault('{"title":"T","$ref":"#/title"}'))
  end)

  it("takes the two dialects, with or without #, and no other", function()
    for _, url in ipairs { "https://json-schema.org/draft/2020-12/schema",
      "http://json-schema.org/draft-07/schema" } do
      assert.equal("", schema.compile('{"$schema":"' .. url .. '"}'))
      assert.equal("", schema.compile('{"$schema":"' .. url .. '#"}'))
    end
    local why = fault('{"$schema":"http://json-schema.org/draft-04/schema#"}')
    assert.truthy(why:find("https://json-schema.org/draft/2020-12/schema", 1, true))
    assert.truthy(why:find("http://json-schema.org/draft-07/schema", 1, true))
  end)
end)
