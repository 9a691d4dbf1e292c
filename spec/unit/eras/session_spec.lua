local session = require("unit").session

describe("the sessions", function()
  local s

  before_each(function()
    s = session.new()
  end)

  local function add(principal)
    return s:add(principal or "", "2025-06-18", '{"name":"spec","version":"2"}', '{"roots":{}}')
  end

  it("are told apart by random ids of 128 bits in hex", function()
    local seen = {}
    for _ = 1, 1000 do
      local id = add()
      assert.matches("^" .. ("%x"):rep(32) .. "$", id)
      assert.is_nil(seen[id])
      seen[id] = true
    end
    assert.equal(1000, s:count())
  end)

  it("keep what the client said of itself, and the negotiated version", function()
    local version, client, busy = s:find(add(), "")
    assert.equal("2025-06-18", version)
    assert.equal('{"name":"spec","version":"2","capabilities":{"roots":{}}}', client)
    assert.is_false(busy)
  end)

  it("are found by their whole id only", function()
    local id = add()
    assert.is_string((s:find(id, "")))
    for _, other in ipairs {
      "", id:sub(1, 31), id .. "0", id:upper() ~= id and id:upper() or "x", ("0"):rep(32),
      ("\0"):rep(32), "-1" .. id:sub(3), id:sub(1, 31) .. "g",
    } do
      assert.is_nil((s:find(other, "")))
    end
  end)

  it("are found by their own principal only", function()
    local id = add "ada"
    assert.is_string((s:find(id, "ada")))
    for _, other in ipairs { "", "bob", "ad", "ada " } do
      assert.is_nil((s:find(id, other)))
    end
  end)

  it("are gone once removed, whatever is beside them", function()
    local ids = {}
    for i = 1, 200 do ids[i] = add() end
    for i = 1, 200, 2 do s:remove(ids[i], "") end
    assert.equal(100, s:count())
    for i, id in ipairs(ids) do
      assert.equal(i % 2 == 0, (s:find(id, "")) ~= nil)
    end
  end)

  it("may be removed while they are gone through", function()
    for _ = 1, 500 do add() end
    assert.equal(500, s:remove_all())
    assert.equal(0, s:count())
  end)
end)
