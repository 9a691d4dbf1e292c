local unit = require "unit"

local sort, parse = unit.json_keys.sort, unit.json.accepts

local function object_of(keys)
  local members = {}
  for i, key in ipairs(keys) do members[i] = ('"%s":[%d]'):format(key, i) end
  return "{" .. table.concat(members, ",") .. "}"
end

describe("json_keys", function()
  it("has nothing for an empty object", function()
    assert.same({}, sort("{}"))
  end)

  it("orders bytewise, a prefix first", function()
    local text = '{"b":1,"aa":{"x":1},"é":2,"a":[3],"":4,"Z":5,"A":6}'
    assert.same({ "", "A", "Z", "a", "aa", "b", "é" }, sort(text))
  end)

  it("orders what escapes stand for, not how they are written", function()
    assert.same({ "a", "b", "c" }, sort([[{"c":1,"\u0062":2,"a":3}]]))
  end)

  for _, n in ipairs { 16, 17, 500 } do
    it(("orders %d keys as Lua does"):format(n), function()
      local keys, sorted = {}, {}
      for i = 1, n do keys[i] = "k" .. (i * 7919 % 10007) end
      table.move(keys, 1, n, 1, sorted)
      table.sort(sorted)
      assert.same(sorted, sort(object_of(keys)))
    end)

    it(("finds the one repetition among %d keys"):format(n), function()
      local keys = {}
      for i = 1, n do keys[i] = "k" .. i end
      assert.is_true(parse(object_of(keys)))
      keys[n - 1] = "k3"
      local text = object_of(keys)
      local ok, reason, at = parse(text)
      assert.is_nil(ok)
      assert.equal("duplicate key", reason)
      assert.equal('"k3":[' .. n - 1, text:sub(at + 1):match('^"k3":%[%d+'))
    end)
  end

  it("names the first repetition in the text, not the first in order", function()
    local keys = {}
    for i = 1, 30 do keys[i] = "k" .. i end
    keys[29], keys[30] = "k9", "k1"
    local text = object_of(keys)
    local _, _, at = parse(text)
    assert.equal('"k9":[29', text:sub(at + 1, at + 8))
  end)

  it("does not take quadratic time for very many keys", function()
    local function seconds(n)
      local keys = {}
      for i = 1, n do keys[i] = "some/long/common/prefix/" .. i end
      local text = object_of(keys)
      local before = os.clock()
      assert.is_true(parse(text))
      return os.clock() - before
    end
    assert.is_true(seconds(30000) < math.max(seconds(300), 0.0001) * 1500)
  end)
end)
