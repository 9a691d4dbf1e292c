local script = require "support.script"

describe("mcp.prompt", function()
  after_each(script.clean)

  it("says at the script's line what to mend", function()
    for fields, reason in pairs {
      ["name = 'a b', handler = print"] = "name must be 1 to 128 letters",
      ["name = 'a'"] = "handler is missing",
      ["handler = print, arguments = { name = 'a' }"] = "arguments must be a list",
      ["handler = print, arguments = { 'a' }"] = "arguments[1] must be a table",
      ["handler = print, arguments = { {} }"] = "arguments[1]: name is missing",
      ["handler = print, arguments = { { name = 'a' }, { name = 'a' } }"] =
        "arguments[2]: there is an argument 'a' already",
      ["handler = print, arguments = { { name = 'a', require = true } }"] =
        "arguments[1]: unknown field 'require' (did you mean 'required'?)",
      ["handler = print, complete = { a = {} }"] = "complete: unknown field 'a'",
      ["handler = print, arguments = { { name = 'code' } }, complete = { cod = {} }"] =
        "complete: unknown field 'cod' (did you mean 'code'?)",
      ["handler = print, arguments = { { name = 'a' } }, complete = { a = 'x' }"] =
        "complete.a must be a list of strings or a function(value, args, ctx)",
      ["handler = print, arguments = { { name = 'a' } }, complete = { a = { 1 } }"] =
        "complete.a must be a list of strings",
    } do
      local why = script.failure("local mcp = require 'mcp'\nmcp.prompt { " .. fields .. " }")
      assert.truthy(why:find("scripts/x.lua:2: mcp.prompt: " .. reason, 1, true), why)
    end
  end)

  it("takes no arguments at all where none are described as required", function()
    local vm = assert(script.vm [[
      require "mcp".prompt { name = "p", handler = function(args) return next(args) or "none" end }
    ]])
    assert.same({ { role = "user", content = { type = "text", text = "none" } } },
      script.run(vm, "p"):result().messages)
  end)
end)
