local pack = require("unit").pack

describe("pack", function()
  it("writes integers big-endian in the width asked for", function()
    assert.equal("\1\2", pack.int(0x0102, 2))
    assert.equal("\255", pack.int(-1, 1))
    assert.equal(("\255"):rep(8), pack.int(-1, 8))
  end)

  it("reads back what it wrote, texts with their zero bytes", function()
    local data = pack.int(math.mininteger, 8) .. pack.text("a\0b") .. pack.text("")
      .. pack.int(7, 1)
    local int, text, empty, byte, ended = pack.read(data, 8, 0, 0, 1)
    assert.same({ math.mininteger, "a\0b", "", 7, true }, { int, text, empty, byte, ended })
  end)

  it("does not end well at any shorter length", function()
    local data = pack.int(1, 8) .. pack.text("text")
    for n = 0, #data - 1 do
      assert.is_false(select(3, pack.read(data:sub(1, n), 8, 0)), n)
    end
  end)

  it("does not end well when bytes are left over", function()
    assert.is_false(select(2, pack.read("\0\1\2", 2)))
  end)

  it("reads nothing more once something was missing", function()
    local missing, after, ended = pack.read("\1\2", 4, 1)
    assert.same({ 0, 0, false }, { missing, after, ended })
  end)

  it("does not believe a length beyond what is there", function()
    local text, ended = pack.read("\255\255\255\255abc", 0)
    assert.same({ "", false }, { text, ended })
  end)

  it("reads raw bytes as zeros when they are not all there", function()
    assert.same({ "abc", true }, { pack.raw("abc", 3) })
    assert.same({ "\0\0\0\0", false }, { pack.raw("abc", 4) })
  end)
end)
