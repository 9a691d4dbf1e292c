-- Runs the official JSON Schema test suite: draft 2020-12, and draft-07 as schemas declare it.
local schema = require("unit").schema

local DATA = os.getenv("LUNASK_DATA") or "../shared/data"
local SUITE = DATA .. "/json-schema-test-suite/"

-- Files of a keyword each, by the draft; and what is optional there and holds here.
local REQUIRED = {
  ["draft2020-12"] = {
    "additionalProperties", "allOf", "anchor", "anyOf", "boolean_schema", "const", "contains",
    "content", "default", "defs", "dependentRequired", "dependentSchemas", "dynamicRef", "enum",
    "exclusiveMaximum", "exclusiveMinimum", "format", "if-then-else", "infinite-loop-detection",
    "items", "maxContains", "maxItems", "maxLength", "maxProperties", "maximum", "minContains",
    "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern",
    "patternProperties", "prefixItems", "properties", "propertyNames", "ref", "refRemote",
    "required", "type", "unevaluatedItems", "unevaluatedProperties", "uniqueItems", "vocabulary",
  },
  draft7 = {
    "additionalItems", "additionalProperties", "allOf", "anyOf", "boolean_schema", "const",
    "contains", "default", "definitions", "dependencies", "enum", "exclusiveMaximum",
    "exclusiveMinimum", "format", "if-then-else", "infinite-loop-detection", "items", "maxItems",
    "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum",
    "multipleOf", "not", "oneOf", "pattern", "patternProperties", "properties", "propertyNames",
    "ref", "refRemote", "required", "type", "uniqueItems",
  },
}

local OPTIONAL = {
  ["draft2020-12"] = {
    "anchor", "bignum", "dependencies-compatibility", "dynamicRef", "ecmascript-regex",
    "float-overflow", "format-assertion", "id", "no-schema", "non-bmp-regex",
    "refOfUnknownKeyword", "unknownKeyword",
  },
  draft7 = {
    "bignum", "ecmascript-regex", "float-overflow", "id", "non-bmp-regex",
    "unknownKeyword",
  },
}

local FORMATS = {
  ["draft2020-12"] = {
    "date", "date-time", "email", "ipv4", "ipv6", "json-pointer", "time", "unknown", "uri", "uuid",
  },
  draft7 = {
    "date", "date-time", "email", "ipv4", "ipv6", "json-pointer", "time", "unknown", "uri",
  },
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


-- The documents that the suite's references lead to, by the URI it gives them.
local function remotes()
  local known = {}
  local list = io.popen("cd '" .. SUITE .. "remotes' 2>/dev/null && find . -name '*.json'")
  for path in list:lines() do
    path = path:sub(3)
    if not path:find("^draft[346]/") and not path:find("^v1/") then
      known["http://localhost:1234/" .. path] = read(SUITE .. "remotes/" .. path)
    end
  end
  list:close()
  return known
end

local KNOWN = remotes()

local DIALECTS = {
  ["draft2020-12"] = "https://json-schema.org/draft/2020-12/schema",
  draft7 = "http://json-schema.org/draft-07/schema#",
}

-- Of the suite's own drafts only 2020-12 declares itself in every schema.
local function declared(text, draft)
  if draft == "draft2020-12" or text:sub(1, 1) ~= "{" or text:find('"$schema"', 1, true) then
    return text
  end
  local comma = text:find("^{%s*}") and "" or ","
  return '{"$schema":"' .. DIALECTS[draft] .. '"' .. comma .. text:sub(2)
end

local function add_group(group, draft, asserted)
  local name = plain(group.description)
  local text, check = declared(group.schema, draft), nil
  local known = text:find("localhost:1234", 1, true) and KNOWN or nil
  for _, part in ipairs(parts(group.tests)) do
    local case = members(part)
    it(name .. ": " .. plain(case.description), function()
      check = check or schema.checker(text, known, asserted)
      local valid, reasons, same = check(case.data)
      assert.equal(case.valid == "true", valid, reasons)
      assert.equal(valid, reasons == "")
      assert.is_true(same)
    end)
  end
end

local function add_file(draft, name, asserted)
  describe(draft .. " " .. name, function()
    local path = SUITE .. "tests/" .. draft .. "/" .. name .. ".json"
    local text = read(path)
    if not text then
      pending("runs (" .. path .. " is missing)")
      return
    end
    for _, group in ipairs(parts((text:gsub("^%s+", "")))) do
      add_group(members(group), draft, asserted)
    end
  end)
end

describe("the JSON Schema test suite", function()
  for _, draft in ipairs { "draft2020-12", "draft7" } do
    for _, name in ipairs(REQUIRED[draft]) do add_file(draft, name, false) end
    for _, name in ipairs(OPTIONAL[draft]) do add_file(draft, "optional/" .. name, false) end
    for _, name in ipairs(FORMATS[draft]) do add_file(draft, "optional/format/" .. name, true) end
  end
end)
