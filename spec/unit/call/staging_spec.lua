local shell = require "support.shell"
local unit = require "unit"

local LONGEST = { name = 128, key = 512, value = 256 * 1024 }

-- What a call sees of its own writes, over either kind of store.
for _, kind in ipairs { "memory:", "an SQLite file" } do
  describe("staged writes over " .. kind, function()
    local call, folder, remove

    before_each(function()
      folder, remove = shell.folder()
      call = unit.staging.new(kind == "memory:" and kind or folder .. "/store.db")
    end)

    after_each(function()
      call:close()
      remove()
    end)

    -- Writes rows that are in the store before the call.
    local function stored(...)
      for _, key in ipairs { ... } do
        assert(call:put("c", key, '"old ' .. key .. '"'))
      end
      assert(call:commit())
    end

    -- Returns what a list shows as "key=value key=value".
    local function listed(limit, after)
      local rows = {}
      for key, value in assert(call:list("c", limit, after)):gmatch '{"key":"(.-)","value":(.-)}' do
        rows[#rows + 1] = key .. "=" .. value:gsub('"', "")
      end
      return table.concat(rows, " ")
    end

    it("are seen by a read of the row, the last one of them", function()
      stored "a"
      assert.equal('"old a"', call:get("c", "a"))
      call:put("c", "a", "1")
      call:put("c", "a", "2")
      assert.equal("2", call:get("c", "a"))
      call:delete("c", "a")
      assert.equal("", call:get("c", "a"))
      call:put("c", "a", "3")
      assert.equal("3", call:get("c", "a"))
      assert.equal("", call:get("c", "b"))
    end)

    describe("of a call that has read a row", function()
      before_each(function() stored("a", "b") end)

      it("are committed while the row is as it was", function()
        call:get("c", "a")
        call:get("c", "gone")
        call:put("c", "new", "1")
        assert.is_true(call:commit())
        assert.equal("1", call:get("c", "new"))
      end)

      for _, case in ipairs {
        { "is another one now", "a", "2" },
        { "is gone", "a" },
        { "was not there, and is now", "gone", "1" },
      } do
        it("are not committed when the row " .. case[1], function()
          call:get("c", case[2])
          call:put("c", "new", "1")
          call:meddle("c", case[2], case[3])
          assert.is_false(call:commit())
          assert.equal("", call:get("c", "new"))
        end)
      end

      it("are committed when only a row that was not read has changed", function()
        call:get("c", "a")
        call:put("c", "new", "1")
        call:meddle("c", "b", "2")
        assert.is_true(call:commit())
      end)

      it("stand by the first of two reads that differ", function()
        call:get("c", "a")
        call:meddle("c", "a", "2")
        assert.equal("2", call:get("c", "a"))
        call:put("c", "new", "1")
        assert.is_false(call:commit())
      end)

      it("are not committed when it has read more than can be noted", function()
        for i = 1, 1001 do call:get("c", "k" .. i) end
        assert.is_true(call:commit(), "a call that writes nothing may read on")
        for i = 1, 1001 do call:get("c", "k" .. i) end
        call:put("c", "new", "1")
        local done, why = call:commit()
        assert.is_nil(done)
        assert.truthy(why:find("1000 rows", 1, true))
      end)
    end)

    it("to another script's rows are seen there, and not among its own", function()
      stored "a"
      call:put("c", "a", "1", "other")
      call:put("c", "b", "2", "other")
      assert.equal('"old a"', call:get("c", "a"))
      assert.equal("a=old a", listed())
      assert.equal("1", call:get("c", "a", "other"))
      assert.equal("2", call:count("c", "other"))
      assert(call:commit())
      assert.equal("1", call:count "c")
      call:delete("c", "a", nil, "other")
      assert.equal('[{"key":"b","value":2}]', call:list("c", 10, nil, "other"))
      assert.equal('[]', call:list("c", 10, "b", "other"))
      assert.equal("1", call:count("c", "other"))
      assert.equal("a=old a", listed())
    end)

    it("of another collection have nothing to do with it", function()
      stored "a"
      call:put("d", "a", "1")
      call:delete("d", "b")
      assert.equal('"old a"', call:get("c", "a"))
      assert.equal("a=old a", listed())
      assert.equal("1", call:count "c")
      assert.equal("1", call:count "d")
    end)

    it("are gone with the call unless they are committed", function()
      call:put("c", "a", "1")
      if kind ~= "memory:" then
        local reader = assert(unit.store.open(folder .. "/store.db", true))
        assert.equal(0, reader:count("s", "c"))
        reader:close()
      end
      assert(call:commit())
      assert.equal("1", call:get("c", "a"))
    end)

    it("are counted once a row", function()
      stored("a", "b", "c")
      call:put("c", "a", "1")
      call:put("c", "new", "1")
      call:put("c", "new", "2")
      call:delete("c", "b")
      call:delete("c", "never there")
      call:put("c", "gone again", "1")
      call:delete("c", "gone again")
      assert.equal("3", call:count "c")
    end)

    it("are listed in the place of their row, new ones last", function()
      stored("a", "b")
      call:put("c", "new", "1")
      call:put("c", "a", "2")
      assert.equal("a=2 b=old b new=1", listed())
    end)

    it("keep the place that a new row had at first when it is written again", function()
      call:put("c", "x", "1")
      call:put("c", "y", "2")
      call:put("c", "x", "3")
      assert.equal("x=3 y=2", listed())
    end)

    it("put a row last that was deleted and written again", function()
      stored("a", "b")
      call:put("c", "x", "1")
      call:delete("c", "a")
      call:put("c", "a", "2")
      call:delete("c", "x")
      call:put("c", "x", "3")
      assert.equal("b=old b a=2 x=3", listed())
    end)

    it("leave deleted rows out of a list without making it shorter", function()
      stored("a", "b", "c", "d", "e")
      call:delete("c", "a")
      call:delete("c", "b")
      call:delete("c", "d")
      assert.equal("c=old c e=old e", listed(2))
      assert.equal("c=old c", listed(1))
    end)

    it("are paged through with limit and after, across stored and new rows", function()
      stored("a", "b", "c")
      call:put("c", "x", "1")
      call:put("c", "y", "2")
      assert.equal("a=old a b=old b", listed(2))
      assert.equal("c=old c x=1", listed(2, "b"))
      assert.equal("y=2", listed(2, "x"))
      assert.equal("", listed(2, "y"))
      assert.equal("x=1 y=2", listed(10, "c"))
    end)

    it("are listed from the start after a key that is not there", function()
      stored "a"
      call:put("c", "x", "1")
      assert.equal("a=old a x=1", listed(10, "nowhere"))
      call:delete("c", "nowhere")
      assert.equal("a=old a x=1", listed(10, "nowhere"))
    end)

    it("let a script delete what it pages through", function()
      stored("a", "b", "c")
      call:put("c", "x", "1")
      call:put("c", "y", "2")
      for _, key in ipairs { "a", "b" } do call:delete("c", key) end
      assert.equal("c=old c x=1", listed(2, "b"))
      for _, key in ipairs { "c", "x" } do call:delete("c", key) end
      assert.equal("y=2", listed(2, "x"))
    end)

    it("show what a commit then leaves, whatever they are", function()
      math.randomseed(20261130)
      for _ = 1, 60 do
        for _ = 1, math.random(12) do
          local key = string.char(96 + math.random(6))
          if math.random(3) == 1 then
            call:delete("c", key)
          else
            call:put("c", key, tostring(math.random(99)))
          end
        end
        local before, counted = listed(), call:count "c"
        assert(call:commit())
        assert.equal(listed(), before)
        assert.equal(call:count "c", counted)
      end
    end)

    it("are as many as a call may make, and not one more", function()
      for i = 1, 1000 do assert(call:put("c", ("%04d"):format(i), "1")) end
      local ok, why = call:put("c", "one more", "1")
      assert.is_nil(ok)
      assert.equal("ctx.store: a call may write at most 1000 times", why)
      assert.is_nil((call:delete("c", "0001")))
      assert.equal("1000", call:count "c")
      assert(call:commit())
      assert.equal("1000", call:count "c")
    end)

    it("are taken up to the bounds of names, keys and values", function()
      local name, key = ("n"):rep(LONGEST.name), ("k"):rep(LONGEST.key)
      local value = '"' .. ("v"):rep(LONGEST.value - 2) .. '"'
      assert(call:put(name, key, value))
      assert.equal(value, call:get(name, key))
      assert(call:commit())
      assert.equal(value, call:get(name, key))
    end)

    it("beyond the bounds are refused before anything is stored", function()
      local NAME = "ctx.store: a collection's name has 1 to 128 bytes of UTF-8 without NUL"
      local KEY = "ctx.store: a key has 1 to 512 bytes of UTF-8 without NUL"
      for _, case in ipairs {
        { "", "k", "1", NAME }, { ("n"):rep(LONGEST.name + 1), "k", "1", NAME },
        { "a\0b", "k", "1", NAME }, { "\xff", "k", "1", NAME },
        { "c", "", "1", KEY }, { "c", ("k"):rep(LONGEST.key + 1), "1", KEY },
        { "c", "a\0b", "1", KEY }, { "c", "\xed\xa0\x80", "1", KEY },
        { "c", "k", ("9"):rep(LONGEST.value + 1),
          "ctx.store: a value has at most 256 KiB as JSON, not 262145 bytes" },
      } do
        local ok, why = call:put(case[1], case[2], case[3])
        assert.is_nil(ok)
        assert.equal(case[4], why)
      end
      assert.equal("0", call:count "c")
    end)

    it("are read within the same bounds", function()
      for _, read in ipairs {
        { call:get("", "k") }, { call:get("c", "") }, { call:get("c", "a\0b") },
        { call:count "" }, { call:list("\xff", 1) }, { call:list("c", 1, ("k"):rep(513)) },
      } do
        assert.is_nil(read[1])
        assert.matches("^ctx.store: a .+ bytes of UTF%-8 without NUL$", read[2])
      end
      for _, limit in ipairs { 0, -1, 1001 } do
        local rows, why = call:list("c", limit)
        assert.is_nil(rows)
        assert.equal("ctx.store:list: limit must be 1 to 1000", why)
      end
    end)
  end)
end
