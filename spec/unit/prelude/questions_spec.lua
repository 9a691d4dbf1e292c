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
