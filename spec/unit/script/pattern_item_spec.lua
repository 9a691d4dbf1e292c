local pattern_item = require("unit").pattern_item

local ALL = {}
for byte = 0, 255 do
  ALL[#ALL + 1] = string.char(byte)
end
local all = table.concat(ALL)

-- The stock matcher's view of which bytes an item has.
local function stock_bytes(item)
  local found = {}
  for byte in all:gmatch(item) do
    found[#found + 1] = byte
  end
  return table.concat(found)
end

describe("pattern_item", function()
  it("ends where the item ends, whatever follows", function()
    local lengths = {
      ["a"] = 1, ["ab"] = 1, ["."] = 1, ["*"] = 1, ["]a"] = 1, ["%a+"] = 2, ["%%"] = 2, ["%]"] = 2,
      ["[a]b]"] = 3, ["[]]"] = 3, ["[^]]"] = 4, ["[]a]]"] = 4, ["[%]]"] = 4, ["[^%]]]"] = 5,
      ["[a-]]"] = 4, ["[[]"] = 3, ["[^^]"] = 4, ["[\0]"] = 3, ["[%%]]"] = 4,
    }
    for pattern, length in pairs(lengths) do
      assert.equal(length, pattern_item.finish(pattern), pattern)
    end
  end)

  it("has no end where the pattern ends in its midst", function()
    for _, pattern in ipairs({ "%", "[", "[^", "[]", "[^]", "[a", "[%", "[%]", "[a%]", "[a-" }) do
      assert.is_nil(pattern_item.finish(pattern), pattern)
    end
  end)

  it("has the bytes that the same item of Lua has", function()
    local items = { ".", "a", "\0", "\255", "[a-z]", "[^a-z]", "[z-a]", "[]-a]", "[a-]", "[-a]",
      "[%a-z]", "[a-%%]", "[^%w_]", "[%w%s.]", "[\0-\31]", "[\200-\255]", "[^\128-\255]", "[^^]",
      "[%]%-]", "[--/]", "[a-c-e]" }
    for _, byte in ipairs(ALL) do
      if not byte:find("[bf%d]") then items[#items + 1] = "%" .. byte end
      items[#items + 1] = "[%" .. byte .. "]"
    end
    for _, item in ipairs(items) do
      assert.equal(stock_bytes(item), pattern_item.bytes(item), item)
    end
  end)

  it("runs as far as each byte is one that it has", function()
    for _, item in ipairs({ "a", "%l", "[a-z]", "[^%d]" }) do
      assert.equal(3, pattern_item.run(item, "aaa1a", true), item)
      assert.equal(5, pattern_item.run(item, "aaaaa", true), item)
      assert.equal(0, pattern_item.run(item, "", true), item)
      assert.equal(2, pattern_item.run(item, "12a", false), item)
      assert.equal(2, pattern_item.run(item, "12", false), item)
    end
    assert.equal(3, pattern_item.run(".", "\0a\n", true))
    assert.equal(0, pattern_item.run(".", "abc", false))
  end)

  it("costs more the longer its set is, and nothing when it has none", function()
    assert.equal(0, pattern_item.cost("a"))
    assert.equal(0, pattern_item.cost("%a"))
    assert.equal(0, pattern_item.cost("[ab]"))
    assert.is_true(pattern_item.cost("[" .. ("b"):rep(1000) .. "]") >= 250)
  end)
end)
