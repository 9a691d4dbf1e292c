local queue = require("unit").queue
local store = require("unit").store
local lfs = require("lfs")

local function names(format, n)
  local lines = {}
  for i = 1, n do lines[i] = format:format(i) end
  return table.concat(lines)
end

describe("a queue over a store that blocks", function()
  local folder, path, q

  before_each(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(lfs.mkdir(folder))
    path = folder .. "/store.db"
    q = queue.new(path)
  end)

  after_each(function()
    q:free()
    for name in lfs.dir(folder) do os.remove(folder .. "/" .. name) end
    assert(lfs.rmdir(folder))
  end)

  local function rows()
    local s = assert(store.open(path, true))
    local n = assert(s:count("s", "c"))
    s:close()
    return n
  end

  it("is not inline", function()
    assert.is_false(q:is_inline())
  end)

  it("runs jobs on a thread of its own and calls done from reap", function()
    q:submit("a")
    assert.equal(1, q:wakes(1))
    assert.equal("a put elsewhere\n", q:reap())
    assert.equal(1, rows())
  end)

  it("does not keep the caller waiting for a job that takes long", function()
    q:submit_gate()
    q:submit("a")
    assert.equal("", q:reap())
    assert.equal(0, rows())
    q:open_gate()
    assert.equal(2, q:wakes(2))
    assert.equal("gate put elsewhere\na put elsewhere\n", q:reap())
  end)

  it("runs jobs in the order submitted and wakes once a job", function()
    for i = 1, 50 do q:submit("k" .. i) end
    assert.equal(50, q:wakes(50))
    assert.equal(names("k%d put elsewhere\n", 50), q:reap())
    assert.equal("", q:reap())
  end)

  it("runs what a done submits, and leaves its done for another reap", function()
    q:submit("a", 1)
    assert.equal(1, q:wakes(1))
    assert.equal("a put elsewhere\n", q:reap())
    assert.equal(1, q:wakes(1))
    assert.equal("a put elsewhere\n", q:reap())
  end)

  it("puts commits that wait together, and wakes once for them", function()
    q:submit_gate()
    for i = 1, 10 do q:commit("k" .. i) end
    q:open_gate()
    assert.equal(2, q:wakes(2))
    assert.equal("gate put elsewhere\n" .. names("k%d put elsewhere\n", 10), q:reap())
    assert.equal(11, rows())
  end)

  it("leaves out of those put together the one that finds a row changed, and no other", function()
    q:submit_gate()
    for _, key in ipairs { "=a", "=b", "=a", "=c" } do q:commit(key) end
    q:open_gate()
    assert.equal(2, q:wakes(2))
    assert.equal("gate put elsewhere\n=a put elsewhere\n=b put elsewhere\n=a changed elsewhere\n"
      .. "=c put elsewhere\n", q:reap())
    assert.equal(4, rows())
  end)

  it("puts no more than 64 together", function()
    q:submit_gate()
    for i = 1, 200 do q:commit("k" .. i) end
    q:open_gate()
    assert.equal(5, q:wakes(5))
    q:reap()
    assert.equal(201, rows())
  end)

  it("waits for another program that is writing to the file", function()
    local other = store.other(path)
    other:run("BEGIN IMMEDIATE")
    q:submit("a")
    assert.equal("", q:reap())
    assert.equal(0, rows())
    other:run("COMMIT")
    other:close()
    assert.equal(1, q:wakes(1))
    assert.equal("a put elsewhere\n", q:reap())
  end)

  it("runs everything submitted and calls every done before free returns", function()
    for i = 1, 20 do q:submit("k" .. i) end
    assert.equal(names("k%d put elsewhere\n", 20), q:free())
    assert.equal(20, rows())
  end)

  it("runs what a done submits while the queue is being freed", function()
    q:submit("a", 2)
    assert.equal("a put elsewhere\na put\na put\n", q:free())
  end)
end)

describe("a queue over a store that does not block", function()
  local q

  before_each(function() q = queue.new("memory:") end)
  after_each(function() q:free() end)

  it("is inline", function()
    assert.is_true(q:is_inline())
  end)

  it("runs a job within submit, on the caller's thread, and calls done from reap only", function()
    q:submit("a")
    assert.equal(1, q:count())
    assert.equal(1, q:wakes(1))
    assert.equal("a put\n", q:reap())
    assert.equal("", q:reap())
  end)

  it("wakes again for what a done submits, and leaves its done for another reap", function()
    q:submit("a", 1)
    assert.equal(1, q:wakes(1))
    assert.equal("a put\n", q:reap())
    assert.equal(1, q:wakes(1))
    assert.equal("a put\n", q:reap())
    assert.equal(0, q:wakes(0))
  end)

  it("calls every done before free returns", function()
    q:submit("a")
    q:submit("b", 1)
    assert.equal("a put\nb put\nb put\n", q:free())
  end)
end)
