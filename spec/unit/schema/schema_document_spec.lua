local said = require "support.schema"
local schema = require("unit").schema

local reason, accepts, props, fault = said.reason, said.accepts, said.props, said.fault

describe("schema references", function()
  it("lead to the place that an $anchor or an $id names", function()
    local defs = '"$defs":{"a":{"$anchor":"a","type":"string"},"b":{"$id":"b","type":"null"}}'
    accepts('{"$ref":"#a",' .. defs .. "}", '"x"')
    assert.equal("arguments must be a string, not a number",
      reason('{"$ref":"#a",' .. defs .. "}", "1"))
    accepts('{"$id":"https://example.org/x/y","$ref":"/x/b",' .. defs .. "}", "null")
    assert.equal("arguments must be null, not a number",
      reason('{"$id":"https://example.org/x/y","$ref":"b",' .. defs .. "}", "1"))
  end)

  it("lead to the metaschemas without fetching them", function()
    local tool = props '"schema":{"$ref":"https://json-schema.org/draft/2020-12/schema"}'
    accepts(tool, '{"schema":{"type":"string","items":{"minLength":1}}}')
    assert.truthy(reason(tool, '{"schema":{"items":{"minLength":-1}}}')
      :find("schema.items.minLength must be at least 0, not -1", 1, true))
    local old = props '"schema":{"$ref":"http://json-schema.org/draft-07/schema#"}'
    accepts(old, '{"schema":{"items":[{},true]}}')
    assert.is_false((schema.valid(old, '{"schema":{"required":"a"}}')))
  end)

  it("lead to documents that the caller knows, and name them in faults", function()
    local known = { ["https://example.org/s"] = '{"$defs":{"n":{"minimum":1}}}' }
    local valid, reasons = schema.valid('{"$ref":"https://example.org/s#/$defs/n"}', "0", false,
      nil, known)
    assert.is_false(valid)
    assert.equal("arguments must be at least 1, not 0", reasons)
    known["https://example.org/s"] = '{"minLength":"x"}'
    local warnings, why = schema.compile('{"$ref":"https://example.org/s"}', false, known)
    assert.is_nil(warnings)
    assert.equal("https://example.org/s/minLength: must be a non-negative integer", why)
  end)

  it("in draft-07 hide what stands beside them", function()
    local text = '{"$schema":"http://json-schema.org/draft-07/schema#","definitions":'
      .. '{"s":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/s","maxLength":1}}}'
    accepts(text, '{"a":"long"}')
    assert.is_false((schema.valid(text, '{"a":1}')))
  end)

  it("can't be given more names than are looked through in no time", function()
    local list = {}
    for i = 1, 15000 do list[i] = '{"$anchor":"a' .. i .. '","$ref":"#a1"}' end
    local begun = os.clock()
    assert.equal("/allOf/1000/$anchor: is one name too many: at most 1000 of $id and $anchor",
      fault('{"allOf":[' .. table.concat(list, ",") .. "]}"))
    assert.is_true(os.clock() - begun < 2)
  end)

  it("by way of $dynamicRef pay for each step back", function()
    local text = '{"$dynamicAnchor":"a","$id":"x:a","$defs":{"b":{"$id":"x:b","$ref":"x:c"},'
      .. '"c":{"$id":"x:c","$dynamicAnchor":"a","$ref":"x:b"}},"$dynamicRef":"x:c#a"}'
    assert.truthy(reason(text, "1"):find("^arguments can't be checked"))
  end)
end)
