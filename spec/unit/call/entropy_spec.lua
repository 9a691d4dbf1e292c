local entropy = require("unit").entropy

local function of_size(n, size)
  local sizes = {}
  for i = 1, n do sizes[i] = size end
  return sizes
end

describe("entropy", function()
  it("never gives the same bytes twice, also where the pool is filled again", function()
    local seen = {}
    for i, bytes in ipairs(entropy.take(of_size(1000, 24))) do
      assert.equal(24, #bytes)
      assert.is_nil(seen[bytes], "given out again: number " .. i)
      seen[bytes] = true
    end
  end)

  it("gives no wiped bytes when what is left is less than what is asked for", function()
    for _, bytes in ipairs(entropy.take { 1000, 32, 1024, 1, 1023, 24 }) do
      assert.is_nil(bytes:find(("\0"):rep(8), 1, true))
    end
  end)

  it("gives as much as asked for, up to the whole pool, and nothing for nothing", function()
    local taken = entropy.take { 0, 1, 1024 }
    assert.same({ 0, 1, 1024 }, { #taken[1], #taken[2], #taken[3] })
  end)
end)
