local lfs = require "lfs"
local shell = require "support.shell"
local store = require("unit").store
local stores = require "support.stores"

local open, sql = stores.open, stores.sql

describe("a store in an SQLite file", function()
  local path, folder

  before_each(function()
    folder = stores.set_up()
    path = folder .. "/store.db"
  end)
  after_each(stores.tear_down)

  local function refused(where, pattern, read_only)
    local s, why = open(where, read_only)
    assert.is_nil(s)
    assert.matches(pattern, why)
    assert.is_truthy(why:find(where, 1, true), "the error does not name " .. where)
  end

  local function filled()
    local s = assert(open(path))
    assert(s:commit { { "s", "c", "a", "1" }, { "s", "c", "b", "2" } })
    return s
  end

  it("blocks", function()
    assert.is_true(assert(open(path)):blocking())
  end)

  it("keeps its rows and their order over closing", function()
    filled():close()
    assert.same({ "a=1", "b=2" }, assert(open(path)):list("s", "c"))
  end)

  it("makes the file and the folders above it for its user alone", function()
    local deep = folder .. "/new//deep/store.db"
    assert(assert(open(deep)):commit { { "s", "c", "a", "1" } })
    assert.equal("600", store.mode(deep))
    assert.equal("600", store.mode(deep .. "-wal"))
    assert.equal("700", store.mode(folder .. "/new"))
    assert.equal("700", store.mode(folder .. "/new/deep"))
  end)

  it("is in WAL mode", function()
    filled():close()
    assert.equal("wal", sql(path, "PRAGMA journal_mode"))
  end)

  it("names its version in the file", function()
    filled():close()
    assert.equal("1", sql(path, "PRAGMA user_version"))
    assert.equal(tostring(0x6c756e61), sql(path, "PRAGMA application_id"))
  end)

  it("takes names that SQLite gives a meaning to as plain paths", function()
    local before = lfs.currentdir()
    assert(lfs.chdir(folder))
    local s, why = open("file:store.db?mode=memory")
    assert(lfs.chdir(before))
    assert(s, why)
    assert.equal("file", lfs.attributes(folder .. "/file:store.db?mode=memory", "mode"))
  end)

  it("refuses other kinds of store by name", function()
    refused(":memory:", "use memory:")
    refused("postgres://localhost/db", "unknown kind of store")
    assert.is_nil(lfs.attributes("postgres:", "mode"))
  end)

  it("refuses a path that is empty, a folder, below a file, or not a file", function()
    refused("", "path of the store is empty")
    refused(folder, "this is a folder")
    shell.write(folder .. "/file", "x")
    refused(folder .. "/file/store.db", "Not a directory")
    refused(folder .. "/file/deep/store.db", "Not a directory")
    refused("/dev/null", "this is not a file")
  end)

  it("refuses a folder in which it cannot make the file", function()
    refused("/proc/store.db", "cannot make the file: .*; make its folder writable")
    refused("/proc/new/store.db", "cannot make the folder /proc/new: ")
  end)

  it("refuses a file that is not a database, and leaves it as it was", function()
    local text = ("not a database, but long enough to look like one\n"):rep(100)
    shell.write(path, text)
    refused(path, "not a database")
    local file = assert(io.open(path, "rb"))
    assert.equal(text, file:read("a"))
    file:close()
  end)

  it("refuses the database of another program, and leaves it as it was", function()
    sql(path, "CREATE TABLE t (x)")
    refused(path, "not a store of lunask")
    refused(path, "not a store of lunask", true)
    assert.equal("1", sql(path, "SELECT count(*) FROM sqlite_master"))
    assert.equal("delete", sql(path, "PRAGMA journal_mode"))
  end)

  it("refuses a file written by a newer lunask", function()
    filled():close()
    sql(path, "PRAGMA user_version = 2")
    refused(path, "written by a newer lunask %(its version is 2, this program knows up to 1%)")
    refused(path, "written by a newer lunask", true)
  end)

  it("refuses a damaged file", function()
    filled():close()
    local file = assert(io.open(path, "r+b"))
    file:seek("set", 100)
    file:write(("\255"):rep(4000))
    file:close()
    refused(path, "damaged")
  end)

  it("takes an empty file for a new store", function()
    shell.write(path, "")
    assert(assert(open(path)):commit { { "s", "c", "a", "1" } })
  end)

  it("leaves nothing of a batch that fails inside the transaction", function()
    local s = filled()
    sql(path, [[CREATE TRIGGER t BEFORE INSERT ON rows WHEN new.key = 'bad'
      BEGIN SELECT RAISE(ABORT, 'the second write failed'); END]])
    local done, why = s:commit { { "s", "c", "a" }, { "s", "c", "new", "1" },
      { "s", "c", "bad", "1" } }
    assert.is_nil(done)
    assert.matches("the second write failed", why)
    assert.same({ "a=1", "b=2" }, s:list("s", "c"))
    assert.same({ "a=1", "b=2" }, assert(open(path)):list("s", "c"))
    assert(s:commit { { "s", "c", "new", "1" } })
    assert.equal(3, s:count("s", "c"))
  end)

  it("leaves nothing of a batch for which there is no room, and says so", function()
    local s = filled()
    -- At the end of its sequence SQLite reports what it reports for a full disk: SQLITE_FULL.
    sql(path, "UPDATE sqlite_sequence SET seq = 9223372036854775807")
    local done, why = s:commit { { "s", "c", "a" }, { "s", "c", "new", "1" } }
    assert.is_nil(done)
    assert.matches("disk is full; free some space", why)
    assert.same({ "a=1", "b=2" }, s:list("s", "c"))
  end)

  it("leaves nothing of a batch that the disk did not take", function()
    local s = filled()
    assert(store.limit_file_size(128 * 1024))
    local done, why = s:commit { { "s", "c", "a" }, { "s", "c", "big", ("1"):rep(200 * 1024) } }
    assert(store.limit_file_size(nil))
    assert.is_nil(done)
    assert.matches("limits on file size", why)
    assert.same({ "a=1", "b=2" }, s:list("s", "c"))
    assert(s:commit { { "s", "c", "big", ("1"):rep(200 * 1024) } })
    assert.equal(3, s:count("s", "c"))
  end)

  it("is read while another connection writes", function()
    local writer = filled()
    local reader = assert(open(path, true))
    assert.equal(2, reader:count("s", "c"))
    for i = 1, 50 do
      assert(writer:commit { { "s", "c", "k" .. i, "1" } })
      assert.equal(2 + i, reader:count("s", "c"))
    end
    assert.equal("1", reader:get("s", "c", "k50"))
  end)

  it("is read while another one is in the middle of a transaction", function()
    local s = filled()
    local other = store.other(path)
    other:run("BEGIN IMMEDIATE; DELETE FROM rows")
    local reader = assert(open(path, true))
    assert.equal(2, reader:count("s", "c"))
    assert.equal(2, s:count("s", "c"))
    other:run("COMMIT")
    assert.equal(0, reader:count("s", "c"))
    other:close()
  end)

  it("opens read only no file that is missing, and makes none", function()
    refused(path, "there is no such file; name .* with %-%-store PATH", true)
    assert.is_nil(lfs.attributes(path, "mode"))
  end)

  it("opens read only no empty file", function()
    shell.write(path, "")
    refused(path, "not a store of lunask", true)
    assert.equal(0, lfs.attributes(path, "size"))
  end)

  it("refuses to write when opened to be read only", function()
    filled():close()
    local s = assert(open(path, true))
    local done, why = s:commit { { "s", "c", "a", "3" } }
    assert.is_nil(done)
    assert.matches("read only", why)
    assert.equal("1", s:get("s", "c", "a"))
  end)
end)
