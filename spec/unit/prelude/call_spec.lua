local script = require "support.script"

-- A run of a tool with this check; its handler stores something.
local function checked(check, arguments)
  local written = 0
  local vm = assert(script.vm([[
    require "mcp".tool {
      name = "x",
      inputSchema = { type = "object" },
      check = ]] .. check .. [[,
      handler = function(args, ctx)
        ctx.store:put("c", "k", args)
        return "handled"
      end,
    }
  ]]))
  local run = script.run(vm, "x", arguments, { write = function() written = written + 1 end })
  return run, function() return written end
end

describe("a call", function()
  after_each(script.clean)

  it("is handled once its check has nothing against it", function()
    for _, check in ipairs {
      "function() end", "function() return nil end", "function() return true end",
      "function() return nil, nil end",
    } do
      local run, written = checked(check)
      assert.equal("handled", run:text(), check)
      assert.equal(1, written())
    end
  end)

  it("is refused with the reason of its check, before the handler runs", function()
    local run, written = checked("function(args) return nil, 'not ' .. args.a end", { a = "this" })
    local result, _, is_error = run:result()
    assert.same({ content = { { type = "text", text = "not this" } }, isError = true }, result)
    assert.is_true(is_error)
    assert.equal(0, written())
    run, written = checked "function() return false, 'no' end"
    assert.equal("no", run:text())
    assert.equal(0, written())
  end)

  it("fails, and is not handled, when its check does not say what it means", function()
    for check, text in pairs {
      ["function() return false end"] = "check returned false without a reason; to refuse: "
        .. 'return nil, "reason"',
      ["function() return nil, {} end"] = "check: the reason must be a string, not a table",
      ["function() return nil, false end"] = "check: the reason must be a string, not a boolean",
    } do
      local run, written = checked(check)
      assert.equal(text, run:reason(), check)
      assert.equal(0, written())
    end
  end)

  it("fails with an error in its check as with one in its handler", function()
    local run, written = checked "function() error 'broken' end"
    assert.matches("broken$", run:reason())
    assert.equal(0, written())
    run, written = checked "function() require 'mcp'.fail 'Not today.' end"
    assert.equal("Not today.", (run:failure()))
    assert.equal(0, written())
  end)

  it("has a check that sees the arguments, and no ctx", function()
    local run = checked("function(args, ctx) return nil, args.a .. tostring(ctx) end", { a = "a" })
    assert.equal("anil", run:text())
  end)
end)
