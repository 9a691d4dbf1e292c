local range = require("unit").schema_range

describe("the range of numbers", function()
  for _, text in ipairs {
    "1e308", "-1.7976931348623157e308", "1e-400", "0e999999999", "1E5", '"1e400"', "[1e3,true]",
    "{}", ("9"):rep(308), "0." .. ("1"):rep(400), '{"1e400":1}', "123456789012345678901234567890",
  } do
    it("takes " .. text:sub(1, 40), function()
      assert.same({ true, "" }, { range.valid(text) })
    end)
  end

  for text, where in pairs {
    ["1e400"] = "arguments", ["[0,-1e309]"] = "arguments[1]", ['{"a":1,"n":1e999999999}'] = "n",
    ['{"a":{"b":[1,{"c":[]},{"n":2e308}]},"z":1e400}'] = "a.b[2].n",
    ['{"a b":[9E9999]}'] = 'arguments["a b"][0]',
  } do
    it("refuses what is in " .. text .. " and says where", function()
      local fits, reason = range.valid(text)
      assert.is_false(fits)
      assert.equal(where .. " must be a number up to 1.8e308, not " .. text:match "%-?%d[eE]%d+",
        reason)
    end)
  end

  it("refuses a number of too many digits without repeating them", function()
    assert.same({ false, "n must be a number up to 1.8e308" },
      { range.valid('{"n":' .. ("9"):rep(400) .. "}") })
  end)
end)
