local shell = require "support.shell"
local unit = require "unit"

local KEY = ("A"):rep(43)
local LOCAL_ORIGINS = { "http://localhost:3000", "http://127.0.0.1:3000" }

-- The keys whose value is a number, with the least that is allowed and the default.
local COUNTS = {
  answer_timeout = { 1, 600 }, body_limit = { 1024, 4 * 1024 * 1024 }, call_timeout = { 1, 30 },
  calls = { 1, 1024 }, connections = { 1, 4096 }, list_ttl = { 0, 0 },
  parked_calls = { 1, 10000 }, rounds = { 1, 8 }, session_idle = { 1, 1800 },
  sessions = { 1, 10000 }, state_ttl = { 1, 600 }, task_ttl = { 1, 3600 }, vm_cpu = { 1, 1000 },
  vm_memory = { 1024 * 1024, 64 * 1024 * 1024 },
}
local TEXTS = { "instructions", "name", "store", "version" }
local LISTS = { "allowed_hosts", "allowed_origins", "state_keys" }

describe("the settings", function()
  local folder, remove

  before_each(function()
    folder, remove = shell.folder()
    unit.store.set_env("MCP_ALLOWED_ORIGINS", nil)
  end)

  after_each(function()
    unit.store.set_env("MCP_ALLOWED_ORIGINS", nil)
    remove()
  end)

  -- Reads the settings with `inside` as the inside of host.lua's table (nil: no such file).
  local function read(inside, flags)
    if inside then shell.write(folder .. "/host.lua", ("return { %s }\n"):format(inside)) end
    local all = { scripts = folder }
    for flag, value in pairs(flags or {}) do all[flag] = value end
    return unit.config.read(all)
  end

  -- Asserts that they are refused with `why`, behind the name of the file and its line.
  local function assert_refused(why, inside)
    local settings, reason = read(inside)
    assert.is_nil(settings)
    assert.equal(folder .. "/host.lua:1: " .. why, reason)
  end

  it("have a default for everything but the store", function()
    local s = assert(read())
    assert.equal("lunask", s.name)
    assert.is_string(s.version)
    assert.is_nil(s.instructions)
    assert.equal(folder, s.scripts)
    assert.same({ "127.0.0.1", 3000 }, { s.listen_host, s.listen_port })
    assert.is_nil(s.store)
    assert.is_false(s.allow_unauthenticated)
    assert.same(LOCAL_ORIGINS, s.allowed_origins)
    assert.is_nil(s.allowed_hosts)
    assert.equal(0, s.state_keys)
    for key, bounds in pairs(COUNTS) do assert.equal(bounds[2], s[key], key) end
  end)

  it("look for the scripts in the folder of that name", function()
    assert.equal("scripts", assert(unit.config.read {}).scripts)
  end)

  it("are the defaults where the file sets nothing", function()
    assert.same(assert(read()), assert(read ""))
  end)

  it("are what the file says, each of them", function()
    local s = assert(read(([[
      allow_unauthenticated = true, allowed_hosts = { "mcp.example.com", "a:80" },
      allowed_origins = { "https://app.example", "HTTP://B.example:80/x" }, answer_timeout = 1,
      body_limit = 1024, call_timeout = 2, calls = 3, connections = 4, instructions = "Ask.",
      list_ttl = 5, listen = "0.0.0.0:81", name = "n", parked_calls = 6, rounds = 7,
      session_idle = 8, sessions = 9, state_keys = { "%s", "%s" }, state_ttl = 10,
      store = "memory:", task_ttl = 12, version = "v", vm_cpu = 11, vm_memory = 1048576]])
      :format(KEY, KEY)))
    assert.same({
      allow_unauthenticated = true, allowed_hosts = { "mcp.example.com", "a:80" },
      allowed_origins = { "https://app.example", "http://b.example" }, answer_timeout = 1,
      body_limit = 1024, call_timeout = 2, calls = 3, connections = 4, instructions = "Ask.",
      list_ttl = 5, listen_host = "0.0.0.0", listen_port = 81, name = "n", parked_calls = 6,
      rounds = 7, session_idle = 8, sessions = 9, state_keys = 2, state_ttl = 10,
      store = "memory:", task_ttl = 12, version = "v", vm_cpu = 11, vm_memory = 1048576,
      scripts = folder,
    }, s)
  end)

  for key, bounds in pairs(COUNTS) do
    it(("take a whole number within bounds for %s, and nothing else"):format(key), function()
      local least = bounds[1]
      local most = (1 << 31) - 1
      for _, value in ipairs { least, least + 1, most } do
        assert.equal(value, assert(read(("%s = %d"):format(key, value)))[key])
      end
      local why = ("%s must be a whole number from %d to %d"):format(key, least, most)
      for _, value in ipairs { least - 1, -5, "1.5", '"30"', "true", "{}", "1e300", most + 1,
        math.maxinteger } do
        assert_refused(why, key .. " = " .. value)
      end
    end)
  end

  for _, key in ipairs(TEXTS) do
    it(("take a string for %s, and nothing else"):format(key), function()
      for _, value in ipairs { "7", "true", "{}" } do
        assert_refused(key .. " must be a string", key .. " = " .. value)
      end
    end)
  end

  for _, key in ipairs(LISTS) do
    it(("take a list of strings for %s, and nothing else"):format(key), function()
      for _, value in ipairs { "7", '"x"', "true", "{ 7 }", '{ "a", false }', "{ a = 'b' }" } do
        assert_refused(key .. " must be a list of strings", key .. " = " .. value)
      end
    end)
  end

  it("take true or false for allow_unauthenticated, and nothing else", function()
    for _, value in ipairs { "1", '"true"', "{}" } do
      assert_refused("allow_unauthenticated must be true or false",
        "allow_unauthenticated = " .. value)
    end
    assert.is_false(assert(read "allow_unauthenticated = false").allow_unauthenticated)
  end)

  it("take an address for listen, and nothing else", function()
    for _, value in ipairs { "3000", "{}", "true" } do
      assert_refused('listen must be a string, "HOST:PORT"', "listen = " .. value)
    end
    assert_refused("listen: 'localhost' is not HOST:PORT (such as 127.0.0.1:3000 or "
      .. "[::1]:3000)", 'listen = "localhost"')
  end)

  for wrong, right in pairs { call_timout = "call_timeout", Name = "name", origins = false,
    listenn = "listen", allowed_origin = "allowed_origins" } do
    it(("know no %s, and what was probably meant"):format(wrong), function()
      local known = right and ("did you mean '%s'?"):format(right)
        or "the README lists the known ones"
      assert_refused(("unknown key '%s' (%s)"):format(wrong, known), wrong .. " = 1")
    end)
  end

  it("are a table with names: a list is refused", function()
    local settings, why = read '"name"'
    assert.is_nil(settings)
    assert.matches("host%.lua: must return a table of settings", why)
  end)

  it("refuse every browser when allowed_origins is empty", function()
    assert.same({}, assert(read "allowed_origins = {}").allowed_origins)
    assert.same({}, assert(read "allowed_origins = { '' }").allowed_origins)
  end)

  it("name a bad key of state_keys by its place, never by its text", function()
    local _, why = read(('state_keys = { "%s", "secret" }'):format(KEY))
    assert.matches("host%.lua:1: state_keys: key 2 is not 43 characters", why)
    assert.is_nil(why:find("secret", 1, true))
  end)

  it("read the grants of the scripts in their folder, and tell a mistake with its key", function()
    shell.write(folder .. "/weather.lua", "")
    assert(read 'grants = { weather = { env = { "A" } } }')
    assert_refused("grants.weather: unknown kind of grant 'en' (did you mean 'env'?)",
      'grants = { weather = { en = { "A" } } }')
    assert_refused(("grants: there is no script 'wether' in %s (did you mean 'weather'?)")
      :format(folder), 'grants = { wether = { env = { "A" } } }')
  end)

  it("need a key in state_keys once it is set", function()
    local settings, why = read "state_keys = {}"
    assert.is_nil(settings)
    assert.matches("host%.lua:1: state_keys: ", why)
  end)

  it("of the flags override those of the file", function()
    local s = assert(read([[store = "memory:", listen = "127.0.0.1:81",
      allowed_origins = { "https://file.example" }]],
      { store = "/flag.db", listen = "[::1]:82", allowed_origins = "https://flag.example" }))
    assert.equal("/flag.db", s.store)
    assert.same({ "::1", 82 }, { s.listen_host, s.listen_port })
    assert.same({ "https://flag.example" }, s.allowed_origins)
  end)

  it("of the environment override the file, and flags override both", function()
    unit.store.set_env("MCP_ALLOWED_ORIGINS", "https://env.example, https://two.example")
    local file = 'allowed_origins = { "https://file.example" }'
    assert.same({ "https://env.example", "https://two.example" },
      assert(read(file)).allowed_origins)
    assert.same({ "https://flag.example" },
      assert(read(file, { allowed_origins = "https://flag.example" })).allowed_origins)
  end)

  it("of the environment count for nothing when they are blank", function()
    for _, blank in ipairs { "", "  \t" } do
      unit.store.set_env("MCP_ALLOWED_ORIGINS", blank)
      assert.same({ "https://file.example" },
        assert(read('allowed_origins = { "https://file.example" }')).allowed_origins)
    end
  end)

  it("of a blank flag count for nothing", function()
    assert.same({}, assert(read("allowed_origins = {}", { allowed_origins = " " })).allowed_origins)
  end)

  it("of the environment that are all junk allow nobody", function()
    unit.store.set_env("MCP_ALLOWED_ORIGINS", "null, nonsense")
    assert.same({}, assert(read()).allowed_origins)
  end)

  it("refuse to listen beyond this machine unless that is said to be meant", function()
    for _, where in ipairs { "0.0.0.0:3000", "[::]:3000", "127.example.com:3000" } do
      local settings, why = read("", { listen = where })
      assert.is_nil(settings)
      assert.matches("^refusing to listen on ", why)
      assert.matches("allow_unauthenticated = true", why)
      assert.is_table(read("allow_unauthenticated = true", { listen = where }))
    end
    assert.is_nil((read 'listen = "0.0.0.0:3000"'))
  end)

  it("are refused on the line of the key, if the text tells which it is", function()
    for text, place in pairs {
      ["return {\n  name = 'n',\n  calls = 0,\n}"] = ":3: calls must be a whole number",
      ["return {\n  ['colls'] = 1,\n}"] = ":2: unknown key 'colls' (did you mean 'calls'?)",
      ["local t = {}\nt.calls = 0\nreturn t"] = ": calls must be a whole number",
      ["return {\n  grants = {\n nobody = {} } }"] = ":2: grants: there is no script 'nobody'",
    } do
      shell.write(folder .. "/host.lua", text)
      local _, reason = unit.config.read { scripts = folder }
      assert.equal(folder .. "/host.lua" .. place, reason:sub(1, #folder + 9 + #place))
    end
  end)

  it("do not mind where a host would listen that nobody connects to", function()
    assert.is_table(read('listen = "0.0.0.0:3000"', { piped = "yes" }))
  end)

  it("may come from another file", function()
    shell.write(folder .. "/other.lua", 'return { name = "other" }')
    local s = assert(read('name = "host"', { config = folder .. "/other.lua" }))
    assert.equal("other", s.name)
    shell.write(folder .. "/other.lua", "return { nam = 1 }")
    local _, why = read(nil, { config = folder .. "/other.lua" })
    assert.equal(folder .. "/other.lua:1: unknown key 'nam' (did you mean 'name'?)", why)
  end)

  it("are refused when the named file is not there", function()
    local settings, why = read(nil, { config = folder .. "/missing.lua" })
    assert.is_nil(settings)
    assert.matches("missing%.lua", why)
    assert.matches("No such file", why)
  end)

  it("are refused when host.lua is there and can't be read", function()
    shell.capture { "mkdir", folder .. "/host.lua" }
    local settings, why = read()
    assert.is_nil(settings)
    assert.matches("host%.lua", why)
  end)

  it("are refused when host.lua leads nowhere, rather than left at the defaults", function()
    shell.capture { "ln", "-s", folder .. "/nowhere", folder .. "/host.lua" }
    local settings, why = read()
    assert.is_nil(settings)
    assert.matches("host%.lua", why)
  end)

  it("are refused when the file does not parse, with its line", function()
    shell.write(folder .. "/host.lua", "return {\n  name = = 1 }\n")
    local settings, why = unit.config.read { scripts = folder }
    assert.is_nil(settings)
    assert.matches("host%.lua:2:", why)
  end)

  it("have an address for browsers, a URL and no more", function()
    for _, text in ipairs {
      "mcp.example.com", "ftp://a.example", "https://", "https://a.example/?b", "", "/",
      "https://a.example/#b", "https://user@a.example", "https://a b.example",
    } do
      assert_refused('public_url must be a URL, such as "https://mcp.example.com"',
        ("public_url = %q"):format(text))
    end
    assert(read 'public_url = "https://mcp.example.com/below/"')
  end)

  it("need that address where a script may be called back", function()
    shell.write(folder .. "/weather.lua", "")
    local grants = "grants = { weather = { callback = true } }"
    local settings, reason = read(grants)
    assert.is_nil(settings)
    assert.matches("grants%.weather%.callback: browsers have no address of this host; add: "
      .. 'public_url = "https://the%.name%.they%.know%.it%.by"$', reason)
    assert(read(grants .. ', public_url = "http://127.0.0.1:3000"'))
  end)
end)
