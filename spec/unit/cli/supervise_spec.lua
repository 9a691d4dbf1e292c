-- How long the supervisor waits between two workers. All else of it is in wire/supervisor_spec.

local supervise = require("unit").supervise

describe("the pause before another worker", function()
  it("is none after the first crash", function()
    assert.equal(0, supervise.pause_ms(1))
  end)

  it("grows with each crash in a row, up to 5 s and never beyond", function()
    local pauses = {}
    for crashes = 1, 7 do
      pauses[crashes] = supervise.pause_ms(crashes)
    end
    assert.same({ 0, 100, 500, 2000, 5000, 5000, 5000 }, pauses)
    assert.equal(5000, supervise.pause_ms(1000000))
  end)
end)
