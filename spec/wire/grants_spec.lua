-- What scripts reach beyond their own rows: what host.lua grants them, and nothing else.

local modern = require "support.modern"
local process = require "support.process"
local shell = require "support.shell"
local store = require "support.store"

local TOOL = [[
local mcp = require "mcp"
mcp.tool { inputSchema = { type = "object" }, handler = function(args, ctx)
  local store = args.of and ctx.store:of(args.of) or ctx.store
  if args.env then return tostring(ctx:env(args.env)) end
  if args.read then return tostring(ctx:read(args.read)) end
  if args.put then
    store:put("rows", args.put, args.value or 1)
    ctx.store:put("rows", args.put, "mine")
    if args.fail then return nil, "failed" end
    return store:get("rows", args.put) .. " of " .. store:count "rows"
  end
  if args.get then return tostring(store:get("rows", args.get)) end
end }
]]

local GRANTS = [[return { grants = {
  weather = { env = { "WEATHER_KEY", "UNSET" }, read = { "data" },
    store = { notes = { rows = "write" }, closed = { "rows" } } },
} }
]]

for _, kind in ipairs { "file", "memory:" } do
  describe("over the store " .. kind .. ", a script", function()
    local host, folder, remove

    setup(function()
      folder, remove = shell.folder()
      local scripts = folder .. "/scripts"
      shell.capture { "mkdir", "-p", scripts .. "/data/towns", folder .. "/outside" }
      for _, name in ipairs { "weather", "other", "notes", "closed" } do
        shell.write(("%s/%s.lua"):format(scripts, name), TOOL)
      end
      shell.write(scripts .. "/host.lua", GRANTS)
      shell.write(scripts .. "/data/towns/a.txt", "Aachen")
      shell.write(folder .. "/outside/secret", "secret")
      shell.capture { "ln", "-s", "../../outside", scripts .. "/data/out" }
      host = process.start {
        scripts = scripts,
        store = kind ~= "file" and kind or nil,
        env = { WEATHER_KEY = "k\u{e9}y", OTHER = "not for scripts" },
      }
    end)

    teardown(function()
      process.close(host)
      remove()
    end)

    local function call(name, arguments)
      return modern.connect(host):ask(name, arguments)
    end

    -- Asserts that a call fails, with the reason in the log and not in its reply.
    local function assert_denied(why, name, arguments)
      local reply = call(name, arguments)
      assert.is_true(reply.is_error)
      local reference = reply.text:match("^" .. name .. " failed %(reference (%x+)%)")
      assert.is_string(reference, reply.text)
      local line = host:stderr():match("[^\n]*reference " .. reference .. "[^\n]*")
      assert.truthy(line:find(why, 1, true), line)
    end

    it("reads the variables that it was granted, set or not", function()
      assert.equal("k\u{e9}y", call("weather", { env = "WEATHER_KEY" }).text)
      assert.equal("nil", call("weather", { env = "UNSET" }).text)
    end)

    it("reads no other variable, and no other script reads its own", function()
      assert_denied("scripts/weather.lua:4: weather may not read the environment variable OTHER; "
        .. 'add to host.lua: grants = { weather = { env = { "OTHER" } } }',
        "weather", { env = "OTHER" })
      assert_denied('grants = { other = { env = { "WEATHER_KEY" } } }', "other",
        { env = "WEATHER_KEY" })
    end)

    it("reads the files of a folder that it was granted", function()
      assert.equal("Aachen", call("weather", { read = "data/towns/a.txt" }).text)
      assert.equal("nil", call("weather", { read = "data/towns/b.txt" }).text)
    end)

    it("reads no other file, and leaves the folder by no link", function()
      assert_denied('grants = { other = { read = { "data/towns" } } }', "other",
        { read = "data/towns/a.txt" })
      assert_denied("weather may not read the file host.lua", "weather", { read = "host.lua" })
      assert_denied("weather may not read the file /etc/passwd", "weather",
        { read = "/etc/passwd" })
      for _, path in ipairs {
        "data/out/secret", "data/../host.lua", "data/../../outside/secret",
      } do
        local reply = call("weather", { read = path })
        assert.is_true(reply.is_error)
        assert.equal("ctx:read: " .. path .. " leads out of the folder that was granted",
          reply.text)
      end
    end)

    it("writes into another's collection in one transaction with its own", function()
      call("notes", { put = "theirs" })
      local reply = call("weather", { of = "notes", put = "a", value = 7 })
      assert.equal("7 of 2", reply.text)
      assert.equal("7", call("notes", { get = "a" }).text)
      assert.equal("mine", call("weather", { get = "a" }).text)
      assert.is_true(call("weather", { of = "notes", put = "b", fail = true }).is_error)
      assert.equal("nil", call("notes", { get = "b" }).text)
      assert.equal("nil", call("weather", { get = "b" }).text)
      if kind == "file" then assert.equal(2, #store.rows(host, "notes", "rows")) end
    end)

    it("writes to no collection that it may only read, or not use at all", function()
      call("closed", { put = "a" })
      assert.equal("mine", call("weather", { of = "closed", get = "a" }).text)
      assert_denied("weather may not write to the collection rows of closed; add to host.lua: "
        .. 'grants = { weather = { store = { closed = { rows = "write" } } } }', "weather",
        { of = "closed", put = "a" })
      assert.equal("mine", call("closed", { get = "a" }).text)
      assert_denied("notes may not read the collection rows of weather; add to host.lua: grants = "
        .. '{ notes = { store = { weather = { "rows" } } } }', "notes",
        { of = "weather", get = "a" })
    end)
  end)
end
