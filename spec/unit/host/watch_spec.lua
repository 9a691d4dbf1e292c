local lfs = require "lfs"
local script = require "support.script"
local unit = require "unit"

local LONG_MS = 10000
local QUIET_MS = 150 -- longer than a change is waited with

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text or "")
  file:close()
end

describe("the wait after a change", function()
  it("begins again with every event, up to a limit from the first one", function()
    assert.equal(50, unit.watch.wait_ms(1000, 1000))
    assert.equal(50, unit.watch.wait_ms(1000, 1449))
    assert.equal(50, unit.watch.wait_ms(1000, 1450))
    assert.equal(49, unit.watch.wait_ms(1000, 1451))
    assert.equal(0, unit.watch.wait_ms(1000, 1500))
    assert.equal(0, unit.watch.wait_ms(1000, 9999))
  end)
end)

describe("what is watched", function()
  it("is what may be loaded", function()
    for _, name in ipairs { "x.lua", "a-b.lua", "host.lua", "x.y.lua" } do
      assert.is_true(unit.watch.concerns(name, false), name)
      assert.is_true(unit.watch.concerns(name, true), name)
    end
    for _, name in ipairs { "", ".lua", ".x.lua", "x.lua~", "x.lua.swp", "x.txt", "#x.lua#" } do
      assert.is_false(unit.watch.concerns(name, false), name)
      assert.is_false(unit.watch.concerns(name, true), name == "" and "" or nil)
    end
  end)

  it("is lib in the scripts folder, and any folder of modules in lib", function()
    assert.is_true(unit.watch.concerns("lib", false))
    assert.is_false(unit.watch.concerns("examples", false))
    assert.is_true(unit.watch.concerns("text", true))
    assert.is_false(unit.watch.concerns("not-a-module", true))
  end)
end)

describe("a watch", function()
  local folder, root, watch, seen

  -- True if the watch tells of a change since the last time.
  local function told(ms)
    local changes = watch:turn(ms or LONG_MS)
    local more = changes > seen
    seen = changes
    return more
  end

  local function start(scripts, config)
    seen = 0
    watch = unit.watch.new(scripts or folder, config or folder .. "/host.lua")
  end

  before_each(function()
    folder = script.folder { ["x.lua"] = "", ["lib/a.lua"] = "", ["lib/in/b.lua"] = "" }
    root = folder:match "^(.*)/"
  end)

  after_each(function()
    if watch then watch:close() end
    watch = nil
    script.clean()
  end)

  it("tells of a script that is changed, made, renamed into place and deleted", function()
    start()
    write(folder .. "/x.lua", "changed")
    assert.is_true(told())
    write(folder .. "/new.lua")
    assert.is_true(told())
    write(root .. "/part", "whole")
    os.rename(root .. "/part", folder .. "/x.lua")
    assert.is_true(told())
    os.remove(folder .. "/new.lua")
    assert.is_true(told())
  end)

  it("tells once of what happens in one go", function()
    start()
    for i = 1, 20 do write(folder .. "/x.lua", tostring(i)) end
    assert.is_true(told())
    assert.is_false(told(QUIET_MS))
    assert.equal(1, seen)
  end)

  it("tells of modules, in new folders too", function()
    start()
    write(folder .. "/lib/in/b.lua", "changed")
    assert.is_true(told())
    lfs.mkdir(folder .. "/lib/fresh")
    assert.is_true(told())
    write(folder .. "/lib/fresh/c.lua")
    assert.is_true(told())
    os.remove(folder .. "/lib/fresh/c.lua")
    assert.is_true(told())
  end)

  it("tells of a lib/ that is made after the start", function()
    os.remove(folder .. "/lib/in/b.lua")
    os.remove(folder .. "/lib/in")
    os.remove(folder .. "/lib/a.lua")
    assert(os.remove(folder .. "/lib"))
    start()
    lfs.mkdir(folder .. "/lib")
    assert.is_true(told())
    write(folder .. "/lib/a.lua")
    assert.is_true(told())
  end)

  it("is silent about what is not loaded", function()
    start()
    write(folder .. "/notes.txt")
    write(folder .. "/.x.lua.swp")
    write(folder .. "/lib/log")
    write(root .. "/elsewhere.lua")
    lfs.mkdir(folder .. "/examples")
    assert.is_false(told(QUIET_MS))
  end)

  it("tells of a scripts folder that is replaced, and of what changes in the new one", function()
    start()
    os.rename(folder, root .. "/old")
    lfs.mkdir(folder)
    assert.is_true(told())
    write(folder .. "/y.lua")
    assert.is_true(told())
    write(root .. "/old/x.lua", "changed")
    assert.is_false(told(QUIET_MS))
  end)

  it("follows a link that is swapped, wherever it is in the path", function()
    lfs.mkdir(root .. "/one")
    lfs.mkdir(root .. "/two")
    lfs.mkdir(root .. "/two/scripts")
    os.rename(folder, root .. "/one/scripts")
    lfs.link("one", root .. "/current", true)
    start(root .. "/current/scripts", root .. "/host.lua")
    lfs.link("two", root .. "/next", true)
    os.rename(root .. "/next", root .. "/current")
    assert.is_true(told())
    write(root .. "/two/scripts/x.lua")
    assert.is_true(told())
    write(root .. "/one/scripts/x.lua", "changed")
    assert.is_false(told(QUIET_MS))
  end)

  it("tells of a script that is a link when it leads to something new", function()
    lfs.mkdir(folder .. "/..2024")
    write(folder .. "/..2024/z.lua")
    lfs.link("..2024", folder .. "/..data", true)
    lfs.link("..data/z.lua", folder .. "/z.lua", true)
    start()
    write(folder .. "/..2024/z.lua", "edited in place")
    assert.is_true(told())
    lfs.mkdir(folder .. "/..2025")
    write(folder .. "/..2025/z.lua", "other")
    assert.is_false(told(QUIET_MS))
    lfs.link("..2025", folder .. "/..next", true)
    os.rename(folder .. "/..next", folder .. "/..data")
    assert.is_true(told())
  end)

  it("tells of the settings' file, wherever it is", function()
    start(folder, root .. "/settings.conf")
    write(root .. "/settings.conf", "return {}")
    assert.is_true(told())
  end)

  it("does not lose itself in folders that lead into themselves", function()
    lfs.link(".", folder .. "/lib/round", true)
    start()
    write(folder .. "/x.lua", "changed")
    assert.is_true(told())
  end)
end)
