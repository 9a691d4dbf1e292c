local script = require "support.script"

local function run(body)
  local vm = assert(script.vm("local mcp = require 'mcp'; mcp.prompt { name = 'p', "
    .. "handler = function() " .. body .. " end }"))
  return script.run(vm, "p")
end

describe("the result of a prompt's handler", function()
  after_each(script.clean)

  it("is a string, a content, a message, a list of them, or the whole", function()
    local hello = { { role = "user", content = { type = "text", text = "hello" } } }
    for _, body in ipairs {
      "return 'hello'",
      "return mcp.text 'hello'",
      "return { role = 'user', content = 'hello' }",
      "return { { role = 'user', content = mcp.text 'hello' } }",
      "return { messages = { { role = 'user', content = 'hello' } } }",
    } do
      assert.same(hello, run(body):result().messages, body)
    end
  end)

  it("may have every kind of content, and an empty list", function()
    local messages = run [[
      local list = { mcp.image("AA==", "image/png"), mcp.audio("AA==", "audio/wav"),
        mcp.resource { uri = "a:b", text = "t" }, mcp.link { uri = "a:b", name = "n" } }
      for i, content in ipairs(list) do list[i] = { role = "assistant", content = content } end
      return list
    ]]:result().messages
    local kinds = {}
    for i, message in ipairs(messages) do kinds[i] = message.content.type end
    assert.same({ "image", "audio", "resource", "resource_link" }, kinds)
    assert.same({}, run "return {}":result().messages)
  end)

  it("keeps description and _meta", function()
    local result, meta = run([[return { messages = {}, description = "d",
      _meta = { ["example.com/a"] = 1 } }]]):result()
    assert.equal("d", result.description)
    assert.equal('{"example.com/a":1}', meta)
  end)

  it("refuses with nil, with a reason or without", function()
    for body, reason in pairs { ["return nil, 'no'"] = "no", [""] = "" } do
      local refused = run(body)
      assert.equal("done", refused.state)
      local fields, _, is_error, refusal = refused.native:result()
      assert.equal("", fields)
      assert.is_true(is_error)
      assert.equal(reason, refusal)
    end
  end)

  it("that is none is told in the log", function()
    for body, reason in pairs {
      ["return 1"] = "returns a string, a list of messages",
      ["return nil, 1"] = "returns a string, a list of messages",
      ["return { role = 'system', content = 'x' }"] = "messages%[1%] has no such role",
      ["return { { role = 'user' } }"] = "messages%[1%]%.content must be a text, .*, not nil",
      ["return { { role = 'user', content = { type = 'image' } } }"] =
        "messages%[1%]%.content%..* must be a string, not nil",
      ["return { message = 'x' }"] = "this table has 'message'",
      ["return { messages = 'x' }"] = "messages must be a table, not a string",
    } do
      assert.matches(reason, run(body):reason(), body)
    end
  end)
end)
