local inside = require "support.inside"

local SCRIPT = [[
local mcp = require "mcp"
mcp.prompt { name = "review", arguments = { { name = "code", required = true }, { name = "tone" } },
  check = function(args) if args.code == "" then return nil, "there is no code to review" end end,
  handler = function(args, ctx)
    ctx.store:append("c", args.code)
    if args.code == "secret" then return nil, "that is not for review" end
    if args.code == "bug" then error "broken" end
    return "Review: " .. args.code .. (args.tone or "")
  end }
mcp.prompt { name = "ask", handler = function(_, ctx)
    local answer = ctx:elicit { message = "Which?", requestedSchema = { type = "object",
      properties = { which = { type = "string" } } } }
    return { description = "d", messages = {
      { role = "user", content = answer.content.which },
      { role = "assistant", content = mcp.link { uri = "a:b", name = "n" } } } }
  end }
]]

describe("prompts/get", function()
  local host, session

  before_each(function()
    host = inside.start { scripts = { s = SCRIPT }, settle = true }
    session = host:initialize()
  end)

  after_each(function()
    inside.close(host)
  end)

  -- Gets the prompt in both eras.
  local function both(params, check)
    for era, visit in pairs {
      modern = host:modern("prompts/get", params),
      legacy = session:request("prompts/get", params),
    } do
      check(visit, era)
    end
  end

  local function refused(params, code, message)
    both(params, function(visit, era)
      local fault = visit:error()
      assert.equal(code, fault.code, era)
      assert.matches(message, fault.message)
      assert.equal(200, visit:status())
    end)
    assert.same({}, host:rows("s", "c"))
  end

  it("makes a message of the user out of a string", function()
    both({ name = "review", arguments = { code = "x", tone = "!" } }, function(visit)
      assert.same({ { role = "user", content = { type = "text", text = "Review: x!" } } },
        visit:result().messages)
    end)
    assert.equal(2, #host:rows("s", "c"))
  end)

  it("refuses arguments that are missing or are no strings, and stores nothing", function()
    refused({ name = "review" }, -32602, "arguments.*code")
    refused({ name = "review", arguments = { code = 1 } }, -32602, "code.*string")
    refused({ name = "review", arguments = { code = "x", other = {} } }, -32602, "other.*string")
    refused({ name = "review", arguments = "x" }, -32602, "params.arguments must be an object")
  end)

  it("refuses with the reason of its check or of its handler", function()
    refused({ name = "review", arguments = { code = "" } }, -32602, "^there is no code to review$")
    refused({ name = "review", arguments = { code = "secret" } }, -32602,
      "^that is not for review$")
  end)

  it("is an internal error where the handler fails, which keeps nothing", function()
    refused({ name = "review", arguments = { code = "bug" } }, -32603,
      "^review failed %(reference %x+%)")
  end)

  it("says so when there is none of that name", function()
    refused({ name = "nobody" }, -32602, "^Prompt not found: nobody$")
    refused({ name = 1 }, -32602, "params.name")
    refused({}, -32602, "params.name")
  end)

  it("can ask in both eras, and keeps description and roles", function()
    local expected = {
      { role = "user", content = { type = "text", text = "this" } },
      { role = "assistant", content = { type = "resource_link", uri = "a:b", name = "n" } },
    }
    local visit = session:request("prompts/get", { name = "ask" })
    session:answer(visit, { action = "accept", content = { which = "this" } })
    assert.same(expected, visit:result().messages)
    assert.equal("d", visit:result().description)

    local first = host:modern("prompts/get", { name = "ask" }):result()
    assert.equal("input_required", first.resultType)
    local key = next(first.inputRequests)
    local second = host:modern("prompts/get", { name = "ask", requestState = first.requestState,
      inputResponses = { [key] = { action = "accept", content = { which = "this" } } } })
    assert.same(expected, second:result().messages)
  end)

  it("opens no state that was sealed for another prompt or a tool", function()
    local first = host:modern("prompts/get", { name = "ask" }):result()
    for method, name in pairs { ["prompts/get"] = "review", ["tools/call"] = "ask" } do
      local visit = host:modern(method, { name = name, arguments = { code = "x" },
        requestState = first.requestState })
      assert.equal(-32602, visit:error().code)
    end
    assert.same({}, host:rows("s", "c"))
  end)
end)
