local store = require("unit").store
local stores = require "support.stores"

-- What every kind of store does alike.
for _, kind in ipairs { "memory:", "an SQLite file" } do
  describe("a store in " .. kind, function()
    local s

    before_each(function()
      local folder = stores.set_up()
      s = assert(stores.open(kind == "memory:" and kind or folder .. "/store.db"))
    end)
    after_each(stores.tear_down)

    local function put(key, value)
      return s:commit { { "s", "c", key, value or "1" } }
    end

    local function all()
      return table.concat(assert(s:list("s", "c")), " ")
    end

    it("gives back a value as it was put", function()
      assert(put("k", '{"name":"日本 \\u0000"}'))
      assert.equal('{"name":"日本 \\u0000"}', s:get("s", "c", "k"))
    end)

    it("tells a row that is not there from an error", function()
      local value, why = s:get("s", "c", "k")
      assert.is_nil(value)
      assert.is_nil(why)
    end)

    it("keeps the rows of scripts and of collections apart", function()
      assert(s:commit {
        { "s", "c", "k", "1" }, { "t", "c", "k", "2" }, { "s", "d", "k", "3" },
        { "sc", "d", "k", "4" },
      })
      assert.equal("1", s:get("s", "c", "k"))
      assert.equal("2", s:get("t", "c", "k"))
      assert.equal("3", s:get("s", "d", "k"))
      assert.equal("4", s:get("sc", "d", "k"))
      assert.equal(1, s:count("s", "c"))
      assert.same({ "k=3" }, s:list("s", "d"))
    end)

    it("names each collection that has rows, once", function()
      assert.same({}, s:names())
      assert(s:commit { { "s", "c", "k", "1" }, { "s", "c", "l", "1" }, { "s", "d", "k", "1" },
        { "t", "c", "k", "1" } })
      local names = s:names()
      table.sort(names)
      assert.same({ "s=c", "s=d", "t=c" }, names)
      assert.equal(1, #s:names(1))
      assert(s:commit { { "s", "d", "k" } })
      assert.equal(2, #s:names())
    end)

    it("compares keys byte by byte", function()
      assert(s:commit { { "s", "c", "Key", "1" }, { "s", "c", "key", "2" },
        { "s", "c", "key ", "3" } })
      assert.equal("Key=1 key=2 key =3", all())
    end)

    it("lists rows in the order of first writing, whatever their keys", function()
      assert(s:commit { { "s", "c", "z", "1" }, { "s", "c", "a", "2" } })
      assert(put("m", "3"))
      assert.equal("z=1 a=2 m=3", all())
    end)

    it("replaces a value in its place", function()
      assert(s:commit { { "s", "c", "a", "1" }, { "s", "c", "b", "2" } })
      assert(put("a", "3"))
      assert.equal("a=3 b=2", all())
      assert.equal(2, s:count("s", "c"))
    end)

    it("puts a key at the end that was deleted and written again", function()
      assert(s:commit { { "s", "c", "a", "1" }, { "s", "c", "b", "2" }, { "s", "c", "c", "3" } })
      assert(s:commit { { "s", "c", "b" }, { "s", "c", "b", "4" } })
      assert.equal("a=1 c=3 b=4", all())
    end)

    it("deletes first, last and middle rows, and takes a missing one in its stride", function()
      assert(s:commit { { "s", "c", "a", "1" }, { "s", "c", "b", "2" }, { "s", "c", "c", "3" },
        { "s", "c", "d", "4" } })
      assert(s:commit { { "s", "c", "a" } })
      assert.equal("b=2 c=3 d=4", all())
      assert(s:commit { { "s", "c", "c" }, { "s", "c", "gone" } })
      assert.equal("b=2 d=4", all())
      assert(s:commit { { "s", "c", "d" }, { "s", "c", "b" } })
      assert.equal("", all())
      assert.equal(0, s:count("s", "c"))
      assert.is_nil(s:get("s", "c", "a"))
    end)

    it("applies the writes of a batch in their order", function()
      assert(s:commit { { "s", "c", "a", "1" }, { "s", "c", "a", "2" }, { "s", "c", "b", "1" },
        { "s", "c", "b" } })
      assert.equal("a=2", all())
    end)

    it("takes an empty batch", function()
      assert.is_true(s:commit {})
    end)

    describe("of a batch that expects", function()
      before_each(function() assert(s:commit { { "s", "c", "there", "1" } }) end)

      local function commit(key, value)
        return s:commit { { "s", "c", "new", "2" }, { "s", "c", "there" },
          { "s", "c", key, value, expect = true } }
      end

      for _, case in ipairs {
        { "a row's value", "there", "1" },
        { "no row", "gone" },
      } do
        it("writes all of it where it finds " .. case[1], function()
          assert.is_true(commit(case[2], case[3]))
          assert.equal("2", s:get("s", "c", "new"))
          assert.is_nil(s:get("s", "c", "there"))
        end)
      end

      for _, case in ipairs {
        { "another value than expected", "there", "1.0" },
        { "a row where none is expected", "there" },
        { "no row where one is expected", "gone", "1" },
        { "no row in its place before the batch, which makes it", "new", "2" },
      } do
        it("writes nothing of it where it finds " .. case[1], function()
          assert.is_false(commit(case[2], case[3]))
          assert.is_nil(s:get("s", "c", "new"))
          assert.equal("1", s:get("s", "c", "there"))
        end)
      end

      it("makes a row once, however often that is tried", function()
        local claim = { { "s", "c", "once", expect = true }, { "s", "c", "once", "1" } }
        assert.is_true(s:commit(claim))
        claim[2][4] = "2"
        assert.is_false(s:commit(claim))
        assert.equal("1", s:get("s", "c", "once"))
      end)
    end)

    it("lists from behind a row, as many as asked for", function()
      for i = 1, 5 do assert(put("k" .. i)) end
      assert.same({ "k1=1", "k2=1" }, s:list("s", "c", "", 2))
      assert.same({ "k3=1", "k4=1" }, s:list("s", "c", "k2", 2))
      assert.same({ "k5=1" }, s:list("s", "c", "k4", 2))
      assert.same({}, s:list("s", "c", "k5", 2))
    end)

    it("lists from the start when the row to start behind is gone", function()
      assert(s:commit { { "s", "c", "a", "1" }, { "s", "c", "b", "2" }, { "s", "c", "a" } })
      assert.same({ "b=2" }, s:list("s", "c", "a"))
    end)

    it("stops a list when the row function says so, and works on", function()
      for i = 1, 5 do assert(put("k" .. i)) end
      assert.same({ "k1=1", "k2=1" }, s:list("s", "c", "", 5, 2))
      assert(put("k6"))
      assert.equal(6, s:count("s", "c"))
    end)

    it("refuses what is beyond the bounds, and takes what is just within", function()
      local name, key, value = ("n"):rep(128), ("k"):rep(512), ("1"):rep(256 * 1024)
      assert(s:commit { { name, name, key, value } })
      assert.equal(value, s:get(name, name, key))
      assert.same({}, s:list(name, name, key, 1000))
      for _, write in ipairs {
        { name .. "n", name, key, value }, { name, name .. "n", key, value },
        { name, name, key .. "k", value }, { name, name, key, value .. "1" },
        { "", name, key, value }, { name, "", key, value }, { name, name, "", value },
        { name, name, key, "" }, { name, name, "k\0", value }, { "n\0", name, key, value },
        { name .. "n", name, key }, { name, name, "" },
      } do
        assert.is_nil(s:commit { write })
      end
      assert.equal(value, s:get(name, name, key))
      assert.equal(1, s:count(name, name))
    end)

    it("says which bound was broken", function()
      local _, why = put(("k"):rep(513))
      assert.equal("the key is 513 bytes long, but at most 512 are allowed", why)
      _, why = s:get("s", "", "k")
      assert.equal("the collection name is empty", why)
      _, why = s:count("a\0b", "c")
      assert.equal("the script name contains a NUL byte, which no store takes", why)
      _, why = s:list("s", "c", "", 1001)
      assert.equal("a list takes 1 to 1000 rows at a time, not 1001", why)
      assert.is_nil(s:list("s", "c", "", 0))
      assert.is_nil(s:list("s", "c", ("k"):rep(513)))
    end)

    it("writes nothing of a batch whose second write breaks a bound", function()
      assert(put("old"))
      assert.is_nil(s:commit { { "s", "c", "new", "1" }, { "s", "c", ("k"):rep(513), "1" } })
      assert.is_nil(s:commit { { "s", "c", "old" },
        { "s", "c", "new", ("1"):rep(256 * 1024 + 1) } })
      assert.equal("old=1", all())
    end)

    it("holds ten thousand rows in order", function()
      local batch = {}
      for i = 1, 10000 do batch[i] = { "s", "c", "k" .. i, tostring(i) } end
      assert(s:commit(batch))
      for i = 1, 10000, 2 do batch[(i + 1) // 2] = { "s", "c", "k" .. i } end
      for i = 5001, 10000 do batch[i] = nil end
      assert(s:commit(batch))
      assert.equal(5000, s:count("s", "c"))
      local after, seen = "", 0
      repeat
        local rows = assert(s:list("s", "c", after))
        for _, row in ipairs(rows) do
          seen = seen + 2
          assert.equal(("k%d=%d"):format(seen, seen), row)
        end
        after = "k" .. seen
      until #rows < 1000
      assert.equal(10000, seen)
    end)
  end)
end
describe("a store in memory:", function()
  before_each(stores.set_up)
  after_each(stores.tear_down)

  it("does not block", function()
    assert.is_false(assert(stores.open("memory:")):blocking())
  end)

  it("begins empty each time", function()
    assert(assert(stores.open("memory:")):commit { { "s", "c", "k", "1" } })
    assert.equal(0, assert(stores.open("memory:")):count("s", "c"))
  end)

  it("cannot be opened to be read only", function()
    local s, why = stores.open("memory:", true)
    assert.is_nil(s)
    assert.matches("lives inside the host", why)
  end)
end)
describe("the default place of a store", function()
  local home, state

  before_each(function() home, state = os.getenv("HOME"), os.getenv("XDG_STATE_HOME") end)
  after_each(function()
    store.set_env("HOME", home)
    store.set_env("XDG_STATE_HOME", state)
  end)

  local function with(new_home, new_state)
    store.set_env("HOME", new_home)
    store.set_env("XDG_STATE_HOME", new_state)
    return store.default_path()
  end

  it("is in XDG_STATE_HOME when that is an absolute path", function()
    assert.equal("/state/lunask/store.db", with("/home/ana", "/state"))
  end)

  it("is in HOME otherwise", function()
    assert.equal("/home/ana/.local/state/lunask/store.db", with("/home/ana", nil))
    assert.equal("/home/ana/.local/state/lunask/store.db", with("/home/ana", ""))
    assert.equal("/home/ana/.local/state/lunask/store.db", with("/home/ana", "state"))
  end)

  it("is nowhere without either", function()
    local path, why = with(nil, nil)
    assert.is_nil(path)
    assert.matches("neither XDG_STATE_HOME nor HOME is set", why)
  end)
end)
