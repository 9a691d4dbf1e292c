local search = require("unit").pattern_match.search

describe("pattern_match", function()
  it("gives where the match is, and what it captured", function()
    local result, match = search("key = value", "(%w+) = ()(v)", {})
    assert.equal("found", result)
    assert.same({ 0, 7 }, { match.start, match.finish })
    assert.same({ "key", { 6 }, "v" }, match.captures)
  end)

  it("says which captures were never closed", function()
    local result, match = search("ab", "(a)(b", {})
    assert.equal("found", result)
    assert.same({ "a", false }, match.captures)
  end)

  it("forgets the captures of a way that led nowhere", function()
    local result, match = search("aab", "^(a-)(a*)()b$", {})
    assert.equal("found", result)
    assert.same({ "", "aa", { 2 } }, match.captures)
    result, match = search("abac", "(a)(.)%1(c)", {})
    assert.equal("found", result)
    assert.same({ "a", "b", "c" }, match.captures)
  end)

  it("looks from the offset on, and only there if the pattern is anchored", function()
    assert.equal(2, select(2, search("aba", "a", { from = 1 })).start)
    assert.equal("none", (search("aba", "^a", { from = 1 })))
    assert.equal(2, select(2, search("aba", "^a", { from = 2 })).start)
  end)

  it("takes a ^ in front for a byte where there is no anchor", function()
    local _, match = search("a^a", "^a", { literal = 1 })
    assert.equal(1, match.start)
  end)

  it("passes over a match that ends where the last one did", function()
    local _, match = search("ab", "a*", { refused = 1 })
    assert.same({ 2, 2 }, { match.start, match.finish })
    assert.equal("none", (search("", "a*", { refused = 0 })))
  end)

  it("reads no byte beyond the pattern or the subject", function()
    local ends = { "", "%", "[", "[^", "[a", "[a-", "[%", "%b", "%b(", "%f", "%f[", "(", "()", "a*",
      "a-", ".+", "%a?", "[a]*", "[^b]-", "%1", "$", "a$", "%f[%z]", "%b()", "(a)%1" }
    for _, pattern in ipairs(ends) do
      for _, subject in ipairs({ "", "a", "aa", "(", "a(" }) do
        for from = 0, #subject do
          local result, match = search(subject, pattern, { from = from })
          assert.is_true(result ~= "malformed" or match.reason ~= nil)
          assert.is_true(result ~= "found" or match.finish <= #subject)
        end
      end
    end
  end)

  it("notices what is wrong with a pattern only where matching gets that far", function()
    assert.equal("none", (search("abc", "x[", {})))
    local result, match = search("abc", "c[", {})
    assert.equal("malformed", result)
    assert.equal("malformed pattern (missing ']')", match.reason)
  end)

  it("takes patterns of 1024 bytes and none longer", function()
    assert.equal("found", (search(("a"):rep(2000), ("a"):rep(1024), {})))
    assert.equal("too long", (search(("a"):rep(2000), ("a"):rep(1025), {})))
  end)

  it("keeps a choice for each of as many items as a pattern can have", function()
    local _, match = search(("a"):rep(600), ("a?"):rep(512), {})
    assert.equal(512, match.finish)
    _, match = search(("a"):rep(512), ("a-"):rep(511) .. "$", {})
    assert.equal(512, match.finish)
    _, match = search(("a"):rep(512), ("a*"):rep(512), {})
    assert.equal(512, match.finish)
  end)

  it("ends when the steps are used up", function()
    local result, match = search(("a"):rep(30), ("a?"):rep(30) .. ("a"):rep(30) .. "b", {})
    assert.equal("used up", result)
    assert.is_true(match.left < 0)
  end)

  it("counts at least a step for each byte that is tried", function()
    local subject = "(" .. ("a"):rep(999)
    for _, pattern in ipairs({ "a*b", "^.a-b", "^[^b]*b", "%a+%d", "%b()", "%d", "[^(a]" }) do
      local result, match = search(subject, pattern, { steps = 5000000 })
      assert.equal("none", result)
      assert.is_true(5000000 - match.left >= 1000, pattern)
    end
  end)

  it("counts long sets for more than short ones", function()
    local function cost(pattern)
      local _, match = search(("a"):rep(1000), pattern, { steps = 1000000 })
      return 1000000 - match.left
    end
    assert.is_true(cost("[" .. ("b"):rep(1000) .. "]") > 50 * cost("[b]"))
    assert.is_true(cost("^[^" .. ("b"):rep(1000) .. "]*c") > 50 * cost("^[^b]*c"))
    assert.is_true(cost("^%f[" .. ("b"):rep(1000) .. "]") > 10 * cost("^%f[b]"))
  end)

  it("takes no long run when there are few steps left", function()
    local set = "[^" .. ("b"):rep(1000) .. "]"
    local patterns = { "^" .. set .. "*", "^" .. set .. "+c", set:gsub("%^", "") }
    for _, pattern in ipairs(patterns) do
      local result, match = search(("a"):rep(100000), pattern, { steps = 10000 })
      assert.equal("used up", result)
      assert.is_true(match.left > -1000)
    end
    local result, match = search(("a"):rep(100000), "^a*$", { steps = 10000 })
    assert.equal("used up", result)
    assert.is_true(match.left > -10)
  end)

  it("never says that there is no match when the steps were used up", function()
    for steps = 0, 60 do
      for _, pattern in ipairs({ "^[^bbbbbbbbbbbb]+$", "a+c$", "[bbbbbbbbbbbbbbbc]", "^a-c" }) do
        local result = search("aaaaaac", pattern, { steps = steps })
        assert.is_true(result == "found" or result == "used up", pattern .. steps)
      end
    end
  end)

  it("stops within a few thousand steps of being told to", function()
    local result, match = search(("a"):rep(5000), "^" .. (".-"):rep(4) .. "b",
      { stop = 1, steps = 1000000000 })
    assert.equal("stopped", result)
    assert.is_true(1000000000 - match.left < 10000)
  end)
end)
