local cjson = require "cjson"
local script = require "support.script"

local FORM = "requestedSchema = { type = 'object', required = { 'n' }, "
  .. "properties = { n = { type = 'integer' } } }"

-- A run that asks for a and b and tells what it got. `asked` notes each round: key → message.
local function asking(options)
  local asked = {}
  local run = script.handle(([[
    local answers = ctx:ask {
      a = { message = "A?", %s, %s },
      b = { message = "B?", %s },
    }
    return require "json".encode(answers)
  ]]):format(FORM, options or "", FORM), {}, {
    ask = function(...)
      local round, given = {}, { ... }
      for i = 1, #given, 4 do round[given[i]] = cjson.decode(given[i + 3]).message end
      asked[#asked + 1] = round
    end,
  })
  assert.equal("parked", run.state)
  return run, asked
end

local function accept(n)
  return { action = "accept", content = { n = n } }
end

describe("ctx:ask", function()
  after_each(script.clean)

  it("returns each answer under the key of its question", function()
    local run, asked = asking()
    assert.same({ { a = "A?", b = "B?" } }, asked)
    run:resume { accept(1), { action = "decline" } }
    local answers = cjson.decode(run:text())
    assert.same({ action = "accept", content = { n = 1 }, valid = true }, answers.a)
    assert.equal("decline", answers.b.action)
  end)

  it("asks again for the answers that do not fit, and keeps the others", function()
    local run, asked = asking()
    run:resume { accept "one", accept(2) }
    assert.same({ a = "A?\n\nPlease correct: n must be an integer, not a string" }, asked[2])
    run:resume(accept(1))
    local answers = cjson.decode(run:text())
    assert.equal(1, answers.a.content.n)
    assert.equal(2, answers.b.content.n)
  end)

  it("asks three times more at most", function()
    local run, asked = asking()
    run:resume { accept "one", accept(2) }
    for _ = 1, 3 do run:resume(accept "one") end
    assert.equal("The form was not filled in correctly: n must be an integer, not a string",
      (run:failure()))
    assert.equal(4, #asked)
  end)

  it("treats each question by its own on_invalid", function()
    local run, asked = asking "on_invalid = 'return'"
    run:resume { accept "one", accept(2) }
    assert.equal(1, #asked)
    assert.is_false(cjson.decode(run:text()).a.valid)
  end)

  it("says at the script's line what is wrong with its questions", function()
    for code, text in pairs {
      ["ctx:ask()"] = "ctx:ask: give it a table of questions, after a colon: "
        .. "ctx:ask { name = { … } }",
      ["ctx:ask {}"] = "ctx:ask: give it a table of questions, after a colon: "
        .. "ctx:ask { name = { … } }",
      ["ctx:ask { { message = '?' } }"] = "ctx:ask: each question needs a name, a string: "
        .. "ctx:ask { name = { … } }",
      ["ctx:ask { a = 'Really?' }"] = "ctx:ask: a must be a table, a question, not a string",
      ["ctx:ask { a = { message = '?', " .. FORM .. ", key = 'b' } }"] = "ctx:ask: a: its key is "
        .. "the name that it stands under; leave `key` out",
      ["ctx:ask { a = { message = '?' } }"] = "ctx:ask: a: requestedSchema is missing",
      ["ctx:ask { a = { mesage = '?', " .. FORM .. " } }"] =
        "ctx:ask: a: unknown field 'mesage' (did you mean 'message'?)",
    } do
      local run = script.handle("\n" .. code, {}, { ask = function() error "asked" end })
      assert.equal("scripts/x.lua:2: " .. text, run:reason(), code)
    end
  end)
end)

-- A run of `code` that was asked for nothing but one thing, which is noted in `asked`.
local function one(code, asked)
  return script.handle(code, {}, {
    ask = function(key, method, capabilities, params)
      asked.key, asked.method, asked.capabilities, asked.params = key, method, capabilities, params
    end,
  })
end

describe("ctx:elicit_url", function()
  after_each(script.clean)

  it("sends the person to the URL, and tells what the person chose and no more", function()
    for answer, action in pairs {
      ['{"action":"accept","content":{"a":1}}'] = "accept", ['{"action":"decline"}'] = "decline",
      ['{"action":"cancel"}'] = "cancel", ["7"] = "cancel", ["{}"] = "cancel",
    } do
      local asked = {}
      local run = one([[
        local answer = ctx:elicit_url { key = "k", message = "Go?", url = "https://a.example/b?c" }
        return require "json".encode(answer)
      ]], asked)
      assert.same({ key = "k", method = "elicitation/create", capabilities = "elicitation.url",
        params = '{"message":"Go?","mode":"url","url":"https://a.example/b?c"}' }, asked)
      run:resume_text(answer)
      assert.equal('{"action":"' .. action .. '"}', run:text())
    end
  end)

  it("says at the script's line what is wrong with its options", function()
    local plain = "a URL is written in ASCII without spaces: what is beyond that is "
      .. "percent-encoded, and punycode in the host"
    local web = "a URL begins with https:// and a host, and has no user and no password in it"
    for code, text in pairs {
      [""] = "give it a table with message and url, after a colon: ctx:elicit_url { … }",
      ["{ url = 'https://a.example' }"] = "message is missing",
      ["{ message = '?' }"] = "url is missing",
      ["{ message = '?', url = 'https://a.example', mode = 'url' }"] =
        "unknown field 'mode' (known are key, message, required, url)",
      ["{ message = '?', url = 'https://a.example/b c' }"] = plain,
      ["{ message = '?', url = 'https://a.example/\u{e9}' }"] = plain,
      ["{ message = '?', url = 'https://a.example/\\n' }"] = plain,
      ["{ message = '?', url = '' }"] = plain,
      ["{ message = '?', url = '/b' }"] = web,
      ["{ message = '?', url = 'javascript:alert(1)' }"] = web,
      ["{ message = '?', url = 'file:///etc/passwd' }"] = web,
      ["{ message = '?', url = 'https://user:word@a.example/' }"] = web,
    } do
      local asked = {}
      local run = one("\nctx:elicit_url(" .. (code == "" and "nil" or code) .. ")", asked)
      assert.equal("scripts/x.lua:2: ctx:elicit_url: " .. text, run:reason(), code)
      assert.same({}, asked)
    end
  end)
end)

describe("ctx:elicit_complete", function()
  after_each(script.clean)

  it("names the question that is done, or none for all of them", function()
    local done = {}
    local run = script.handle("ctx:elicit_complete 'k' ctx:elicit_complete() return 'done'", {},
      { complete = function(key) done[#done + 1] = key or "all" end })
    assert.equal("done", run:text())
    assert.same({ "k", "all" }, done)
    assert.matches("ctx:elicit_complete: key must be a string, not a table$",
      script.handle("ctx:elicit_complete {}"):reason())
  end)
end)

describe("ctx:roots", function()
  after_each(script.clean)

  it("returns the client's folders", function()
    local asked = {}
    local run = one("return require 'json'.encode(ctx:roots())", asked)
    assert.same({ method = "roots/list", capabilities = "roots" }, asked)
    run:resume_text '{"roots":[{"uri":"file:///a","name":"A"},{"uri":"file:///b"}]}'
    assert.same({ { uri = "file:///a", name = "A" }, { uri = "file:///b" } },
      cjson.decode(run:text()))
  end)

  it("fails with what is wrong with an answer that is none", function()
    for answer, why in pairs {
      ["7"] = "it must be an object", ["{}"] = "roots must be a list",
      ['{"roots":"file:///a"}'] = "roots must be a list",
      ['{"roots":["file:///a"]}'] = "roots[1].uri must be a file:// URI",
      ['{"roots":[{"uri":"https://a.example"}]}'] = "roots[1].uri must be a file:// URI",
      ['{"roots":[{"uri":"file:///a"},{"name":"B"}]}'] = "roots[2].uri must be a file:// URI",
      ['{"roots":[{"uri":"file:///a","name":1}]}'] = "roots[1].name must be a string",
    } do
      local run = one("ctx:roots { key = 'k' }", {})
      run:resume_text(answer)
      assert.equal("The client's answer to roots/list is malformed: " .. why, (run:failure()))
    end
  end)
end)

describe("a round", function()
  after_each(script.clean)

  it("mixes questions of all kinds", function()
    local seen = {}
    local run = script.handle(([[
      local mcp = require "mcp"
      local answers = ctx:ask {
        form = { message = "?", %s }, roots = { method = "roots/list" },
        sample = { messages = { { role = "user", content = mcp.text "Hi" } }, maxTokens = 1 },
        url = { method = "elicitation/create", message = "?", url = "https://a.example" },
      }
      return ("%%d %%d %%s %%s"):format(answers.form.content.n, #answers.roots,
        answers.sample.model, answers.url.action)
    ]]):format(FORM), {}, { ask = function(...)
      local given = { ... }
      for i = 1, #given, 4 do seen[#seen + 1] = given[i] .. " " .. given[i + 1] end
    end })
    assert.same({ "form elicitation/create", "roots roots/list", "sample sampling/createMessage",
      "url elicitation/create" }, seen)
    run:resume_text('[{"action":"accept","content":{"n":1}},{"roots":[]},{"role":"assistant",'
      .. '"model":"m","content":{"type":"text","text":""}},{"action":"accept"}]')
    assert.equal("1 0 m accept", run:text())
  end)

  it("has no question of an unknown method", function()
    assert.matches('ctx:ask: a: method must be "elicitation/create", "sampling/createMessage" or '
      .. '"roots/list"$', one("ctx:ask { a = { method = 'ping' } }", {}):reason())
  end)
end)
