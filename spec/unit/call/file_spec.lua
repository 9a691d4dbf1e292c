-- Files in granted folders: what is read of them, and that no path leads out.

local lfs = require "lfs"
local script = require "support.script"
local unit = require "unit"

local MOST = 1024 * 1024

describe("a file of a granted folder", function()
  local folder

  before_each(function()
    folder = script.folder {
      ["data/a.txt"] = "a\0\xff\n", ["data/empty"] = "", ["data/deep/b.txt"] = "b",
      ["secret.txt"] = "secret", ["data2/c.txt"] = "c",
      ["data/full"] = ("x"):rep(MOST), ["data/more"] = ("x"):rep(MOST + 1),
    }
  end)

  after_each(script.clean)

  local function link(to, from)
    assert(lfs.link(to, folder .. "/" .. from, true))
  end

  local function read(path)
    return unit.file.read(folder, "data", path)
  end

  local function assert_refused(why, path)
    local text, reason = read(path)
    assert.is_nil(text)
    assert.equal("ctx:read: " .. why, reason)
  end

  it("is read whole, whatever bytes it has, up to 1 MiB", function()
    assert.equal("a\0\xff\n", read "data/a.txt")
    assert.equal("b", read "data/deep/b.txt")
    assert.same({ "", true }, { read "data/empty" })
    assert.equal(MOST, #read "data/full")
    assert_refused("data/more has 1048577 bytes; a file may have 1048576", "data/more")
  end)

  it("may be missing, which is no mistake", function()
    assert.same({ "", false }, { read "data/none" })
    assert.same({ "", false }, { read "data/none/deeper" })
    assert.same({ "", false }, { read "data/a.txt/deeper" })
  end)

  it("is not outside of it, however the path is written", function()
    for _, path in ipairs {
      "data/../secret.txt", "data/deep/../../secret.txt", "data/../data2/c.txt",
      "data//" .. folder .. "/secret.txt",
    } do
      assert_refused(path .. " leads out of the folder that was granted", path)
    end
    assert_refused("a path has no NUL in it", "data/a.txt\0.csv")
  end)

  it("is not reached through a link that leads out", function()
    link("../secret.txt", "data/relative")
    link(folder .. "/secret.txt", "data/absolute")
    link("..", "data/up")
    link("/", "data/root")
    link("/proc/self/root", "data/magic")
    link("loop", "data/loop")
    for _, path in ipairs {
      "data/relative", "data/absolute", "data/up/secret.txt",
      "data/root" .. folder .. "/secret.txt", "data/magic" .. folder .. "/secret.txt", "data/loop",
    } do
      assert_refused(path .. " leads out of the folder that was granted", path)
    end
  end)

  it("is a regular file, not a folder or a FIFO, and nothing waits for one", function()
    unit.file.fifo(folder .. "/data/fifo")
    for _, path in ipairs { "data/deep", "data/fifo" } do
      assert_refused(path .. " is no file", path)
    end
  end)

  it("is found through a link that stays inside, where the kernel can tell", function()
    link("deep/b.txt", "data/inside")
    local root = folder .. "/data"
    if unit.file.open(root, "inside") ~= "opened" then
      pending "this kernel has no openat2"
      return
    end
    assert.equal("b", read "data/inside")
  end)

  it("that has no read permission is told as such", function()
    os.execute("chmod 0 '" .. folder .. "/data/a.txt'")
    local text, why = read "data/a.txt"
    -- Root may read it all the same.
    assert.is_true(text == "a\0\xff\n"
      or why == "ctx:read: can't read data/a.txt: Permission denied")
  end)

  it("in a folder that has gone is an error", function()
    local text, why = unit.file.read(folder, "gone", "gone/a")
    assert.is_nil(text)
    assert.equal("ctx:read: can't open the folder gone: No such file or directory", why)
  end)
end)

describe("a walk for a kernel without openat2", function()
  local root

  before_each(function()
    root = script.folder { ["data/deep/b.txt"] = "b", ["secret.txt"] = "secret" }
  end)

  after_each(script.clean)

  it("opens what is below", function()
    assert.equal("opened", unit.file.walk(root, "secret.txt"))
    assert.equal("opened", unit.file.walk(root, "data/deep/b.txt"))
    assert.equal("No such file or directory", unit.file.walk(root, "data/none/b.txt"))
    assert.equal("Not a directory", unit.file.walk(root, "secret.txt/x"))
  end)

  it("follows no link, neither first, nor between, nor last", function()
    assert(lfs.link("secret.txt", root .. "/data/last", true))
    assert(lfs.link("deep", root .. "/data/between", true))
    assert(lfs.link("data", root .. "/first", true))
    assert.equal("Too many levels of symbolic links",
      unit.file.walk(root .. "/data", "last"))
    assert.equal("Not a directory", unit.file.walk(root, "data/between/b.txt"))
    assert.equal("Not a directory", unit.file.walk(root, "first/deep/b.txt"))
  end)

  it("goes neither up, nor to the top, nor nowhere", function()
    for _, path in ipairs {
      "..", "../secret.txt", "deep/../../secret.txt", "/etc/passwd", "deep//b.txt", "./deep/b.txt",
      "deep/", "",
    } do
      assert.not_equal("opened", unit.file.walk(root .. "/data", path), path)
    end
  end)
end)
