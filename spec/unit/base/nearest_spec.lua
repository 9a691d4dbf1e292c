local nearest = require("unit").nearest

local KEYS = { "minLength", "maxLength", "pattern", "title", "type", "id" }

describe("nearest", function()
  it("finds the name behind one missing, added or changed letter", function()
    assert.equal("pattern", nearest.name("patern", KEYS))
    assert.equal("pattern", nearest.name("patterns", KEYS))
    assert.equal("title", nearest.name("tidle", KEYS))
  end)

  it("counts swapped neighbours as one edit", function()
    assert.equal("id", nearest.name("di", KEYS))
    assert.equal("pattern", nearest.name("aptetrn", KEYS))
  end)

  it("takes the nearer of two names", function()
    assert.equal("maxLength", nearest.name("maxLenght", KEYS))
    assert.equal("minLength", nearest.name("mnLength", KEYS))
  end)

  it("takes the first of two names that are equally near", function()
    assert.equal("cat", nearest.name("rat", { "cat", "bat" }))
  end)

  it("does not count the case of ASCII letters", function()
    assert.equal("maxLength", nearest.name("MAXLENGTH", KEYS))
  end)

  it("finds nothing three edits away", function()
    assert.is_nil(nearest.name("ptrn", KEYS))
  end)

  it("finds nothing two edits from a name of three letters", function()
    assert.is_nil(nearest.name("to", KEYS))
    assert.is_nil(nearest.name("cat", { "dot" }))
  end)

  it("finds nothing for an empty or an overlong name", function()
    assert.is_nil(nearest.name("", { "a" }))
    assert.is_nil(nearest.name(("x"):rep(65), { ("x"):rep(64) }))
    assert.equal(("x"):rep(64), nearest.name(("x"):rep(63), { ("x"):rep(64) }))
  end)

  it("finds nothing in an empty list", function()
    assert.is_nil(nearest.name("id", {}))
  end)
end)
