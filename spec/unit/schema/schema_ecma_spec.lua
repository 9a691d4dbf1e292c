local ecma = require("unit").schema_ecma

local function matches(pattern, text)
  local found, why = ecma.matches(pattern, text)
  assert.is_nil(why)
  return found
end

local function refusal(pattern)
  local found, why = ecma.matches(pattern, "x")
  assert.is_nil(found, pattern .. " is taken")
  return why
end

describe("a pattern of a schema", function()
  it("knows the spaces of ECMA-262 and no others as \\s", function()
    for _, code in ipairs { 9, 10, 11, 12, 13, 0x20, 0xA0, 0x1680, 0x2000, 0x200A, 0x2028, 0x2029,
      0x202F, 0x205F, 0x3000, 0xFEFF } do
      local text = utf8.char(code)
      for _, pattern in ipairs { "^\\s$", "^[\\s]$", "^[^\\S]$", "^[a\\s]$" } do
        assert.is_true(matches(pattern, text), ("%s %04X"):format(pattern, code))
      end
      for _, pattern in ipairs { "\\S", "[\\S]", "[^\\s]" } do
        assert.is_false(matches(pattern, text), ("%s %04X"):format(pattern, code))
      end
    end
    for _, code in ipairs { 0, 8, 14, 0x1F, 0x21, 0x85, 0x180E, 0x200B, 0x2060, 0xFEFE, 0xFF00,
      0x1F600, 0x10FFFF } do
      local text = utf8.char(code)
      assert.is_false(matches("[\\s]", text), ("%04X"):format(code))
      assert.is_false(matches("\\s", text), ("%04X"):format(code))
      assert.is_true(matches("^[\\S]$", text), ("%04X"):format(code))
      assert.is_true(matches("^\\S$", text), ("%04X"):format(code))
    end
  end)

  it("has ASCII alone in \\d and \\w", function()
    assert.is_false(matches("\\d", "٣"))
    assert.is_false(matches("\\w", "é"))
    assert.is_true(matches("^\\D\\W$", "٣é"))
  end)

  it("ends with $ at the very end, and with . before any line terminator", function()
    assert.is_false(matches("^a$", "a\n"))
    for _, code in ipairs { 10, 13, 0x2028, 0x2029 } do
      assert.is_false(matches("^.$", utf8.char(code)))
    end
    assert.is_true(matches("^..$", "\u{85}\v"))
  end)

  it("takes \\v for one character, and \\b in a class for a backspace", function()
    assert.is_true(matches("^\\v[\\v]$", "\v\v"))
    assert.is_false(matches("\\v", "\n"))
    assert.is_true(matches("^[\\b]$", "\b"))
  end)

  it("takes two halves of a code point for the whole", function()
    assert.is_true(matches("^\\ud83d\\ude00$", "😀"))
    assert.is_true(matches("^[\\ud83d\\ude00-\\ud83d\\ude02]$", "😁"))
  end)

  it("refers to groups by number and name, never in octal", function()
    assert.is_true(matches("^(a)(?<b>b)\\1\\k<b>$", "abab"))
    assert.truthy(refusal("^(a)\\12$"):find("non-existent", 1, true))
    assert.equal("\\1 is not in ECMA-262: write \\x01, at character 1", refusal("[\\1]"))
  end)

  it("has no classes of POSIX: a bracket in a class is itself", function()
    assert.is_true(matches("^[[:alpha:]]$", "[]"))
    assert.is_true(matches("^[[]$", "["))
  end)

  it("takes braces that repeat nothing for themselves", function()
    assert.is_true(matches("^{a{,3}}$", "{a{,3}}"))
    assert.is_true(matches("^a{1,}b{2}c{1,2}?$", "abbcc"))
  end)

  it("may escape punctuation, in and out of a class", function()
    assert.is_true(matches("^\\-\\/\\@[\\w\\-\\.]+$", "-/@a-."))
    assert.is_true(matches("^[a-]$", "-"))
    assert.is_true(matches("^[-a]$", "-"))
    assert.is_true(matches("^[é-ü]$", "ö"))
    assert.is_false(matches("^[é-ü]$", "a"))
  end)

  it("knows the properties that ECMA-262 names", function()
    assert.is_true(matches("^\\p{Letter}\\p{gc=Nd}\\P{Script=Greek}[\\p{Lu}]$", "a1bC"))
  end)

  for _, case in ipairs {
    { "(?i)a", "(?i is not in ECMA-262" }, { "(?>a)", "(?> is not" }, { "a(?#c)", "(?# is not" },
    { "a++", "possessive" }, { "a*+" }, { "a?+" }, { "a{2}+" }, { "a**" }, { "*a" },
    { "^*" }, { "a|+" }, { "(+)" }, { "\\Aa", "^ is the start of the text" },
    { "a\\Z", "$ is the end of the text" }, { "a\\z" }, { "\\ha" }, { "\\Ka" }, { "\\Ga" },
    { "\\Qa\\E" }, { "\\R" }, { "\\X" }, { "\\N" }, { "\\e" }, { "\\a" }, { "[\\a]" },
    { "(*UCP)a", "(* is not" }, { "(*SKIP)" }, { "(?P<n>a)", "(?<name>…)" }, { "(?'n'a)" },
    { "(a(?1))" }, { "(?R)" }, { "(?&n)" }, { "(a)(?(1)b|c)" }, { "(?|a)" }, { "(?=a)(?^:b)" },
    { "\\pL", "\\p{Letter}" }, { "\\p{^Lu}" }, { "\\p{Xan}" }, { "\\p{L&}" }, { "\\g{1}" },
    { "(?<n>a)\\k'n'" }, { "(?<n>a)\\k{n}" },
    { "\\x{41}" }, { "\\x4" }, { "\\u41" }, { "\\u{41" }, { "\\u{}" },
    { "\\c1" },
    { "\\01" }, { "[\\s-a]" }, { "[\\w-a]" }, { "[a-\\s]" }, { "[a-\\d]" }, { "[\\B]" }, { "a\\" },
  } do
    it("is refused for what ECMA-262 hasn't: " .. case[1], function()
      local why = refusal(case[1])
      if case[2] then assert.truthy(why:find(case[2], 1, true), why) end
      assert.truthy(why:find("is not in ECMA-262", 1, true), why)
      assert.truthy(why:find("at character %d+$"), why)
    end)
  end

  it("is refused for what nobody has, in the words of PCRE2", function()
    for _, pattern in ipairs { "(", ")", "[a", "a{3,2}", "[z-a]", "(?<=a*)b", "\\p{Nonsense}",
      "\\u{110000}", "\\ud800", "(?<n>a)\\k<m>" } do
      assert.is_nil(refusal(pattern):find("ECMA-262", 1, true))
    end
  end)
end)
