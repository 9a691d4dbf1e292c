local mem = require("unit").mem

-- Runs a chunk in a process of its own. Returns whether it came to its end, and its standard error.
local function run(chunk)
  local path = os.tmpname()
  local ended = os.execute(("ulimit -c 0; ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 "
    .. "lua5.4 -e '%s' 2>%s"):format(chunk, path))
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  os.remove(path)
  return ended, text
end

describe("memory", function()
  it("comes zeroed", function()
    assert.equal(("\0"):rep(1000), mem.alloc(1000))
  end)

  it("is there even when none is asked for", function()
    assert.equal("", mem.alloc(0))
    assert.equal("", mem.realloc("abc", 0))
  end)

  it("keeps what it held when it grows or shrinks", function()
    assert.equal("abc", mem.realloc("abc", 100000))
    assert.equal("ab", mem.realloc("abc", 2))
  end)

  it("is copied with a NUL behind it", function()
    for _, text in ipairs { "", "a\0b" } do
      local copy, ended = mem.copy(text)
      assert.equal(text, copy)
      assert.is_true(ended)
    end
  end)

  it("ends the process with one clear line when there is no more", function()
    local ended, text = run 'require("unit").mem.alloc(1 << 60) print "went on"'
    assert.is_nil(ended)
    assert.matches("lunask: out of memory %(1152921504606846976 bytes asked for%)\n", text)
  end)
end)
