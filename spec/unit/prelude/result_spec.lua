local script = require "support.script"

-- The result of a handler that returns `expression`.
local function result(expression)
  return script.handle("local mcp = require 'mcp' return " .. expression):result()
end

local function reason(expression)
  return script.handle("local mcp = require 'mcp' return " .. expression):reason()
end

local EXPECTED = "a handler returns a string, content made by mcp.text and its kind, "
  .. "or nil and a reason"

describe("the result of a handler", function()
  after_each(script.clean)

  it("is text if it is a string", function()
    assert.same({ content = { { type = "text", text = "a\n€" } } }, result [["a\n€"]])
    assert.same({ content = { { type = "text", text = "" } } }, result "''")
  end)

  it("may be each kind of content", function()
    for expression, block in pairs {
      ["mcp.text 't'"] = { type = "text", text = "t" },
      ["mcp.image('aGk=', 'image/png')"] =
        { type = "image", data = "aGk=", mimeType = "image/png" },
      ["mcp.audio('aGk=', 'audio/wav')"] =
        { type = "audio", data = "aGk=", mimeType = "audio/wav" },
      ["mcp.resource { uri = 'a:b', text = 't', mimeType = 'text/plain' }"] =
        { type = "resource", resource = { uri = "a:b", text = "t", mimeType = "text/plain" } },
      ["mcp.resource { uri = 'a:b', blob = 'aGk=' }"] =
        { type = "resource", resource = { uri = "a:b", blob = "aGk=" } },
      ["mcp.link { uri = 'a:b', name = 'n', title = 'T' }"] =
        { type = "resource_link", uri = "a:b", name = "n", title = "T" },
      ["{ type = 'text', text = 't', annotations = { priority = 1 } }"] =
        { type = "text", text = "t", annotations = { priority = 1 } },
      ["{ type = 'of another day', payload = 1 }"] = { type = "of another day", payload = 1 },
    } do
      assert.same({ content = { block } }, result(expression), expression)
    end
  end)

  it("may be a list of content, also an empty one", function()
    assert.same({ content = { { type = "text", text = "a" }, { type = "text", text = "b" } } },
      result "{ mcp.text 'a', { type = 'text', text = 'b' } }")
    local empty = script.handle "return {}"
    assert.equal('"content":[]', (empty.native:result()))
    empty = script.handle "return { content = {} }"
    assert.equal('"content":[]', (empty.native:result()))
  end)

  it("leaves the table that the handler returned as it was", function()
    local vm = assert(script.vm [[
      local shared = setmetatable({}, { __index = { mark = "kept" } })
      require "mcp".tool { name = "x", handler = function() return shared end }
      require "mcp".tool { name = "y", handler = function() return shared.mark end }
    ]])
    script.run(vm, "x"):result()
    assert.equal("kept", script.run(vm, "y"):text())
  end)

  it("may be structured, with its JSON as text for others", function()
    local expected = {
      content = { { type = "text", text = '{"a":[1,2]}' } },
      structuredContent = { a = { 1, 2 } },
    }
    assert.same(expected, result "mcp.structured { a = { 1, 2 } }")
    assert.same(expected, result "{ structuredContent = { a = { 1, 2 } } }")
    assert.same({
      content = { { type = "text", text = "two" } },
      structuredContent = { a = { 1, 2 } },
    }, result "{ structuredContent = { a = { 1, 2 } }, content = { mcp.text 'two' } }")
  end)

  it("may be whole, with _meta and what is of another day", function()
    local run = script.handle [[
      return { content = { { type = "text", text = "t" } }, _meta = { a = { 1 } }, later = true }
    ]]
    local fields, meta, is_error = run:result()
    assert.same({ content = { { type = "text", text = "t" } }, later = true }, fields)
    assert.equal('{"a":[1]}', meta)
    assert.is_false(is_error)
  end)

  it("is an error with the reason after nil, or with mcp.error", function()
    for _, expression in ipairs { "nil, 'no such room'", "mcp.error 'no such room'" } do
      local fields, _, is_error = result(expression)
      assert.same({
        content = { { type = "text", text = "no such room" } },
        isError = true,
      }, fields)
      assert.is_true(is_error)
    end
    local _, _, is_error = result "{ content = {}, isError = false }"
    assert.is_false(is_error)
  end)

  it("must be one of these", function()
    for expression, text in pairs {
      ["nil"] = EXPECTED .. ", not nil",
      [""] = EXPECTED .. ", not nil",
      ["1"] = EXPECTED .. ", not a number",
      ["true"] = EXPECTED .. ", not a boolean",
      ["print"] = EXPECTED .. ", not a function",
      ["mcp.null"] = EXPECTED .. ", not mcp.null",
      ["nil, 1"] = EXPECTED .. "; the reason is a number",
      ["nil, { text = 'x' }"] = EXPECTED .. "; the reason is a table",
      ["{ tickets = 3 }"] = EXPECTED
        .. "; this table has no `type` and no `content`, but 'tickets'",
      ["{ 'a', 'a' }"] = EXPECTED
        .. "; element 1 of content is neither a table nor has it a `type`",
      ["{ mcp.text 'a', {} }"] = EXPECTED
        .. "; element 2 of content is neither a table nor has it a `type`",
      ["{ type = 1 }"] = EXPECTED
        .. "; element 1 of content is neither a table nor has it a `type`",
      ["{ mcp.text 'a', nil, mcp.text 'b' }"] = EXPECTED .. "; element 2 of content is nil",
      ["{ [0] = mcp.text 'a' }"] = EXPECTED .. "; element 1 of content is nil",
    } do
      assert.equal(text, reason(expression), expression)
    end
  end)

  it("has what each kind of content can't be without", function()
    for expression, text in pairs {
      ["{ type = 'text' }"] = "content[1].text must be a string, not nil",
      ["{ type = 'text', text = 1 }"] = "content[1].text must be a string, not a number",
      ["{ mcp.text '', { type = 'resource' } }"] = "content[2].resource must be a table, not nil",
      ["{ content = { { type = 'image', data = 'x' } } }"] =
        "content[1].mimeType must be a string, not nil",
      ["{ type = 'resource_link', uri = 'a:b' }"] = "content[1].name must be a string, not nil",
    } do
      assert.equal("the result: " .. text, reason(expression), expression)
    end
  end)

  it("is told which member of a whole result is of the wrong kind", function()
    for expression, text in pairs {
      ["{ content = 'text' }"] = "content must be a list of content, not a string",
      ["{ content = mcp.text 'a' }"] = "content must be a list of content, not one alone",
      ["{ content = mcp.null }"] = "content must be a list of content, not mcp.null",
      ["{ content = {}, isError = 'yes' }"] = "isError must be a boolean, not a string",
      ["{ content = {}, _meta = 'm' }"] = "_meta must be a table, not a string",
      ["{ content = {}, _meta = { 1 } }"] = "_meta must be a table with string keys",
      ["mcp.structured { a = print }"] = "a function can't be JSON (at structuredContent.a)",
      ["{ content = {}, x = { y = 0/0 } }"] = "inf or nan can't be JSON (at x.y)",
    } do
      assert.equal("the result: " .. text, reason(expression), expression)
    end
  end)
end)

describe("the makers of content", function()
  after_each(script.clean)

  it("tell a wrong argument at the script's line", function()
    for code, text in pairs {
      ["mcp.text()"] = "mcp.text: text must be a string, not nil",
      ["mcp.text(1)"] = "mcp.text: text must be a string, not a number",
      ["mcp.image('x')"] = "mcp.image: mimeType must be a string, not nil",
      ["mcp.image(nil, 'image/png')"] = "mcp.image: data must be a string, not nil",
      ["mcp.audio {}"] = "mcp.audio: data must be a string, not a table",
      ["mcp.link { uri = 'a:b' }"] = "mcp.link: name must be a string, not nil",
      ["mcp.structured()"] = "mcp.structured: value must not be nil",
      ["mcp.error()"] = "mcp.error: text must be a string, not nil",
    } do
      assert.equal("scripts/x.lua:2: " .. text,
        script.failure("local mcp = require 'mcp'\n" .. code), code)
    end
  end)

  it("tell it of a resource in a handler, as what is made while loading is registered", function()
    for code, text in pairs {
      ["mcp.resource 'a:b'"] = "mcp.resource: resource must be a table, not a string",
      ["mcp.resource { text = 't' }"] = "mcp.resource: uri must be a string, not nil",
      ["mcp.resource { uri = 'a:b' }"] = "mcp.resource: one of text and blob must be a string",
    } do
      assert.equal("scripts/x.lua:1: " .. text, script.handle("local _ = " .. code):reason(), code)
    end
  end)

  it("let no field of a link take the place of its type", function()
    assert.equal("resource_link", script.eval [[
      return require "mcp".link { uri = "a:b", name = "n", type = "text" }.type
    ]])
  end)
end)
