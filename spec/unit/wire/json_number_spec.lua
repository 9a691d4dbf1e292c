local json_number = require("unit").json_number

describe("json_number.scan", function()
  it("ends behind the number and says whether it is written as an integer", function()
    assert.same({ 1, true }, { json_number.scan("0,1") })
    assert.same({ 4, true }, { json_number.scan("-120]") })
    assert.same({ 3, false }, { json_number.scan("1.0") })
    assert.same({ 3, false }, { json_number.scan("1e0") })
    assert.same({ 10, false }, { json_number.scan("-0.10E+012") })
  end)

  it("refuses a leading zero, which a zero alone is not", function()
    assert.same({ nil, "leading zero", 0 }, { json_number.scan("01") })
    assert.same({ nil, "leading zero", 1 }, { json_number.scan("-00") })
    assert.same({ 2, true }, { json_number.scan("-0") })
    assert.same({ 3, false }, { json_number.scan("0.0") })
  end)

  local malformed = {
    ["-"] = 1, ["-a"] = 1, ["1."] = 2, ["1.e1"] = 2, ["1e"] = 2, ["1e+"] = 3, ["1E-x"] = 3,
  }
  for text, at in pairs(malformed) do
    it("refuses " .. text, function()
      assert.same({ nil, "malformed number", at }, { json_number.scan(text) })
    end)
  end

  it("refuses an exponent of ten digits that count, not one of nine", function()
    assert.same({ nil, "exponent too large", 2 }, { json_number.scan("1e1000000000") })
    assert.same({ nil, "exponent too large", 3 }, { json_number.scan("0e-1000000000") })
    assert.same({ 11, false }, { json_number.scan("1e999999999") })
    assert.same({ 14, false }, { json_number.scan("1e-00999999999") })
  end)
end)

describe("json_number.int", function()
  it("reads an integer in any notation", function()
    for _, text in ipairs { "1", "1.0", "1e0", "10e-1", "0.1e1", "0.001E3", "1.000" } do
      assert.equal(1, json_number.int(text))
    end
    assert.equal(-1200, json_number.int("-12e2"))
  end)

  it("reads every zero as 0", function()
    for _, text in ipairs { "0", "-0", "0.0", "-0.00e5", "0e999999999" } do
      assert.equal(0, json_number.int(text))
    end
  end)

  it("refuses fractions, however small", function()
    for _, text in ipairs { "1.5", "1e-1", "0.000001", "10000000000000000.1", "1e-999999999" } do
      assert.is_nil(json_number.int(text))
    end
  end)

  it("is exact up to both ends of 64 bits and refuses what lies beyond", function()
    assert.equal(math.maxinteger, json_number.int("9223372036854775807"))
    assert.equal(math.mininteger, json_number.int("-9223372036854775808"))
    assert.equal(9007199254740993, json_number.int("9007199254740993.0"))
    assert.equal(9007199254740993, json_number.int("9.007199254740993e15"))
    assert.equal(1000000000000000000, json_number.int("1e18"))
    local beyond = {
      "9223372036854775808", "-9223372036854775809", "1e19", "18446744073709551616",
      "99999999999999999999", "1e400", "1e999999999",
    }
    for _, text in ipairs(beyond) do
      assert.is_nil(json_number.int(text))
    end
  end)
end)

describe("json_number.equal", function()
  local same = {
    { "1", "1.0" }, { "100", "1e2" }, { "0.5", "5E-1" }, { "-0", "0e7" }, { "1e400", "10e399" },
    { "120.50", "1205e-1" },
    { "123456789012345678901234567890", "1.23456789012345678901234567890e29" },
  }
  for _, pair in ipairs(same) do
    it(pair[1] .. " equals " .. pair[2], function()
      assert.is_true(json_number.equal(pair[1], pair[2]))
      assert.is_true(json_number.equal(pair[2], pair[1]))
      assert.equal(json_number.normal(pair[1]), json_number.normal(pair[2]))
    end)
  end

  local different = {
    { "1", "-1" }, { "1", "10" }, { "1", "1.0000000000000000000001" }, { "12", "21" },
    { "9007199254740992", "9007199254740993" }, { "1e400", "1e401" }, { "1e400", "-1e400" },
    { "0", "1e-400" }, { "0.1", "0.01" },
  }
  for _, pair in ipairs(different) do
    it(pair[1] .. " differs from " .. pair[2], function()
      assert.is_false(json_number.equal(pair[1], pair[2]))
      assert.is_false(json_number.equal(pair[2], pair[1]))
      assert.not_equal(json_number.normal(pair[1]), json_number.normal(pair[2]))
    end)
  end
end)

describe("json_number.normal", function()
  local forms = {
    ["0"] = "0", ["-0.0"] = "0", ["1.0"] = "1", ["-1.50"] = "-1.5", ["1e2"] = "100",
    ["12.5e1"] = "125", ["0.25"] = "0.25", ["100.010"] = "100.01", ["0.00012"] = "0.00012",
    ["0.000001"] = "0.000001", ["0.0000001"] = "1e-7", ["-12e-8"] = "-1.2e-7",
    ["999999999999999999999"] = "999999999999999999999", ["1e20"] = "100000000000000000000",
    ["1e21"] = "1e+21", ["1234567890123456789012"] = "1.234567890123456789012e+21",
    ["9223372036854775807"] = "9223372036854775807", ["1E+400"] = "1e+400",
    ["1e-999999999"] = "1e-999999999", ["10e999999999"] = "1e+1000000000",
  }
  for text, form in pairs(forms) do
    it(("of %s is %s"):format(text, form), function()
      assert.equal(form, json_number.normal(text))
    end)
  end

  it("keeps the value as Lua reads it, and is its own normal form", function()
    local random = require("support.random_json").new(7)
    for _ = 1, 2000 do
      local text = random.number_text()
      local form = json_number.normal(text)
      assert(tonumber(form) + 0.0 == tonumber(text) + 0.0, text)
      assert.equal(form, json_number.normal(form))
    end
  end)
end)
