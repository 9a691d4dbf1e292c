local said = require "support.schema"

local reason, accepts, props = said.reason, said.accepts, said.props

describe("schema parts that nobody has looked at", function()
  it("are named with the property they may have been meant to be", function()
    assert.equal('arguments has an unknown property "nmae" (did you mean "name"?)',
      reason('{"properties":{"name":{}},"unevaluatedProperties":false}', '{"nmae":1}'))
    assert.equal("l[1] is not allowed",
      reason(props '"l":{"prefixItems":[true],"unevaluatedItems":false}', '{"l":[1,2]}'))
  end)

  it("include what a branch looked at that failed in the end", function()
    local text = [[{"unevaluatedProperties":false,"anyOf":[
      {"properties":{"a":{},"b":{"const":1}},"required":["a","b"]},
      {"properties":{"a":{}}}]}]]
    accepts(text, '{"a":1}')
    accepts(text, '{"a":1,"b":1}')
    assert.equal('arguments has an unknown property "b"', reason(text, '{"a":1,"b":2}'))
  end)

  it("are told apart in values of any size", function()
    local list, members = {}, {}
    for i = 1, 5000 do list[i], members[i] = tostring(i), ('"k%d":%d'):format(i, i) end
    local items = '{"contains":{"type":"integer"},"unevaluatedItems":false}'
    accepts(items, "[" .. table.concat(list, ",") .. "]")
    list[4000] = '"x"'
    assert.equal("arguments[3999] is not allowed",
      reason(items, "[" .. table.concat(list, ",") .. "]"))
    local named = '{"patternProperties":{"^k":{}},"unevaluatedProperties":false}'
    accepts(named, "{" .. table.concat(members, ",") .. "}")
    members[3000] = '"x":1'
    assert.equal('arguments has an unknown property "x"',
      reason(named, "{" .. table.concat(members, ",") .. "}"))
  end)
end)
