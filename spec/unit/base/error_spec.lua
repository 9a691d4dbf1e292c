local err = require("unit").error

describe("an error", function()
  it("holds the formatted reason, and setting it returns -1", function()
    local result, text = err.set("no such file", 2)
    assert.equal(-1, result)
    assert.equal("no such file (2)", text)
  end)

  it("is cut when it is longer than it can hold", function()
    local result, text = err.set(("x"):rep(5000), 1)
    assert.equal(-1, result)
    assert.equal(("x"):rep(1023), text)
  end)

  it("may be of no interest to the caller", function()
    assert.equal(-1, err.set_nowhere())
  end)
end)
