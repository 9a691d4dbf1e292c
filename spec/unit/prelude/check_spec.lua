local script = require "support.script"

-- What mcp.tool says of a definition; it has the checks in front.
local function refused(fields)
  return (script.failure("require 'mcp'.tool { handler = print, " .. fields .. " }")
    :gsub("^scripts/x.lua:1: mcp.tool: ", ""))
end

describe("a table that a script hands over", function()
  after_each(script.clean)

  it("has no field that nobody knows; the one that was meant is named", function()
    assert.equal("unknown field 'inputschema' (did you mean 'inputSchema'?)",
      refused "inputschema = {}")
    assert.equal("unknown field 'descripton' (did you mean 'description'?)",
      refused "descripton = ''")
  end)

  it("has all known fields named where none is near", function()
    assert.equal("unknown field 'xyzzy' (known are _meta, annotations, check, description, "
      .. "execution, handler, icons, inputSchema, name, outputSchema, task, title)",
      refused "xyzzy = 1")
  end)

  it("has the first of several mistakes named, in the order of the fields", function()
    assert.equal("unknown field 'aaaaaaa' (known are _meta, annotations, check, description, "
      .. "execution, handler, icons, inputSchema, name, outputSchema, task, title)",
      refused "zzzzzzz = 1, aaaaaaa = 1, name = 1")
    assert.equal("name must be a string, not a number", refused "zzzzzzz = 1, name = 1")
  end)

  it("has fields of the right types", function()
    for fields, text in pairs {
      ["name = 1"] = "name must be a string, not a number",
      ["title = false"] = "title must be a string, not a boolean",
      ["description = {}"] = "description must be a string, not a table",
      ["inputSchema = 'object'"] = "inputSchema must be a table, not a string",
      ["check = {}"] = "check must be a function, not a table",
      ["title = require 'mcp'.null"] = "title must be a string, not mcp.null",
      ["icons = print"] = "icons must be a table, not a function",
    } do
      assert.equal(text, refused(fields))
    end
  end)

  it("has no fields without a name", function()
    local known = " (known are _meta, annotations, check, description, execution, handler, icons, "
      .. "inputSchema, name, outputSchema, task, title)"
    assert.equal("a field's name must be a string, not a number" .. known, refused "'my_tool'")
    assert.equal("a field's name must be a string, not a boolean" .. known, refused "[true] = 1")
  end)
end)
