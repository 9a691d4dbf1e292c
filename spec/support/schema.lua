-- What the specs of core/schema say of a schema, both as JSON text.

local native = require("unit").schema
local assert = require "luassert"

local schema = {}

-- Returns the reasons why `value` is refused, which it must be.
function schema.reason(text, value, name)
  local valid, reasons = native.valid(text, value, false, name)
  assert.is_false(valid)
  return reasons
end

function schema.accepts(text, value, format)
  local valid, reasons = native.valid(text, value, format)
  assert.is_true(valid, reasons)
  assert.equal("", reasons)
end

-- An object schema with these properties.
function schema.props(text)
  return '{"type":"object","properties":{' .. text .. "}}"
end

-- Returns why the schema is refused itself, which it must be.
function schema.fault(text)
  local warnings, why = native.compile(text)
  assert.is_nil(warnings)
  return why
end

return schema
