local form = require("unit").form

local function field(text)
  return form.check('{"type":"object","properties":{"f":' .. text .. "}}")
end

local function refused(text, reason)
  local ok, why = field(text)
  assert.is_nil(ok)
  assert.equal("requestedSchema.properties.f: " .. reason, why)
end

local function refused_form(text, reason)
  local ok, why = form.check(text)
  assert.is_nil(ok)
  assert.equal(reason, why)
end

describe("form", function()
  it("takes every kind of field that MCP allows", function()
    local ok, why = form.check [[{
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "type": "object",
      "required": ["name", "days"],
      "properties": {
        "name": {"type": "string", "title": "Name", "description": "Yours", "minLength": 1,
                 "maxLength": 60, "pattern": "^\\p{L}", "default": "Ada"},
        "mail": {"type": "string", "format": "email", "default": "ada@example.org"},
        "age": {"type": "integer", "minimum": 0, "maximum": 150, "default": 36.0},
        "share": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.5},
        "ok": {"type": "boolean", "default": false},
        "size": {"type": "string", "enum": ["s", "m"], "enumNames": ["Small", "Middle"],
                 "default": "m"},
        "colour": {"type": "string", "oneOf": [{"const": "r", "title": "Red"},
                   {"const": "g", "title": "Green"}], "default": "g"},
        "days": {"type": "array", "items": {"type": "string", "enum": ["mo", "tu"]},
                 "minItems": 1, "maxItems": 2, "default": ["tu"]},
        "tags": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}
      }
    }]]
    assert.is_true(ok, why)
  end)

  it("takes a form without fields", function()
    assert.is_true(form.check '{"type":"object","properties":{}}')
  end)

  it("refuses nested objects, with what can be asked instead", function()
    local ok, why = form.check
      '{"type":"object","properties":{"address":{"type":"object","properties":{}}}}'
    assert.is_nil(ok)
    assert.equal("requestedSchema.properties.address: type \"object\" can't be asked; a form is "
      .. "flat: string, number, integer, boolean, or an array of an enum", why)
  end)

  it("refuses null, several types, no type and no schema", function()
    local flat = "a form is flat: string, number, integer, boolean, or an array of an enum"
    refused('{"type":"null"}', 'type "null" can\'t be asked; ' .. flat)
    refused('{"type":["string","null"]}', "type must be one name; " .. flat)
    refused('{"title":"F"}', "type is missing; " .. flat)
    refused("true", "must be an object, the schema of a field")
  end)

  it("names the nearest keyword for an unknown one", function()
    refused('{"type":"string","maxlength":3}',
      'unknown keyword "maxlength" (did you mean "maxLength"?)')
    refused('{"type":"boolean","titel":"F"}', 'unknown keyword "titel" (did you mean "title"?)')
  end)

  it("refuses a keyword that belongs to another kind of field", function()
    refused('{"type":"number","pattern":"1"}',
      'keyword "pattern" has no place in a number field of a form')
    refused('{"type":"string","enum":["a"],"maxLength":3}',
      'keyword "maxLength" has no place in an enum field of a form')
    refused('{"type":"array","items":{"type":"string","enum":["a"]},"uniqueItems":true}',
      'keyword "uniqueItems" has no place in an array field of a form')
  end)

  it("refuses titles and descriptions that are no strings", function()
    refused('{"type":"string","title":1}', "title must be a string")
    refused('{"type":"string","description":[]}', "description must be a string")
  end)

  it("refuses values that their keyword can't have", function()
    refused('{"type":"string","minLength":-1}', "minLength: must be a non-negative integer")
    refused('{"type":"number","minimum":"0"}', "minimum: must be a number")
    refused('{"type":"string","pattern":"("}',
      "pattern: not a regular expression: missing closing parenthesis at character 1")
  end)

  it("refuses formats that MCP doesn't list", function()
    refused('{"type":"string","format":"uuid"}',
      'format must be "email", "uri", "date" or "date-time"')
    refused('{"type":"string","format":1}',
      'format must be "email", "uri", "date" or "date-time"')
  end)

  it("refuses bounds that leave no answer", function()
    refused('{"type":"string","minLength":4,"maxLength":3}',
      "minLength is above maxLength, so no answer fits")
    refused('{"type":"integer","minimum":4,"maximum":3}',
      "minimum is above maximum, so no answer fits")
    refused('{"type":"array","items":{"type":"string","enum":["a"]},"minItems":2}',
      "minItems is more than there are options (1)")
  end)

  it("refuses enums that are empty, mixed or repeat an option", function()
    refused('{"type":"string","enum":[]}', "enum must be an array of at least one string")
    refused('{"type":"string","enum":"a"}', "enum must be an array of at least one string")
    refused('{"type":"string","enum":["a",1]}', "enum must hold strings only")
    refused('{"type":"string","enum":["a","b","a"]}', 'enum has "a" twice')
  end)

  it("refuses enumNames of another length than enum", function()
    refused('{"type":"string","enum":["a","b"],"enumNames":["A"]}',
      "enumNames must be an array as long as enum (2)")
    refused('{"type":"string","enum":["a"],"enumNames":[1]}', "enumNames must hold strings only")
  end)

  it("refuses oneOf options without const or title, or with more", function()
    local both = "oneOf: every option needs a const and a title, both strings"
    refused('{"type":"string","oneOf":[{"const":"a"}]}', both)
    refused('{"type":"string","oneOf":[{"const":1,"title":"A"}]}', both)
    refused('{"type":"string","oneOf":["a"]}', both)
    refused('{"type":"string","oneOf":[]}',
      "oneOf must be an array of at least one {const, title}")
    refused('{"type":"string","oneOf":[{"const":"a","title":"A","tittle":"B"}]}',
      'unknown keyword "tittle" (did you mean "title"?)')
    refused('{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"a","title":"B"}]}',
      'oneOf has "a" twice')
  end)

  it("refuses arrays of anything but an enum of strings", function()
    refused('{"type":"array"}',
      "an array needs items with an enum, or anyOf of {const, title}")
    local ok, why = field '{"type":"array","items":{"type":"string"}}'
    assert.is_nil(ok)
    assert.equal("requestedSchema.properties.f.items: "
      .. "must have an enum, or anyOf of {const, title}", why)
    ok, why = field '{"type":"array","items":{"type":"integer","enum":["a"]}}'
    assert.is_nil(ok)
    assert.equal('requestedSchema.properties.f.items: type must be "string"', why)
    ok, why = field '{"type":"array","items":{"anyOf":[{"const":"a"}]}}'
    assert.is_nil(ok)
    assert.equal("requestedSchema.properties.f.items: "
      .. "anyOf: every option needs a const and a title, both strings", why)
  end)

  it("refuses defaults that break their own field", function()
    refused('{"type":"string","maxLength":2,"default":"abc"}',
      "default must be at most 2 characters long")
    refused('{"type":"boolean","default":"yes"}', "default must be a boolean, not a string")
    refused('{"type":"string","enum":["a","b"],"default":"c"}',
      'default must be one of "a", "b", not "c"')
    refused('{"type":"string","oneOf":[{"const":"a","title":"A"}],"default":"c"}',
      'default must be "a", not "c"')
    refused('{"type":"string","format":"date","default":"2026-02-30"}',
      'default must be a date such as 2026-11-30, not "2026-02-30"')
    refused('{"type":"array","items":{"type":"string","enum":["a"]},"default":["a","x"]}',
      'default[1] must be "a", not "x"')
  end)

  it("refuses required names that no property has", function()
    refused_form('{"type":"object","properties":{"topic":{"type":"string"}},"required":["toppic"]}',
      'requestedSchema.required: "toppic" isn\'t among the properties (did you mean "topic"?)')
    refused_form('{"type":"object","properties":{},"required":["a"]}',
      'requestedSchema.required: "a" isn\'t among the properties')
    refused_form('{"type":"object","properties":{},"required":"a"}',
      "requestedSchema.required: must be an array of property names")
    refused_form('{"type":"object","properties":{},"required":[1]}',
      "requestedSchema.required: must hold strings only")
  end)

  it("refuses forms that are not objects of properties", function()
    refused_form("[]", "requestedSchema: must be an object")
    refused_form('{"properties":{}}', 'requestedSchema: type must be "object"')
    refused_form('{"type":"object"}',
      "requestedSchema: properties must be an object, one field a member")
    refused_form('{"type":"object","propertys":{}}',
      'requestedSchema: unknown keyword "propertys" (did you mean "properties"?)')
    refused_form('{"type":"object","properties":{},"additionalProperties":false}',
      'requestedSchema: keyword "additionalProperties" has no place in the top of a form')
    refused_form('{"type":"object","properties":{},"$schema":1}',
      "requestedSchema: $schema must be a string")
  end)

  it("cuts overlong names in its errors", function()
    local name = ("x"):rep(300)
    local ok, why = form.check('{"type":"object","properties":{"' .. name .. '":{"type":"null"}}}')
    assert.is_nil(ok)
    assert.is_true(#why < 300)
    assert.truthy(why:find("x: type \"null\" can't be asked", 1, true))
  end)
end)
