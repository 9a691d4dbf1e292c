local shell = require "support.shell"
local unit = require "unit"

local list = unit.store_list

describe("the printed list of a collection", function()
  local folder, remove, path, host

  before_each(function()
    folder, remove = shell.folder()
    path = folder .. "/store.db"
    host = assert(unit.store.open(path))
  end)

  after_each(function()
    host:close()
    remove()
  end)

  -- Puts rows of these keys, as a host that is running would.
  local function put(...)
    local writes = {}
    for i, key in ipairs { ... } do writes[i] = { "s", "c", key, ('{"n":%d}'):format(i) } end
    assert(host:commit(writes))
  end

  -- Puts `n` rows with keys 0001, 0002, …
  local function fill(n)
    local keys = {}
    for i = 1, n do keys[i] = ("%04d"):format(i) end
    put(table.unpack(keys))
  end

  it("has a line of JSON a row, in the order of their first writing", function()
    put("z", 'a "quoted"\n', "日本")
    assert.equal('{"key":"z","value":{"n":1}}\n{"key":"a \\"quoted\\"\\n","value":{"n":2}}\n'
      .. '{"key":"日本","value":{"n":3}}\n', (list.print(path, "s", "c")))
  end)

  describe("of which there are no rows", function()
    -- Returns the note, for an empty list that is no failure.
    local function note_of(script, collection)
      local text, why, note = list.print(path, script, collection)
      assert.same({ "" }, { text, why })
      return note
    end

    before_each(function()
      assert(host:commit { { "weather", "places", "k", "1" }, { "weather", "alerts", "k", "1" },
        { "notes", "texts", "k", "1" } })
    end)

    it("comes with the collection that was probably meant", function()
      assert.equal("weather has no rows in 'place' (did you mean 'places'?)",
        note_of("weather", "place"))
    end)

    it("comes with the collections that the script has, if none is near", function()
      assert.equal("weather has no rows in 'bookings' (it has rows in: alerts, places)",
        note_of("weather", "bookings"))
    end)

    it("comes with the script that was probably meant", function()
      assert.equal("no rows of a script 'wether' (did you mean 'weather'?)",
        note_of("wether", "places"))
    end)

    it("comes with the scripts that have rows, if none is near", function()
      assert.equal("no rows of a script 'book_meeting' (there are rows of: notes, weather)",
        note_of("book_meeting", "bookings"))
    end)

    it("comes with no more than twenty names", function()
      for i = 1, 25 do
        assert(host:commit { { "many", ("collection number %02d"):format(i), "k", "1" } })
      end
      local note = note_of("many", "x")
      assert.truthy(note:find("number 20, …)", 1, true), note)
      assert.is_nil(note:find("number 21", 1, true))
    end)
  end)

  it("says so where the store has no rows at all", function()
    local _, _, note = list.print(path, "s", "c")
    assert.equal("the store has no rows at all yet", note)
  end)

  it("has no note where it has rows", function()
    put "k"
    assert.is_nil((select(3, list.print(path, "s", "c"))))
  end)

  for _, n in ipairs { 99, 100, 101, 200, 250 } do
    it(("holds all of %d rows, each once"):format(n), function()
      fill(n)
      local text, why = list.print(path, "s", "c")
      assert.is_nil(why)
      local i = 0
      for key in text:gmatch '"key":"(%d+)"' do
        i = i + 1
        assert.equal(("%04d"):format(i), key)
      end
      assert.equal(n, i)
    end)
  end

  it("holds no lock while a page is being taken: the host goes on writing", function()
    fill(150)
    local pages = 0
    local text = list.print(path, "s", "c", function()
      pages = pages + 1
      put("written meanwhile " .. pages)
      return 0
    end)
    assert.equal(2, pages)
    assert.truthy(text:find("written meanwhile 1", 1, true))
    assert.is_nil(text:find("written meanwhile 2", 1, true))
  end)

  it("says that it is not complete when the row it had come to is deleted", function()
    fill(150)
    local text, why = list.print(path, "s", "c", function()
      assert(host:commit { { "s", "c", "0100" } })
      return 0
    end)
    assert.equal(100, select(2, text:gsub("\n", "\n")))
    assert.equal("a row was deleted while the list was being read, so it is not complete; run it "
      .. "again", why)
  end)

  it("ends without an error when its reader goes away", function()
    fill(150)
    local text, why = list.print(path, "s", "c", function() return list.EPIPE end)
    assert.is_nil(why)
    assert.equal("", text)
  end)

  it("ends with an error when it cannot be written", function()
    fill(1)
    local _, why = list.print(path, "s", "c", function() return list.ENOSPC end)
    assert.equal("cannot write the list: No space left on device", why)
  end)

  it("is refused where there is no store, and makes none", function()
    local text, why = list.print(folder .. "/other.db", "s", "c")
    assert.equal("", text)
    assert.truthy(why:find(folder .. "/other.db", 1, true))
    assert.is_nil(io.open(folder .. "/other.db"))
  end)

  it("is refused for a store in memory, which nobody else can see", function()
    local _, why = list.print("memory:", "s", "c")
    assert.matches("memory:", why)
  end)

  it("is refused for names that no script and no collection can have", function()
    local _, why = list.print(path, "", "c")
    assert.equal("the script name is empty", why)
    _, why = list.print(path, "s", ("c"):rep(129))
    assert.matches("the collection name is 129 bytes long", why)
  end)
end)
