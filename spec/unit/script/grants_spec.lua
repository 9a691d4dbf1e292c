-- What a grant covers, and what is told where none does.

local script = require "support.script"
local unit = require "unit"

local GRANTS = [[{
  "weather": { "env": ["WEATHER_KEY"], "read": ["data"],
    "store": { "book_meeting": { "bookings": "read", "rooms": "write" } } }
}]]

describe("a use", function()
  local folder

  before_each(function()
    folder = script.folder {
      ["weather.lua"] = "", ["book_meeting.lua"] = "", ["odd-name.lua"] = "", ["data/a"] = "",
    }
  end)

  after_each(script.clean)

  local function find(use, grants)
    use.script = use.script or "weather"
    if grants == nil then grants = GRANTS end
    return unit.grants.find(grants or nil, folder, use)
  end

  local function assert_refused(why, use, grants)
    local grant, reason = find(use, grants)
    assert.is_nil(grant)
    assert.equal(why, reason)
  end

  it("is allowed by a grant of just that", function()
    assert.equal("WEATHER_KEY", find { kind = "env", name = "WEATHER_KEY" })
    assert.equal("data", find { kind = "read", name = "data/a" })
    assert.equal("data", find { kind = "read", name = "data/deep/a" })
    for _, use in ipairs {
      { name = "bookings" }, { name = "rooms" }, { name = "rooms", write = true },
    } do
      use.kind, use.owner = "store", "book_meeting"
      assert.equal(use.name, find(use))
    end
  end)

  it("of a callback is granted as such", function()
    local use = { kind = "callback", name = "" }
    assert.equal("", find(use, '{"weather":{"callback":true}}'))
    local why = "weather may not have a browser call back; add to host.lua: grants = { weather = "
      .. "{ callback = true } }"
    assert_refused(why, use)
    assert_refused(why, use, '{"weather":{"callback":false}}')
  end)

  it("without a grant is told the line that would allow it", function()
    local ADD = "; add to host.lua: grants = { weather = { "
    assert_refused("weather may not read the environment variable OTHER" .. ADD
      .. 'env = { "OTHER" } } }', { kind = "env", name = "OTHER" })
    assert_refused("weather may not read the file secret/deep/a" .. ADD
      .. 'read = { "secret/deep" } } }', { kind = "read", name = "secret/deep/a" })
    assert_refused("weather may not read the collection x of book_meeting" .. ADD
      .. 'store = { book_meeting = { "x" } } } }',
      { kind = "store", owner = "book_meeting", name = "x" })
    assert_refused("weather may not write to the collection bookings of book_meeting" .. ADD
      .. 'store = { book_meeting = { bookings = "write" } } } }',
      { kind = "store", owner = "book_meeting", name = "bookings", write = true })
  end)

  it("is told a line that Lua can read, whatever the names", function()
    assert_refused('odd-name may not write to the collection a b of 1; add to host.lua: grants = { '
      .. '["odd-name"] = { store = { ["1"] = { ["a b"] = "write" } } } }',
      { script = "odd-name", kind = "store", owner = "1", name = "a b", write = true })
  end)

  it("is not allowed by the grant of another script, or where there are none", function()
    for _, grants in ipairs { GRANTS, "{}", false } do
      assert_refused("book_meeting may not read the environment variable WEATHER_KEY; add to "
        .. 'host.lua: grants = { book_meeting = { env = { "WEATHER_KEY" } } }',
        { script = "book_meeting", kind = "env", name = "WEATHER_KEY" }, grants)
    end
  end)

  it("is not allowed by a grant that only begins like it", function()
    for _, use in ipairs {
      { kind = "env", name = "WEATHER_KEY2" }, { kind = "env", name = "WEATHER" },
      { kind = "read", name = "data2/a" }, { kind = "read", name = "data" },
      { kind = "read", name = "data/" },
      { kind = "store", owner = "book_meeting", name = "booking" },
      { kind = "store", owner = "weather2", name = "bookings" },
      { kind = "env", name = "data/a" },
    } do
      assert.is_nil((find(use)), use.name)
    end
  end)

  it("of a file in no folder is told that only folders are granted", function()
    assert_refused("weather may not read the file host.lua; only files in folders of the scripts "
      .. "folder can be granted, such as data/notes.txt", { kind = "read", name = "host.lua" })
  end)
end)
