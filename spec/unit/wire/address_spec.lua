-- Which addresses a name may lead a script to.

local unit = require "unit"

-- The first and the last address of each range, and the ones beside it where those are public.
local RANGES = {
  { "0.0.0.0", "0.255.255.255", nil, "1.0.0.0" },
  { "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0" },
  { "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0" },
  { "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0" },
  { "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0" },
  { "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0" },
  { "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0" },
  { "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0" },
  { "192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0" },
  { "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0" },
  { "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0" },
  { "198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0" },
  { "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0" },
  { "224.0.0.0", "255.255.255.255", "223.255.255.255" },
  { "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", nil, "2000::" },
  { "2001::", "2001:1ff:ffff::1", "2000:ffff::1", "2001:200::" },
  { "2001:db8::", "2001:db8:ffff::1", "2001:db7::1", "2001:db9::" },
  { "2002::", "2002:ffff::1", "2001:ffff::1", "2003::" },
  { "3fff::", "3fff:fff:ffff::1", "3ffe:ffff::1", "3fff:1000::" },
  { "4000::", "ffff::1", "3fff:ffff::1" },
}

describe("an address", function()
  it("is not public in any of the ranges that are kept for something else", function()
    for _, range in ipairs(RANGES) do
      assert.is_false(unit.address.is_public(range[1]), range[1])
      assert.is_false(unit.address.is_public(range[2]), range[2])
    end
  end)

  it("is public right beside them", function()
    for _, range in ipairs(RANGES) do
      if range[3] then assert.is_true(unit.address.is_public(range[3]), range[3]) end
      if range[4] then assert.is_true(unit.address.is_public(range[4]), range[4]) end
    end
  end)

  it("that wraps another one is not public, whatever it wraps", function()
    for _, text in ipairs {
      "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::127.0.0.1",
      "64:ff9b:1::1", "2002:7f00:1::", "2001:0:1::1", "fe80::1", "fc00::1", "fd12::1", "ff02::1",
    } do
      assert.is_false(unit.address.is_public(text), text)
    end
  end)

  it("of another family is not public", function()
    assert.is_false(unit.address.is_public "a file")
  end)

  it("of a public server is public", function()
    for _, text in ipairs { "8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450::1" } do
      assert.is_true(unit.address.is_public(text), text)
    end
  end)
end)
