local bytes = require("unit").bytes

describe("bytes", function()
  it("splits at every separator and keeps empty parts", function()
    assert.same({ "a", "", "b", "" }, bytes.split("a,,b,", ","))
  end)

  it("gives one part when the separator is missing", function()
    assert.same({ "abc" }, bytes.split("abc", ","))
  end)

  it("trims spaces and tabs, and nothing else", function()
    assert.equal("a b\n", bytes.trim(" \ta b\n\t "))
  end)

  it("orders a prefix before the longer text", function()
    assert.equal(-1, bytes.compare("a", "ab"))
    assert.equal(0, bytes.compare("", ""))
    assert.equal(1, bytes.compare("b", "ab"))
  end)

  it("ignores the case of ASCII letters only where asked to", function()
    assert.is_true(bytes.equal_nocase("Mcp-Name", "mcp-name"))
    assert.is_false(bytes.equal_nocase("mcp-name", "mcp-names"))
  end)
end)
