local cursor = require("unit").cursor

local KINDS = { "tool", "prompt", "resource", "resource_template" }

describe("a cursor", function()
  it("comes back as the key that it was made of", function()
    for _, kind in ipairs(KINDS) do
      for _, key in ipairs { "a", "docs://ä", "\0", ("k"):rep(4096) } do
        assert.equal(key, cursor.read(kind, cursor.write(kind, key)))
      end
    end
  end)

  it("is none of a list of another kind", function()
    for _, kind in ipairs(KINDS) do
      for _, other in ipairs(KINDS) do
        if kind ~= other then assert.is_nil(cursor.read(other, cursor.write(kind, "a"))) end
      end
    end
  end)

  it("is refused when it was made up", function()
    for _, text in ipairs { "", "a", "dGE=", "dGE ", "dGF", "eGE", "dA", "!", "dGE\0",
      cursor.write("tool", ("k"):rep(4097)) } do
      assert.is_nil(cursor.read("tool", text), text:sub(1, 20))
    end
  end)
end)
