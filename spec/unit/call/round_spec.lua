local unit = require "unit"

local function round(list, asked)
  return unit.round.new(list, asked)
end

local function question(key, text, capabilities)
  return { key = key, method = "m", params = text, capabilities = capabilities }
end

describe("a round", function()
  local journal

  before_each(function()
    journal = unit.journal.start(0)
  end)

  it("names the questions without a key by how many were asked before", function()
    local r, asked = round({ { method = "m" }, question("k"), { method = "m" } }, 4)
    assert.same({ "q5", "k", "q7" }, r:keys())
    assert.equal(7, asked)
  end)

  it("has no two questions of one key, given or by order", function()
    assert.same({ nil, "two questions of a round have the key 'k'" },
      { round { question "k", question "k" } })
    assert.same({ nil, "two questions of a round have the key 'q2'" },
      { round { question "q2", { method = "m" } } })
    assert.same({ nil, "a question's key must be UTF-8" }, { round { question "\xff" } })
  end)

  it("is answered when each of its questions is, in their order and not that of the answers",
    function()
      local r = round { question("a", "1"), question("b", "2") }
      assert.equal(2, r:take(journal))
      assert.is_nil(r:note(journal))
      journal:answer("b", '"second"')
      assert.equal(1, r:take(journal))
      journal:answer("a", '"first"')
      assert.equal(0, r:take(journal))
      assert.equal('["first","second"]', r:answers())
    end)

  it("of one question has the answer itself", function()
    local r = round { question("a", "1") }
    r:note(journal)
    journal:answer("a", "[1]")
    assert.equal(0, r:take(journal))
    assert.equal("[1]", r:answers())
  end)

  -- Asks for a and b, answers `answered`, and returns how many are open in the next run, which asks
  -- for `list`.
  local function replayed(answered, list)
    round({ question("a", "1"), question("b", "2") }):note(journal)
    for _, key in ipairs(answered) do journal:answer(key, "true") end
    journal:rewind()
    return round(list):take(journal)
  end

  it("asks in a replay for what is open alone, whichever that is", function()
    for _, case in ipairs {
      { {}, 2 }, { { "a" }, 1 }, { { "b" }, 1 }, { { "a", "b" }, 0 }, { { "b", "a" }, 0 },
    } do
      journal = unit.journal.start(0)
      local open = replayed(case[1], { question("a", "1"), question("b", "2") })
      assert.equal(case[2], open, table.concat(case[1], " "))
    end
  end)

  it("spends no answer on another question, nor any that stood behind it", function()
    for name, list in pairs {
      ["the first is another"] = { question("a", "x"), question("b", "2") },
      ["one more comes before"] = { question("0", "x"), question("a", "1"), question("b", "2") },
      ["their order is another"] = { question("b", "2"), question("a", "1") },
      ["the keys are swapped"] = { question("a", "2"), question("b", "1") },
    } do
      journal = unit.journal.start(0)
      assert.equal(#list, replayed({ "a", "b" }, list), name)
    end
    journal = unit.journal.start(0)
    assert.equal(1, replayed({ "a", "b" }, { question("a", "1"), question("b", "x") }))
  end)

  it("tells each capability once that an open question needs and the client lacks", function()
    local r = round {
      question("a", "1", "elicitation.form"), question("b", "2", "sampling sampling.tools"),
      question("c", "3", "elicitation.form roots"),
    }
    assert.equal("elicitation.form sampling sampling.tools roots", r:missing "{}")
    assert.equal("sampling.tools", r:missing '{"elicitation":{},"sampling":{},"roots":{}}')
    assert.equal("", r:missing '{"elicitation":{},"sampling":{"tools":{}},"roots":{}}')
    r:note(journal)
    journal:answer("b", "1")
    r:take(journal)
    assert.equal("elicitation.form roots", r:missing "{}")
  end)

  it("tells which key the journal refuses", function()
    assert.equal(("k"):rep(129), round({ question "a", question(("k"):rep(129)) }):note(journal))
  end)
end)
