-- The table `grants` of host.lua: what it may hold, and how a mistake in it is told.

local cjson = require "cjson"
local script = require "support.script"
local unit = require "unit"

describe("the table of grants", function()
  local folder

  before_each(function()
    folder = script.folder {
      ["weather.lua"] = "", ["book_meeting.lua"] = "", ["host.lua"] = "",
      ["data/towns/a.csv"] = "a",
    }
  end)

  after_each(script.clean)

  local function read(grants)
    return unit.grants.read(type(grants) == "string" and grants or cjson.encode(grants), folder)
  end

  local function assert_refused(why, grants)
    local list, reason = read(grants)
    assert.is_nil(list)
    assert.equal((why:gsub("FOLDER", function() return folder end)), reason)
  end

  it("gives each script what stands under its name, and nothing else", function()
    assert.same({
      "book_meeting: env A",
      "weather: env WEATHER_KEY", "weather: env _b2",
      "weather: read data", "weather: read data/towns",
      "weather: store book_meeting/bookings (read)", "weather: store book_meeting/rooms (read)",
    }, read [[{"book_meeting":{"env":["A"]},"weather":{"env":["WEATHER_KEY","_b2"],
      "read":["data","data/towns"],"store":{"book_meeting":["bookings","rooms"]}}}]])
  end)

  it("may say of each collection whether it is written to", function()
    assert.same({
      "weather: store book_meeting/a (read)", "weather: store book_meeting/b (write)",
    }, read [[{"weather":{"store":{"book_meeting":{"a":"read","b":"write"}}}}]])
  end)

  it("may be empty on every level", function()
    for _, text in ipairs {
      "{}", '{"weather":{}}', '{"weather":{"env":{},"read":[],"store":{}}}',
      '{"weather":{"store":{"book_meeting":{}}}}',
    } do
      assert.same({}, read(text), text)
    end
  end)

  it("names the nearest script where there is none of that name", function()
    assert_refused("grants: there is no script 'wether' in FOLDER (did you mean 'weather'?)",
      { wether = { env = { "A" } } })
    assert_refused("grants: there is no script 'elsewhere' in FOLDER", { elsewhere = {} })
    assert_refused("grants: there is no script '../weather' in FOLDER", { ["../weather"] = {} })
    assert_refused("grants: there is no script 'host' in FOLDER", { host = {} })
    assert_refused("grants.weather.store: book_meting: there is no script 'book_meting' in FOLDER "
      .. "(did you mean 'book_meeting'?)", { weather = { store = { book_meting = { "a" } } } })
  end)

  it("names the nearest kind where there is none of that name", function()
    assert_refused("grants.weather: unknown kind of grant 'evn' (did you mean 'env'?)",
      { weather = { evn = { "A" } } })
    assert_refused("grants.weather: unknown kind of grant 'everything' (known are callback, env, "
      .. "http, read, store)", { weather = { everything = true } })
  end)

  it("names the key whose value is of another kind", function()
    local LIST = "must be a list of strings"
    assert_refused("grants.weather.callback: must be true or false",
      { weather = { callback = "yes" } })
    assert_refused('grants must be a table, such as { weather = { env = { "WEATHER_KEY" } } }',
      "true")
    assert_refused('grants.weather: must be a table of grants, such as { env = { "NAME" } }',
      '{"weather":["env"]}')
    assert_refused("grants.weather.env: " .. LIST, '{"weather":{"env":"A"}}')
    assert_refused("grants.weather.env: " .. LIST, '{"weather":{"env":{"A":true}}}')
    assert_refused("grants.weather.read: " .. LIST, '{"weather":{"read":[1]}}')
    assert_refused("grants.weather.store: must be a table of scripts and their collections, such "
      .. 'as { book_meeting = { "bookings" } }', '{"weather":{"store":["bookings"]}}')
    assert_refused("grants.weather.store: book_meeting: must be a list of collections, such as { "
      .. '"bookings" } or { bookings = "write" }', '{"weather":{"store":{"book_meeting":"a"}}}')
    for _, access in ipairs { '"rw"', "true", "null" } do
      assert_refused("grants.weather.store: book_meeting: a must be \"read\" or \"write\" (which "
        .. "reads too)", '{"weather":{"store":{"book_meeting":{"a":' .. access .. "}}}}")
    end
    assert_refused("grants.weather.store: book_meeting: a collection's name has 1 to 128 bytes",
      '{"weather":{"store":{"book_meeting":[""]}}}')
    assert_refused("grants.weather.store: weather: its own collections need no grant",
      '{"weather":{"store":{"weather":["a"]}}}')
  end)

  it("refuses what can be no variable's name", function()
    for _, name in ipairs { "", "1A", "A=B", "A B", "É" } do
      assert_refused(("grants.weather.env: '%s' is no name of an environment variable")
        :format(name), { weather = { env = { name } } })
    end
  end)

  it("refuses a folder that is none, or not inside the scripts folder", function()
    for _, name in ipairs {
      "", ".", "..", "/etc", "data/../..", "data/", "./data", "data//towns",
    } do
      assert_refused(("grants.weather.read: '%s' is no folder inside the scripts folder: write it "
        .. 'as "data" or "data/towns", without . and ..'):format(name),
        { weather = { read = { name } } })
    end
    assert_refused("grants.weather.read: there is no folder FOLDER/dta",
      { weather = { read = { "dta" } } })
    assert_refused("grants.weather.read: there is no folder FOLDER/weather.lua",
      { weather = { read = { "weather.lua" } } })
  end)
end)
