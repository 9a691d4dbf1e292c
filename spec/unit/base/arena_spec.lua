local arena = require("unit").arena

describe("an arena", function()
  it("gives pieces of any size, aligned and apart", function()
    local sizes = {}
    for i = 1, 60 do sizes[i] = (i * 37) % 300 end
    sizes[20], sizes[40] = 5000, 100000
    local aligned, intact = arena.pieces(table.unpack(sizes))
    assert.is_true(aligned)
    assert.is_true(intact)
  end)

  it("fills a block to its last byte without running into the next", function()
    local _, intact = arena.pieces(4064, 16, 4048, 16, 4064, 1)
    assert.is_true(intact)
  end)

  it("gives zeros where they are asked for", function()
    assert.is_true(arena.zeroed(64))
    assert.is_true(arena.zeroed(9000))
  end)

  it("copies text and puts a NUL behind it", function()
    local text, ended = arena.copy("a\0b")
    assert.equal("a\0b", text)
    assert.is_true(ended)
    text, ended = arena.copy("")
    assert.equal("", text)
    assert.is_true(ended)
  end)

  it("is empty once freed, and as good as new", function()
    assert.is_true(arena.reused())
  end)
end)
