local elicitations = require("unit").elicitations

describe("URL elicitations", function()
  it("have ids of 128 bits that are never the same", function()
    local ids, seen = elicitations.add(100), {}
    for _, id in ipairs(ids) do
      assert.matches("^" .. ("%x"):rep(32) .. "$", id)
      assert.is_nil(seen[id])
      seen[id] = true
    end
    assert.equal(100, #ids)
  end)

  it("keep what they are about, the newest first, until they are freed", function()
    local _, key, params, empty = elicitations.add(12)
    assert.same({ "12", '{"n":12}', true }, { key, params, empty })
    _, key, params, empty = elicitations.add(0)
    assert.same({ nil, nil, true }, { key, params, empty })
  end)
end)
