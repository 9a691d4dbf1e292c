local patterns = require("unit").patterns
local random_patterns = require "support.random_patterns"

local ours = patterns.open()

-- What an iterator gives, as one text, so that pcall's results can be compared.
local function collect(library, ...)
  local found = {}
  for a, b, c in library.gmatch(...) do
    found[#found + 1] = ("%s,%s,%s"):format(a, b, c)
  end
  return table.concat(found, ";")
end

local CALLS = { collect = collect }
for _, name in ipairs({ "find", "match", "gmatch", "gsub" }) do
  CALLS[name] = function(library, ...)
    return library[name](...)
  end
end

-- Everything else here is held to this: our function answers, or raises, what the stock one does.
local function assert_alike(name, ...)
  local answer, difference = random_patterns.compare(ours, string, CALLS[name], ...)
  assert.equal("alike", answer, difference)
end

-- The same pattern and subject through each function.
local function assert_all_alike(pattern, subject)
  assert_alike("find", subject, pattern)
  assert_alike("match", subject, pattern)
  assert_alike("collect", subject, pattern)
  assert_alike("gsub", subject, pattern, "<%0>")
  assert_alike("gsub", subject, pattern, "%1")
  for init = -2, #subject + 2 do
    assert_alike("find", subject, pattern, init)
    assert_alike("collect", subject, pattern, init)
  end
end

local function assert_table_alike(cases)
  for pattern, subjects in pairs(cases) do
    for _, subject in ipairs(subjects) do
      assert_all_alike(pattern, subject)
    end
  end
end

describe("patterns", function()
  it("are those of Lua where there are anchors", function()
    assert_table_alike({
      ["^"] = { "", "a", "^a" },
      ["$"] = { "", "a", "a$" },
      ["^$"] = { "", "a", "^$" },
      ["^a"] = { "", "a", "ba", "aa", "^a^a" },
      ["a$"] = { "a", "ab", "aa", "a$" },
      ["^a*$"] = { "", "aaa", "aab", "baa" },
      ["a^"] = { "a^", "a" },
      ["$a"] = { "$a", "a" },
      ["^^a"] = { "^a", "a" },
      ["a$$"] = { "a$", "a" },
      ["(^a)"] = { "^a", "a" },
      ["(a$)"] = { "a$", "a" },
      ["^()"] = { "", "ab" },
      ["()$"] = { "", "ab" },
    })
  end)

  it("are those of Lua where items repeat", function()
    assert_table_alike({
      [""] = { "", "ab" },
      ["a*"] = { "", "aaa", "baab", "aba" },
      ["a+"] = { "", "aaa", "baab", "aba" },
      ["a-"] = { "", "aaa", "baab" },
      ["a?"] = { "", "aaa", "baab" },
      ["a-b"] = { "aab", "b", "aaa", "abab" },
      [".-b"] = { "aab", "b", "aaa", "abab" },
      [".*b"] = { "aab", "b", "aaa", "ababa" },
      ["a?a?aa"] = { "aa", "aaa", "aaaa", "a" },
      ["a*a+a?a-a"] = { "a", "aa", "aaaaa" },
      ["(a*)(a+)"] = { "a", "aaa" },
      ["(.-)%s*$"] = { "ab  ", "  ", "a b " },
      ["^%s*(.-)%s*$"] = { "  ab  ", "ab", "   ", "" },
      ["a**"] = { "a*", "aa", "a**" },
      ["*a"] = { "*a", "a" },
      ["+"] = { "+", "++" },
      ["?"] = { "?" },
      ["-"] = { "-", "a-b" },
      ["^*"] = { "*", "^*" },
      ["%a+%d*"] = { "abc12", "12ab", "a1b2" },
      ["[ab]-c"] = { "abc", "c", "ab" },
      ["%w-$"] = { "ab", "a b" },
    })
  end)

  it("are those of Lua where there are classes, for every byte", function()
    local bytes = {}
    for byte = 0, 255 do
      bytes[#bytes + 1] = string.char(byte)
    end
    local all = table.concat(bytes)
    for name in ("acdglpsuwxzACDGLPSUWXZbefhijkmnoqrtvyBEFY.%-[]()^$*+?,\0\255"):gmatch(".") do
      if not name:find("[bf]") then assert_alike("collect", all, "%" .. name) end
      assert_alike("collect", all, "[%" .. name .. "]")
      assert_alike("gsub", all, "[^%" .. name .. "]+", "")
    end
  end)

  it("are those of Lua where there are sets", function()
    assert_table_alike({
      ["[abc]+"] = { "xabcx", "", "x" },
      ["[^abc]+"] = { "xabcx", "", "a" },
      ["[a-c]"] = { "abcd-" },
      ["[c-a]"] = { "abc-" },
      ["[a-]"] = { "a-b" },
      ["[-a]"] = { "a-b" },
      ["[^-a]"] = { "a-b" },
      ["[a-c-e]"] = { "abcde-" },
      ["[]]"] = { "]", "a" },
      ["[^]]"] = { "]", "a" },
      ["[]a]"] = { "]", "a", "b" },
      ["[]-a]"] = { "]", "_", "a", "-", "b" },
      ["[a%]]"] = { "a", "]", "%" },
      ["[%]]"] = { "]", "%" },
      ["[a%-z]"] = { "a", "-", "z", "m", "%" },
      ["[%a-z]"] = { "a", "-", "1" },
      ["[a-%%]"] = { "a", "%", "-", "m", "]" },
      ["[a-%]]"] = { "a]", "%]", "]", "m" },
      ["[%w_]+"] = { "a_1 b", " " },
      ["[^%w%s]"] = { "a b,c" },
      ["[.]"] = { ".", "a" },
      ["[^^]"] = { "^", "a" },
      ["[%^a]"] = { "^", "a" },
      ["[$*+?()]"] = { "$*+?()" },
      ["[[]"] = { "[", "]" },
      ["[[]]"] = { "[]", "[", "]" },
      ["[\0-\31]"] = { "\0\1\31 a" },
      ["[\128-\255]+"] = { "a\200\255\127" },
      ["[^\0]*"] = { "a\0b", "\0" },
    })
  end)

  it("are those of Lua where there are captures", function()
    assert_table_alike({
      ["()"] = { "", "ab" },
      ["(a)(b)"] = { "ab", "aab" },
      ["((a)(b))"] = { "ab" },
      ["(a(b(c)))"] = { "abc", "abd" },
      ["()a()"] = { "ba", "b" },
      ["(a*(.)%w(%s*))"] = { "aab ", "ab" },
      ["(())"] = { "a" },
      ["((.)())"] = { "ab" },
      ["(%w+)=(%w*)"] = { "a=1, b=, c" },
      ["(a?)(b?)(c?)"] = { "", "abc", "ac", "c" },
      ["(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)"] = { "abcdefghij" },
    })
    assert_alike("match", ("a"):rep(40), ("(a)"):rep(32))
    assert_alike("match", ("a"):rep(40), ("(a)"):rep(33))
    assert_alike("match", ("a"):rep(40), ("()"):rep(32))
    assert_alike("match", ("a"):rep(40), ("("):rep(33))
    assert_alike("match", ("a"):rep(40), "b" .. ("("):rep(33))
  end)

  it("are those of Lua where a capture is matched again", function()
    assert_table_alike({
      ["(.)%1"] = { "abba", "ab", "" },
      ["(.+)%1"] = { "abab", "aab", "abcabc" },
      ["(.*)%1$"] = { "abab", "ab" },
      ["(a)(b)%2%1"] = { "abba", "abab" },
      ["([\"'])(.-)%1"] = { [["it's"]], [['a"]] },
      ["()%1"] = { "a", "" },
      ["(a)%1*"] = { "aa*", "aaa" },
      ["(a%1)"] = { "a", "b" },
      ["%1"] = { "a" },
      ["%0"] = { "a" },
      ["(a)%2"] = { "a", "b" },
      ["(a)%9"] = { "a" },
      ["(.-)b%1"] = { "aba", "abb", "aabaa" },
    })
  end)

  it("are those of Lua where something is balanced", function()
    assert_table_alike({
      ["%b()"] = { "f(a(b)c)d", "((a)", "(a))", "", ")(" },
      ["%b()*"] = { "()*", "()" },
      ["%b''"] = { "'a' 'b'", "'" },
      ["%b\0\1"] = { "a\0\0\1\1", "\0" },
      ["%bab"] = { "aabb", "abab", "aab" },
      ["a%b[]$"] = { "a[x[y]]", "a[x]y" },
      ["%b"] = { "", "a" },
      ["%b("] = { "", "a" },
      ["x%b("] = { "a", "x" },
      ["%b%%"] = { "%a%" },
    })
  end)

  it("are those of Lua where there are frontiers", function()
    assert_table_alike({
      ["%f[%w]%w+"] = { "the (quick) fox", "", " " },
      ["%f[%w]"] = { "the fox", "" },
      ["%f[%W]"] = { "the fox", "a", "" },
      ["%f[\0]"] = { "ab", "a\0", "" },
      ["%f[^\0]"] = { "ab", "\0a" },
      ["%f[%z]"] = { "ab", "" },
      ["a%f[^a]"] = { "aab", "aa" },
      ["%f[%u]%u+%f[%U]"] = { "aABc ABC", "AB" },
      ["%f"] = { "a", "" },
      ["%fa"] = { "a", "" },
      ["%f["] = { "a" },
      ["%f[a"] = { "a" },
    })
  end)

  it("are those of Lua where there are bytes 0 or above 127", function()
    assert_table_alike({
      ["\0"] = { "", "\0", "a\0b" },
      ["a\0*b"] = { "ab", "a\0\0b" },
      ["\0(.-)\0"] = { "\0ab\0c", "\0" },
      ["\255+"] = { "a\255\255" },
      ["%\0"] = { "\0", "0" },
      ["[%\0]"] = { "\0", "0" },
      ["."] = { "\0\127\128\255" },
    })
    assert_table_alike({ [utf8.charpattern] = { "aé€𝄞", "\0é", "" } })
    local letters = {}
    for letter in ours.gmatch("aé€𝄞\0", utf8.charpattern) do
      letters[#letters + 1] = letter
    end
    assert.same({ "a", "é", "€", "𝄞", "\0" }, letters)
  end)

  it("are refused like Lua does, and only where matching gets that far", function()
    assert_table_alike({
      ["%"] = { "", "a" },
      ["a%"] = { "a", "b" },
      ["["] = { "", "a" },
      ["[^"] = { "a" },
      ["[]"] = { "a" },
      ["[^]"] = { "a" },
      ["[a"] = { "a", "" },
      ["[a-"] = { "a" },
      ["[%"] = { "a" },
      ["[%a"] = { "a" },
      ["[a%]"] = { "a" },
      ["b["] = { "a", "b" },
      ["a?["] = { "b", "" },
      ["("] = { "", "a" },
      ["(a"] = { "a", "b" },
      ["(()"] = { "a" },
      [")"] = { ")", "a" },
      ["a)"] = { "a)", "a", "b" },
      ["%a)"] = { "a", "1" },
      ["(a))"] = { "a", "b" },
    })
  end)
end)

describe("find", function()
  it("starts where Lua starts", function()
    for _, init in ipairs({ 0, 1, 3, 4, 5, -1, -3, -4, math.mininteger, math.maxinteger, "2" }) do
      assert_alike("find", "aba", "a", init)
      assert_alike("find", "aba", "", init)
      assert_alike("find", "aba", "%f[%w]", init)
      assert_alike("find", "aba", "^a", init)
      assert_alike("find", "aba", "a", init, true)
      assert_alike("match", "aba", "()", init)
    end
  end)

  it("looks for plain text when told to, or when it is", function()
    for _, text in ipairs({ "", "a", ".", "%", "a.b", "[x", "^a", "b$", ")", "]", "a]", "\0" }) do
      for _, subject in ipairs({ "", "a.b", "^a%[x)b$", "a]", "x\0" }) do
        assert_alike("find", subject, text, 1, true)
        assert_alike("find", subject, text, 2, true)
        assert_alike("find", subject, text)
      end
    end
    assert_alike("find", "a.b", ".", nil, "yes")
    assert_alike("find", "a.b", ".", nil, false)
  end)

  it("finds plain text after many places that look like it", function()
    for length = 1, 40 do
      local subject = ("a"):rep(length) .. "b" .. ("a"):rep(300) .. "c"
      assert_alike("find", subject, ("a"):rep(length) .. "c", 1, true)
      assert_alike("find", subject, ("a"):rep(length + 1) .. "b")
    end
  end)

  it("finds plain text that is longer than a pattern may be", function()
    local text = ("ab"):rep(2000)
    assert.same({ 2, 4001 }, { ours.find("x" .. text, text) })
    assert.has_error(function()
      ours.find("x", text .. ".")
    end, "pattern too long (4001 bytes, at most 1024); match its parts one by one")
  end)
end)

describe("gmatch", function()
  it("takes a ^ for a byte", function()
    assert_alike("collect", "^a^b", "^.")
  end)

  it("goes on after an error as if there had been none", function()
    local next_match = ours.gmatch("abc", "b%")
    for _ = 1, 3 do
      assert.has_error(next_match, "malformed pattern (ends with '%')")
    end
    local costly = ours.gmatch(("a"):rep(1000), (".-"):rep(4) .. "b")
    for _ = 1, 2 do
      assert.is_false((pcall(costly)))
    end
  end)

  it("stays at its end", function()
    local next_match = ours.gmatch("ab", "b")
    assert.equal("b", next_match())
    assert.is_nil(next_match())
    assert.is_nil(next_match())
  end)

  it("keeps its subject and its pattern", function()
    local next_match = ours.gmatch(("ab"):rep(20) .. "c", "[" .. ("b"):rep(100) .. "]")
    for _ = 1, 20 do
      collectgarbage()
      assert.equal("b", next_match())
    end
    assert.is_nil(next_match())
  end)

  it("lets two iterators of one text go their own ways", function()
    local one, other = ours.gmatch("abc", "."), ours.gmatch("abc", ".")
    assert.same({ "a", "a", "b", "b" }, { one(), other(), other(), one() })
  end)
end)

describe("gsub", function()
  it("replaces by a text", function()
    for _, with in ipairs({ "", "x", "%0", "%0%0", "%%", "%1", "%2", "%9", "%", "a%", "%a", "%%1",
      "<%1|%0>", "\0", "%\0", 12, 1.5 }) do
      assert_alike("gsub", "abc", "b", with)
      assert_alike("gsub", "abc", "(b)", with)
      assert_alike("gsub", "abc", "()(%w)", with)
      assert_alike("gsub", "abc", "x", with)
      assert_alike("gsub", "", "", with)
    end
  end)

  it("replaces by what a table has", function()
    local values = { a = "A", b = 1, c = false, d = 1.5, [1] = "one", [""] = "-" }
    assert_alike("gsub", "abcdef", "%w", values)
    assert_alike("gsub", "abcdef", "()", values)
    assert_alike("gsub", "abcdef", "", values)
    assert_alike("gsub", "abcdef", "(%w)(%w)", values)
    local made = setmetatable({}, { __index = function(_, key) return key .. key end })
    assert_alike("gsub", "abc", "%w", made)
    assert_alike("gsub", "abc", "b", { b = {} })
    assert_alike("gsub", "abc", "b", { b = true })
  end)

  it("replaces by what a function returns", function()
    assert_alike("gsub", "abc", "%w", function(letter) return letter .. letter, "more" end)
    assert_alike("gsub", "abc", "(%w)()", function(letter, at) return at .. letter end)
    assert_alike("gsub", "abc", "%w", function() end)
    assert_alike("gsub", "abc", "%w", function(letter) return letter == "b" and 7 end)
    assert_alike("gsub", "abc", "b", function() return {} end)
    assert_alike("gsub", "abc", "b", function() error("no") end)
    assert_alike("gsub", "abc", "b", type)
  end)

  it("may be called by its own function", function()
    local function nest(library, depth)
      if depth == 0 then return "x" end
      return (library.gsub("ab", "%w", function(letter)
        return letter == "a" and nest(library, depth - 1) or nil
      end))
    end
    assert.equal(nest(string, 100), nest(ours, 100))
  end)

  it("replaces as many as it is told to", function()
    for _, most in ipairs({ -1, 0, 1, 2, 3, 4, 100, math.mininteger, math.maxinteger }) do
      assert_alike("gsub", "aaa", "a", "b", most)
      assert_alike("gsub", "aaa", "", "-", most)
      assert_alike("gsub", "aaa", "^a", "b", most)
    end
  end)

  it("builds results that are much longer than their subject", function()
    local subject = ("ab"):rep(2000)
    assert_alike("gsub", subject, "a", ("x"):rep(200))
    assert_alike("gsub", subject, "a", function(letter) return letter:rep(300) end)
  end)

  it("ends with an error when its result has no room, and leaves nothing behind", function()
    local code = [[return (("a"):rep(10000):gsub("a", ("x"):rep(10000)))]]
    local text, left = patterns.run(code, 1 << 20)
    assert.equal("not enough memory", text)
    assert.equal(0, left)
    text, left = patterns.run([[return (("ab"):gsub("a", "x"))]], 1 << 20)
    assert.equal("xb", text)
    assert.equal(0, left)
  end)
end)

describe("an argument that is wrong", function()
  it("is refused in the words of Lua", function()
    for _, name in ipairs({ "find", "match", "collect", "gsub" }) do
      assert_alike(name)
      assert_alike(name, "a")
      assert_alike(name, nil, "a")
      assert_alike(name, {}, "a")
      assert_alike(name, "a", {})
      assert_alike(name, "a", nil, "x")
      assert_alike(name, "a", "a", {})
      assert_alike(name, 121, 2, 3)
      assert_alike(name, 1.5, "%d", 1)
    end
    for _, init in ipairs({ "x", 1.5, 1e100, true }) do
      assert_alike("find", "a", "a", init)
      assert_alike("match", "a", "a", init)
      assert_alike("gmatch", "a", "a", init)
      assert_alike("gsub", "a", "a", "b", init)
    end
    assert_alike("gsub", "a", "a", true)
    assert_alike("gsub", "a", "a", print, {})
  end)
end)

describe("random calls", function()
  it("are answered as Lua answers them", function()
    local next_call = random_patterns.new(11)
    local alike = 0
    for _ = 1, 20000 do
      local answer, difference = random_patterns.compare(ours, string, next_call())
      assert.is_nil(difference)
      if answer == "alike" then alike = alike + 1 end
    end
    assert.is_true(alike > 19900)
  end)
end)
