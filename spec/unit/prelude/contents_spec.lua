local script = require "support.script"

local function run(body)
  local vm = assert(script.vm("local mcp = require 'mcp'; mcp.resource { uri = 'a:b', "
    .. "mimeType = 'text/x', handler = function() " .. body .. " end }"))
  return script.run(vm, "a:b", { uri = "a:b" })
end

describe("the result of a resource's handler", function()
  after_each(script.clean)

  it("is a string, a content, a list of them, or the whole", function()
    local hello = { { uri = "a:b", mimeType = "text/x", text = "hello" } }
    for _, body in ipairs {
      "return 'hello'",
      "return { text = 'hello' }",
      "return { { text = 'hello' } }",
      "return { contents = { { text = 'hello' } } }",
    } do
      assert.same(hello, run(body):result().contents, body)
    end
    assert.same({ { uri = "c:d", mimeType = "image/png", blob = "AA==" } },
      run "return { uri = 'c:d', mimeType = 'image/png', blob = 'AA==' }":result().contents)
  end)

  it("may be an empty list: there is such a resource, and nothing in it", function()
    assert.equal('"contents":[]', (run "return {}".native:result()))
  end)

  it("that is nil says that there is no such resource", function()
    for body, reason in pairs { ["return nil, 'gone'"] = "gone", [""] = "" } do
      local _, _, is_error, refusal = run(body).native:result()
      assert.is_true(is_error)
      assert.equal(reason, refusal)
    end
  end)

  it("that is none is told in the log", function()
    for body, reason in pairs {
      ["return 1"] = "returns a string, { text = … } or { blob = … }",
      ["return { 'x' }"] = "contents[1] is a string",
      ["return { { text = 'x', blob = 'AA==' } }"] = "one of text and blob must be a string",
      ["return { blob = 'not base64!' }"] = "blob must be base64: mcp.base64(bytes)",
      ["return { txt = 'x' }"] = "this table has 'txt'",
      ["return { text = 'x', uri = 1 }"] = "uri must be a string, not a number",
      ["return { contents = 1 }"] = "contents must be a list, not a number",
      ["return '\\xff'"] = "UTF-8",
    } do
      local why = run(body):reason()
      assert.truthy(why:find(reason, 1, true), body .. ": " .. why)
    end
  end)
end)
