local script = require "support.script"

describe("what the registrations have in common", function()
  after_each(script.clean)

  local function problem(code)
    return script.failure("local mcp = require 'mcp'\n" .. code)
  end

  it("says how each is called when it gets no table", function()
    for name, example in pairs {
      tool = "mcp.tool { name = …, handler = … }",
      prompt = "mcp.prompt { name = …, handler = … }",
      resource = "mcp.resource { uri = …, handler = … }",
      resource_template = "mcp.resource_template { uriTemplate = …, handler = … }",
    } do
      assert.equal(("scripts/x.lua:2: mcp.%s: give it a table: %s"):format(name, example),
        problem("mcp." .. name .. "()"))
    end
  end)

  it("names the nearest field for one that is unknown", function()
    for code, near in pairs {
      ["mcp.prompt { argument = {} }"] = "arguments",
      ["mcp.resource { uri = 'a:b', mimetype = 'x' }"] = "mimeType",
      ["mcp.resource_template { uritemplate = 'a:b' }"] = "uriTemplate",
      ["mcp.tool { outputschema = {} }"] = "outputSchema",
    } do
      assert.matches(("unknown field '.-' %%(did you mean '%s'%%?%%)"):format(near), problem(code))
    end
  end)

  it("looks into icons", function()
    for icons, reason in pairs {
      ["{ { src = 'i' } }"] = "icons[1]: src must be an https: or data: URI",
      ["{ { src = 'javascript:x' } }"] = "icons[1]: src must be an https: or data: URI",
      ["{ { mimeType = 'image/png' } }"] = "icons[1]: src is missing",
      ["{ 'https://example.com' }"] = "icons[1] must be a table: { src = … }",
      ["{ { src = 'data:x', size = '1x1' } }"] = "icons[1]: unknown field 'size'",
      ["{ { src = 'data:x', sizes = { 'big' } } }"] = "icons[1]: sizes must be like",
      ["{ { src = 'data:x', theme = 'grey' } }"] = 'icons[1]: theme must be "light" or "dark"',
    } do
      for _, kind in ipairs { "tool", "prompt", "resource" } do
        local why = problem(("mcp.%s { uri = %s, handler = print, icons = %s }")
          :format(kind, kind == "resource" and "'a:b'" or "nil", icons))
        assert.truthy(why:find("mcp." .. kind .. ": " .. reason, 1, true), why)
      end
    end
    assert.equal("true", script.eval [[
      require "mcp".tool { handler = print, icons = { { src = "https://example.com/i.svg",
        mimeType = "image/svg+xml", sizes = { "48x48", "any" }, theme = "dark" } } }
      return true
    ]])
  end)

  it("refuses a second one of the same kind and key, and takes one of another kind", function()
    assert.matches("the script has registered a prompt of this name already$",
      problem "mcp.prompt { handler = print } mcp.prompt { handler = print }")
    assert.matches("the script has registered a resource of this uri already$",
      problem "mcp.resource { uri = 'a:b', text = '' } mcp.resource { uri = 'a:b', text = '' }")
    assert.equal("true", script.eval [[
      local mcp = require "mcp"
      mcp.tool { handler = print }
      mcp.prompt { handler = print }
      mcp.resource { uri = "a:b", text = "" }
      mcp.resource_template { uriTemplate = "a:b", handler = print }
      return true
    ]])
  end)
end)
