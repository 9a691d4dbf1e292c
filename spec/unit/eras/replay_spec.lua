local replay = require("unit").replay

describe("a list of events to replay", function()
  local list

  local function start(limit)
    list = replay.new(limit or 1 << 20)
  end

  after_each(function()
    list:free()
  end)

  it("gives back what came behind an event, of that stream alone, in order", function()
    start()
    for n, text in ipairs { "one", "other", "two", "three", "other too" } do
      list:add(text:find "other" and 2 or 1, n, text)
    end
    assert.same({ "one", "two", "three" }, list:after(1, 0))
    assert.same({ "two", "three" }, list:after(1, 1))
    assert.same({ "two", "three" }, list:after(1, 2)) -- the number of another stream's event
    assert.same({}, list:after(1, 4))
    assert.same({ "other", "other too" }, list:after(2, 0))
    assert.same({}, list:after(3, 0))
  end)

  it("drops the oldest event over its bytes, whichever stream it is of", function()
    start(2000)
    for n = 1, 10 do
      assert.is_true(list:add(n % 2 + 1, n, ("%d"):format(n):rep(300):sub(1, 300)))
    end
    local all = select(2, list:kept(1))
    assert.is_true(all >= 4 and all <= 6, tostring(all))
    assert.is_true(select(3, list:kept(1)) <= 2000)
    assert.equal(all, list:kept(1) + list:kept(2))
    assert.equal(("10"):rep(150), list:after(1, 9)[1])
    assert.equal(list:kept(1), #list:after(1, 0))
    assert.equal(list:kept(2), #list:after(2, 0))
  end)

  it("drops the oldest event over their number", function()
    start()
    for n = 1, replay.EVENTS + 1 do list:add(1, n, "x" .. n) end
    assert.equal(replay.EVENTS, (list:kept(1)))
    assert.equal("x2", list:after(1, 0)[1])
  end)

  it("does not keep one that is larger than the whole, and drops nothing for it", function()
    start(1000)
    assert.is_true(list:add(1, 1, "small"))
    assert.is_false(list:add(1, 2, ("x"):rep(1000)))
    assert.same({ "small" }, list:after(1, 0))
  end)

  it("is empty when it is freed, and can be used again", function()
    start()
    list:add(1, 1, "gone")
    list:free()
    assert.same({ 0, 0, 0 }, { list:kept(1) })
    list:add(1, 2, "new")
    assert.same({ "new" }, list:after(1, 0))
  end)
end)
