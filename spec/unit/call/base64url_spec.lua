local base64url = require("unit").base64url

describe("base64url", function()
  it("writes what RFC 4648 writes, in the alphabet for URLs and without padding", function()
    local texts = {
      [""] = "", f = "Zg", fo = "Zm8", foo = "Zm9v", foob = "Zm9vYg", fooba = "Zm9vYmE",
      foobar = "Zm9vYmFy", ["\251\255\191"] = "-_-_",
    }
    for bytes, text in pairs(texts) do
      assert.equal(text, base64url.add(bytes))
      assert.equal(bytes, base64url.read(text, 16))
    end
  end)

  it("reads no text of one or two characters but those that it writes", function()
    local written = { [""] = true }
    for byte = 0, 255 do written[base64url.add(string.char(byte))] = true end
    for first = 0, 255 do
      local c = string.char(first)
      assert.is_nil(base64url.read(c, 16))
      for second = 0, 255 do
        local text = c .. string.char(second)
        assert.equal(written[text] or false, base64url.read(text, 16) ~= nil)
      end
    end
  end)

  it("refuses foreign characters at any place, those beyond ASCII too", function()
    for byte = 0, 255 do
      local c = string.char(byte)
      if not c:find("[%w_-]") then
        for at = 1, 8 do
          local text = ("AAAAAAAA"):sub(1, at - 1) .. c .. ("AAAAAAAA"):sub(at + 1)
          assert.is_nil(base64url.read(text, 16), text)
        end
      end
    end
  end)

  it("refuses padding and spare bits that are not zero", function()
    for _, text in ipairs { "Zg==", "Zg=", "Zm8=", "Zm9v=", "Zh", "Zm9", "Zm9vYh", "Z", "Zm9vY" } do
      assert.is_nil(base64url.read(text, 16), text)
    end
  end)

  it("refuses more bytes than there is room for", function()
    assert.equal("foo", base64url.read("Zm9v", 3))
    assert.is_nil(base64url.read("Zm9v", 2))
    assert.is_nil(base64url.read("Zg", 0))
    assert.equal("", base64url.read("", 0))
  end)
end)
