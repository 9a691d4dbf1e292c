local script = require "support.script"
local unit = require "unit"

local function tool(fields)
  return ("require('mcp').tool { handler = function() end, %s }\n"):format(fields)
end

local function load(files)
  return assert(unit.registry.load(script.folder(files), {}))
end

-- Returns the differences of a tool x between two definitions.
local function told(before, after)
  return unit.difference.tell(load { ["x.lua"] = tool(before) }, load { ["x.lua"] = tool(after) })
end

local function schema(properties)
  return ("inputSchema = { type = 'object', properties = { %s } }"):format(properties)
end

describe("the difference of two generations", function()
  after_each(script.clean)

  it("is none where only the code and the order of fields differ", function()
    local lines, lists = unit.difference.tell(
      load { ["x.lua"] = tool "description = 'd', title = 't'" },
      load { ["x.lua"] = "local code = 1\n" .. tool "title = 't', description = 'd'" })
    assert.same({}, lines)
    assert.equal(0, lists)
  end)

  it("is none where a number is only written in another way", function()
    local lines, lists = told(schema "n = { minimum = 1 }", schema "n = { minimum = 1.0 }")
    assert.same({}, lines)
    assert.equal(0, lists)
  end)

  it("names tools that are new, gone, or in another script", function()
    local lines, lists = unit.difference.tell(
      load { ["a.lua"] = tool "name = 'a'" .. tool "name = 'm'", ["c.lua"] = tool "name = 'c'" },
      load { ["b.lua"] = tool "name = 'b'", ["c.lua"] = tool "name = 'c'" .. tool "name = 'm'" })
    assert.same({ "tool a removed", "tool b added" }, lines)
    assert.equal(1, lists)
  end)

  it("names the member that changed, with both values", function()
    local lines, lists = told(
      "description = 'old', " .. schema "topic = { type = 'string', maxLength = 120 }",
      "description = 'new', " .. schema "topic = { type = 'string', maxLength = 100 }")
    assert.same({
      'tool x: description "old" → "new"',
      "tool x: inputSchema.properties.topic.maxLength 120 → 100",
    }, lines)
    assert.equal(1, lists)
  end)

  it("names members that are new and members that are gone", function()
    assert.same({
      "tool x: inputSchema.properties.a removed",
      'tool x: inputSchema.properties.b added: {"type":"string"}',
      "tool x: title removed",
      'tool x: annotations added: {"readOnlyHint":true}',
    }, (told("title = 't', " .. schema "a = { type = 'string' }, keep = {}",
      "annotations = { readOnlyHint = true }, " .. schema "b = { type = 'string' }, keep = {}")))
  end)

  it("shows no more than the beginning of long values, cut between characters", function()
    assert.same({ ('tool x: description "short" → "%s…'):format(("é"):rep(29)) },
      (told("description = 'short'", "description = '" .. ("é"):rep(100) .. "'")))
  end)

  it("counts what is too much to tell", function()
    local mlists = {}
    for i = 1, 40 do mlists[i] = tool(("name = 't%02d'"):format(i)) end
    local lines, lists = unit.difference.tell(load {}, load { ["x.lua"] = table.concat(mlists) })
    assert.equal(25, #lines)
    assert.equal("tool t24 added", lines[24])
    assert.equal("and 16 more differences", lines[25])
    assert.equal(1, lists)
  end)
end)
