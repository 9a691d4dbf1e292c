local script = require "support.script"

-- The problems of an accepted answer with this content, as JSON text; nil if it fits.
local function problems(fields, content)
  local run = script.handle(([[
    local answer = ctx:elicit { message = "?", on_invalid = "return", requestedSchema = {
      type = "object", required = { "a" }, properties = { %s } } }
    assert(answer.valid == (answer.problems == nil))
    return answer.problems or "fits"
  ]]):format(fields))
  run:resume_text('{"action":"accept"' .. (content and ',"content":' .. content or "") .. "}")
  return run:text()
end

describe("the content of an answer", function()
  after_each(script.clean)

  it("fits the form, or is told what does not", function()
    local fields = "a = { type = 'integer', minimum = 1 }, b = { type = 'string' }"
    assert.equal("fits", problems(fields, '{"a":1}'))
    assert.equal("fits", problems(fields, '{"a":1,"b":"x","more":true}'))
    assert.matches("a must be an integer", problems(fields, '{"a":"1"}'))
    assert.matches("a must be at least 1", problems(fields, '{"a":0}'))
    assert.matches("a is missing", problems(fields, "{}"))
    assert.matches("; ", problems(fields, '{"a":0,"b":1}'))
  end)

  it("is an empty form when it is null or missing", function()
    local fields = "a = { type = 'integer' }"
    assert.equal("a is missing", problems(fields, "null"))
    assert.equal("a is missing", problems(fields))
  end)

  it("must be an object otherwise", function()
    local fields = "a = { type = 'integer' }"
    assert.matches("^content must be an object, not an array$", problems(fields, "[]"))
    assert.matches("^content must be an object, not a string$", problems(fields, '"a"'))
  end)

  it("is held to the formats of the form", function()
    local fields = "a = { type = 'string', format = 'email' }"
    assert.equal("fits", problems(fields, '{"a":"ada@example.org"}'))
    assert.matches("^a must be", problems(fields, '{"a":"ada"}'))
    fields = "a = { type = 'string', format = 'date' }"
    assert.matches("^a must be", problems(fields, '{"a":"now"}'))
  end)

  it("is judged by the form as it was asked, whatever the script does to it later", function()
    local run = script.handle [[
      local form = { type = "object", properties = { a = { type = "integer" } } }
      local answer = ctx:elicit { message = "?", on_invalid = "return", requestedSchema = form }
      return tostring(answer.valid)
    ]]
    run:resume_text '{"action":"accept","content":{"a":"x"}}'
    assert.equal("false", run:text())
  end)
end)

describe("a form", function()
  after_each(script.clean)

  it("is refused at the line that asks, with the place of the fault", function()
    for schema, reason in pairs {
      ["{}"] = 'requestedSchema: type must be "object"',
      ["{ type = 'object' }"] = "requestedSchema: properties must be an object, one field a member",
      ["{ type = 'object', properties = { 1 } }"] = "requestedSchema: properties must be an object",
      ["{ type = 'object', properties = {}, required = { 'a' } }"] = "requestedSchema.required: ",
      ["{ type = 'object', properties = { a = { type = 'string', maxlength = 1 } } }"] =
        'requestedSchema.properties.a: unknown keyword "maxlength" (did you mean "maxLength"?)',
    } do
      local run = script.handle(
        "\nctx:elicit { message = '?', requestedSchema = " .. schema .. " }", {},
        { ask = function() error "asked" end })
      assert.matches("scripts/x.lua:2: ctx:elicit: " .. reason, run:reason(), 1, true)
    end
  end)
end)
