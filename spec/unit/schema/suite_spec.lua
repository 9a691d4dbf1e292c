-- Runs the official JSON Schema test suite (draft 2020-12) for the keywords that are supported.
local schema = require("unit").schema

local DATA = os.getenv("LUNASK_DATA") or "../shared/data"
local SUITE = DATA .. "/json-schema-test-suite/tests/draft2020-12/"

-- Files of a keyword each; what is left out is anchor, dynamicRef, unevaluated*, vocabulary (not
-- supported) and refRemote (nothing is fetched).
local FILES = {
  "additionalProperties", "allOf", "anyOf", "boolean_schema", "const", "contains", "content",
  "default", "dependentRequired", "dependentSchemas", "enum", "exclusiveMaximum",
  "exclusiveMinimum", "format", "if-then-else", "infinite-loop-detection", "items", "maxContains",
  "maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems", "minLength",
  "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern", "patternProperties",
  "prefixItems", "properties", "propertyNames", "ref", "required", "type", "uniqueItems",
  "optional/bignum", "optional/float-overflow", "optional/non-bmp-regex", "optional/no-schema",
}

local FORMATS = { "email", "date", "date-time", "uri" }

local ID = "resolves references against $id"
local REMOTE = "refers to another document"

-- Groups that need what isn't supported, by description, and why.
local SKIPPED = {
  ["collect annotations inside a 'not', even if collection is disabled"] = "unevaluatedProperties",
  ["remote ref, containing refs itself"] = REMOTE,
  ["ref creates new scope when adjacent to keywords"] = "unevaluatedProperties",
  ["refs with relative uris and defs"] = ID,
  ["relative refs with absolute uris and defs"] = ID,
  ["$id must be resolved against nearest parent, not just immediate parent"] = ID,
  ["order of evaluation: $id and $ref"] = ID,
  ["order of evaluation: $id and $anchor and $ref"] = ID,
  ["order of evaluation: $id and $ref on nested schema"] = ID,
  ["simple URN base URI with $ref via the URN"] = ID,
  ["URN base URI with URN and JSON pointer ref"] = ID,
  ["URN base URI with URN and anchor ref"] = ID,
  ["URN ref with nested pointer ref"] = ID,
  ["ref with absolute-path-reference"] = ID,
  ["Recursive references between schemas"] = ID,
  ["ref to if"] = ID,
  ["ref to then"] = ID,
  ["ref to else"] = ID,
}

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return text
end

-- Cuts the JSON text of a container into the texts of its members, so that numbers reach the
-- subject as the suite wrote them.
local function skip_value(text, at)
  local first = text:sub(at, at)
  if first == '"' then
    local i = at + 1
    while text:sub(i, i) ~= '"' do i = i + (text:sub(i, i) == "\\" and 2 or 1) end
    return i + 1
  elseif first == "{" or first == "[" then
    local i = at + 1
    while true do
      i = text:match("^[%s,:]*()", i)
      if text:find("^[]}]", i) then return i + 1 end
      i = skip_value(text, i)
    end
  end
  return text:match("^[%w%.+-]+()", at)
end

local function parts(text)
  local list, at = {}, 2
  while true do
    at = text:match("^[%s,:]*()", at)
    if text:find("^[]}]", at) then return list end
    local stop = skip_value(text, at)
    list[#list + 1] = text:sub(at, stop - 1)
    at = stop
  end
end

local function members(text)
  local object, list = {}, parts(text)
  for i = 1, #list, 2 do object[list[i]:sub(2, -2)] = list[i + 1] end
  return object
end

local function plain(text)
  return (text:sub(2, -2):gsub("\\(.)", "%1"))
end

local function add_group(group, asserted)
  local name = plain(group.description)
  if SKIPPED[name] then
    pending(name .. " [" .. SKIPPED[name] .. "]")
    return
  end
  for _, text in ipairs(parts(group.tests)) do
    local case = members(text)
    it(name .. ": " .. plain(case.description), function()
      local valid, reasons, same = schema.valid(group.schema, case.data, asserted)
      assert.equal(case.valid == "true", valid, reasons)
      assert.equal(valid, reasons == "")
      assert.is_true(same)
    end)
  end
end

local function add_file(name, asserted)
  describe(name, function()
    local text = read(SUITE .. name .. ".json")
    if not text then
      pending("runs (" .. SUITE .. name .. ".json is missing)")
      return
    end
    for _, group in ipairs(parts((text:gsub("^%s+", "")))) do
      add_group(members(group), asserted)
    end
  end)
end

describe("the JSON Schema test suite", function()
  for _, name in ipairs(FILES) do add_file(name, false) end
  for _, name in ipairs(FORMATS) do add_file("optional/format/" .. name, true) end
end)
