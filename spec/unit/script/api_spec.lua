local script = require "support.script"

describe("an error of the host's", function()
  after_each(script.clean)

  it("has a text that tostring gives", function()
    assert.equal("why why nil", script.eval [[
      local _, failure = pcall(require "mcp".fail, "why")
      return ("%s %s %s"):format(failure, failure.text, failure.capability)
    ]])
  end)

  it("keeps its whole text, whatever is in it", function()
    local run = script.handle [[require "mcp".fail("a\0b\n\27")]]
    assert.equal("a\0b\n\27", (run:failure()))
  end)

  it("may be raised again, and stays one", function()
    local run = script.handle [[
      local _, failure = pcall(require "mcp".fail, "why")
      error(failure)
    ]]
    assert.equal("why", (run:failure()))
  end)

  it("is not made by a table that only looks like one", function()
    assert.equal("an error that is a table, not a text",
      script.handle "error { text = 'why', capability = 'elicitation.form' }":reason())
    local text, capability = script.handle [[
      error(setmetatable({ text = "why", capability = "x" }, { __tostring = function() end }))
    ]]:failure()
    assert.matches("reference", text)
    assert.equal("", capability)
  end)

  it("is named by its type once its text is none", function()
    assert.equal("an error that is a table, not a text", script.handle [[
      local _, failure = pcall(require "mcp".fail, "why")
      failure.text = print
      error(failure)
    ]]:reason())
  end)
end)

describe("the prelude", function()
  after_each(script.clean)

  it("is out of reach for what a script does to its globals", function()
    local run = script.handle [[
      for name in pairs(_ENV) do if name ~= "ctx" then _ENV[name] = nil end end
      local answer = ctx:elicit { message = "?", requestedSchema = { type = "object",
        properties = {} } }
      return answer.action
    ]]
    run:resume { action = "accept", content = {} }
    assert.equal("accept", run:text())
  end)

  it("gives a script nothing of what it stands on", function()
    assert.equal("", script.eval [[
      local found = {}
      for _, name in ipairs { "part", "ask", "register_tool", "context", "put" } do
        if require "mcp"[name] ~= nil then found[#found + 1] = name end
      end
      for name, value in pairs(require "mcp") do
        if type(value) == "table" then found[#found + 1] = name end
      end
      return table.concat(found, " ")
    ]])
  end)
end)
