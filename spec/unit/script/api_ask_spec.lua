local script = require "support.script"

local FORM = "requestedSchema = { type = 'object', properties = {} }"

describe("asking", function()
  after_each(script.clean)

  it("hands the questions of a round over at once, in the order of their keys", function()
    local asked
    script.handle(([[
      ctx:ask { b = { message = "B?", %s }, a = { message = "A?", %s } }
    ]]):format(FORM, FORM), {}, { ask = function(...) asked = { ... } end })
    local form = '","mode":"form","requestedSchema":{"properties":{},"type":"object"}}'
    assert.same({
      "a", "elicitation/create", "elicitation.form", '{"message":"A?' .. form,
      "b", "elicitation/create", "elicitation.form", '{"message":"B?' .. form,
    }, asked)
  end)

  it("never gives out a round with a form that a client can't show", function()
    local run = script.handle(([[

      ctx:ask { a = { message = "?", %s }, b = { message = "?", requestedSchema = {
        type = "object", properties = { c = { type = "object" } } } } }
    ]]):format(FORM), {}, { ask = function() error "asked" end })
    assert.matches("^scripts/x%.lua:2: ctx:ask: b: requestedSchema%.properties%.c: type "
      .. '"object" can\'t be asked; a form is flat', run:reason())
  end)

  it("takes a round of 32 questions and no more", function()
    for n, asks in pairs { [32] = true, [33] = false } do
      local asked = false
      local run = script.handle(([[

        local round = {}
        for i = 1, args.n do round["k" .. i] = { message = "?", %s } end
        ctx:ask(round)
      ]]):format(FORM), { n = n }, { ask = function() asked = true end })
      assert.equal(asks, asked)
      if not asks then
        assert.matches("ctx:ask: a round has 1 to 32 questions$", run:reason())
      end
    end
  end)

  it("can't be done inside ctx:once, nor where the call can't wait", function()
    for code, why in pairs {
      ["ctx:once('n', function() ctx:ask { a = { message = '?', %s } } end)"] =
        "ctx:once: its function can't ask; ask before or after, and keep what the answer led to",
      ["table.sort({ 2, 1 }, function() ctx:ask { a = { message = '?', %s } } end)"] =
        "a call can't wait here: inside a comparator of table.sort, a module "
        .. "being loaded or a metamethod called from C; do it before or after",
    } do
      local run = script.handle("\n" .. code:format(FORM), {},
        { ask = function() error "asked" end })
      assert.equal("scripts/x.lua:2: " .. why, run:reason())
    end
  end)
end)
