local heap = require("unit").heap

local KIB, MIB = 1024, 1024 * 1024

local function process(line)
  for text in io.lines("/proc/self/status") do
    local kib = text:match("^" .. line .. ":%s+(%d+) kB$")
    if kib then return tonumber(kib) * KIB end
  end
end

-- Sizes at both ends of every way to keep a block, and some between.
local function random_size()
  local kind = math.random(10)
  if kind == 1 then return math.random(200 * KIB) end
  if kind <= 3 then return math.random(16 * KIB) end
  if kind == 4 then return 512 + math.random(-1, 1) end
  return math.random(2 * KIB)
end

describe("a heap", function()
  local h

  after_each(function()
    if h then h:free() end
    h = nil
  end)

  local function fill(n)
    local blocks = {}
    while true do
      local block = h:take(n)
      if not block then return blocks end
      blocks[#blocks + 1] = block
    end
  end

  it("keeps what is in every block, and counts every byte, whatever the order", function()
    for seed = 1, 20 do
      math.randomseed(seed)
      h = assert(heap.new(4 * MIB, 0))
      local sizes, used = {}, 0
      for _ = 1, 3000 do
        local i = math.random(#sizes + 1)
        local n = math.random(3) > 1 and random_size() or 0
        if i > #sizes then
          if h:take(n) then sizes[i], used = n, used + n end
        elseif sizes[i] > 0 and h:resize(i, n) then
          sizes[i], used = n, used - sizes[i] + n
        end
      end
      assert.is_true(h:intact())
      assert.equal(used, h:counts().used)
      for i, n in ipairs(sizes) do
        if n > 0 then h:resize(i, 0) end
      end
      assert.equal(0, h:counts().used)
      h:free()
    end
  end)

  it("gives the last byte of its limit, and not one more", function()
    for _, n in ipairs({ 16, 1000, 5000, 100000 }) do
      h = heap.new(1000000, 0)
      for _ = 1, 1000000 // n do assert.is_number(h:take(n)) end
      local rest = 1000000 % n
      assert.is_nil(h:take(rest + 1))
      if rest > 0 then assert.is_number(h:take(rest)) end
      assert.equal(1000000, h:counts().used)
      assert.is_nil(h:take(1))
      assert.is_true(h:intact())
      h:free()
    end
  end)

  it("refuses a size that no heap can have, and goes on", function()
    h = heap.new(MIB, 0)
    assert.is_nil(h:take(math.maxinteger))
    assert.is_nil(h:take(-1))
    local block = h:take(100)
    assert.is_false(h:resize(block, math.maxinteger))
    assert.is_true(h:intact())
    assert.equal(100, h:counts().used)
  end)

  it("refuses to grow a block beyond the limit, and leaves the block alone", function()
    h = heap.new(10000, 0)
    local block = h:take(6000)
    assert.is_false(h:resize(block, 10001))
    assert.is_true(h:intact())
    assert.equal(6000, h:counts().used)
    assert.is_true(h:resize(block, 10000))
  end)

  it("gives the reserve only while it is open", function()
    h = heap.new(64 * KIB, 32 * KIB)
    fill(KIB)
    assert.equal(64 * KIB, h:counts().used)
    h:use_reserve(true)
    assert.equal(32, #fill(KIB))
    h:use_reserve(false)
    assert.is_nil(h:take(1))
    assert.is_true(h:intact())
  end)

  it("refuses to grow, not to shrink, above the limit when the reserve is closed", function()
    h = heap.new(64 * KIB, 32 * KIB)
    local blocks = fill(4 * KIB)
    h:use_reserve(true)
    fill(KIB)
    h:use_reserve(false)
    assert.is_false(h:resize(blocks[1], 4 * KIB + 1))
    assert.is_true(h:resize(blocks[1], 4 * KIB - 1))
    assert.equal(96 * KIB - 1, h:counts().used)
  end)

  it("shrinks every block of a heap that is full", function()
    for _, n in ipairs({ 33, 300, 512, 513, 2049, 40000 }) do
      h = heap.new(256 * KIB, 0)
      local blocks = fill(n)
      for _, block in ipairs(blocks) do
        for _, to in ipairs({ n - 1, n // 2, n // 7, 1 }) do assert.is_true(h:resize(block, to)) end
      end
      assert.equal(#blocks, h:counts().used)
      assert.is_true(h:intact())
      h:free()
    end
  end)

  it("shrinks every block when pages have run out before the limit", function()
    h = heap.new(4 * MIB, 0)
    for n = 16, 512, 8 do
      local blocks = fill(n)
      for i, block in ipairs(blocks) do
        if i % (16 * KIB // n) ~= 0 then h:resize(block, 0) end
      end
    end
    local blocks = fill(3000)
    local used = h:counts().used
    assert.is_true(used < 4 * MIB - 3000)
    for _, block in ipairs(blocks) do assert.is_true(h:resize(block, 700)) end
    assert.equal(used - #blocks * 2300, h:counts().used)
    assert.is_true(h:intact())
  end)

  it("takes no more than one and a half times its limit from the system", function()
    h = heap.new(8 * MIB, MIB)
    for round = 1, 40 do
      local n = round % 2 == 0 and 2500 * round or 48 * round
      for i, block in ipairs(fill(n)) do
        if i % 20 ~= 0 then h:resize(block, 0) end
      end
      assert.is_true(h:counts().pages <= 12 * MIB + 512 * KIB)
    end
  end)

  it("lets memory that was full of one size be filled with any other", function()
    h = heap.new(8 * MIB, 0)
    for _, n in ipairs({ 16, 5000, 48, 512, 700000, 100, 513, 64 }) do
      local blocks = fill(n)
      assert.is_true(h:counts().used > 8 * MIB - n)
      for _, block in ipairs(blocks) do h:resize(block, 0) end
    end
    assert.equal(0, h:counts().used)
  end)

  it("remembers its peak", function()
    h = heap.new(MIB, 0)
    local block = h:take(50000)
    h:resize(block, 90000)
    h:resize(block, 10)
    assert.equal(90000, h:counts().peak)
  end)

  it("counts what it refused since the count was reset", function()
    h = heap.new(1000, 0)
    local block = h:take(900)
    h:take(101)
    h:resize(block, 1001)
    assert.equal(2, h:counts().failed)
    h:reset_failed()
    assert.equal(0, h:counts().failed)
    h:take(101)
    assert.equal(1, h:counts().failed)
  end)

  it("gives the pages of a spike back by itself", function()
    for _, n in ipairs({ 1000, 3000, 300000 }) do
      h = heap.new(64 * MIB, 0)
      local blocks = fill(n)
      assert.is_true(h:counts().pages > 60 * MIB)
      local full = process("VmRSS")
      for _, block in ipairs(blocks) do h:resize(block, 0) end
      assert.is_true(h:counts().pages < 2 * MIB)
      assert.is_true(process("VmRSS") < full - 48 * MIB)
      h:free()
    end
  end)

  it("keeps the pages of garbage that comes and goes", function()
    h = heap.new(64 * MIB, 0)
    local least = math.huge
    for round = 1, 60 do
      local block = h:take(4 * MIB)
      h:resize(block, 0)
      if round > 20 then least = math.min(least, h:counts().pages) end
    end
    assert.is_true(least >= 4 * MIB)
    h:trim()
    assert.is_true(h:counts().pages < 64 * KIB)
  end)

  it("is gone from the process once freed, whatever lives in it", function()
    local before = process("VmSize")
    h = heap.new(512 * MIB, 0)
    for n = 1, 3000, 7 do h:take(n) end
    assert.is_true(process("VmSize") > before + 512 * MIB)
    h:free()
    assert.is_true(process("VmSize") < before + 64 * MIB)
  end)

  it("can be freed when it was interrupted in the middle of its work", function()
    heap.abandon(5)
    local before = process("VmSize")
    heap.abandon(200)
    assert.is_true(process("VmSize") < before + 16 * MIB)
  end)

  it("shows a sanitizer what is in use, and nothing else", function()
    h = heap.new(MIB, 0)
    local hidden = h:dropped_is_hidden(100)
    if hidden == nil then return pending("needs a build with AddressSanitizer") end
    assert.is_true(hidden)
    for _, n in ipairs({ 1, 8, 500, 3000, 70001 }) do assert.is_true(h:dropped_is_hidden(n)) end
  end)

  it("ends the process rather than follow a link that was forged in freed memory", function()
    local SIGABRT = 6
    assert.equal(SIGABRT, heap.died("forge"))
    assert.equal(SIGABRT, heap.died("twice"))
  end)
end)

describe("a VM on a heap of its own", function()
  it("runs a script that stays below the limit", function()
    local result, counts = heap.run(8 * MIB, 0, [[
      local parts = {}
      for i = 1, 20000 do parts[i] = { i, tostring(i) } end
      for i = 1, 20000, 2 do parts[i] = nil end
      collectgarbage()
      local sum = 0
      for _, part in pairs(parts) do sum = sum + #part[2] end
      return tostring(sum)
    ]])
    assert.equal("44449", result)
    assert.equal(0, counts.failed)
  end)

  it("tells a script that there is no more memory, and it may go on", function()
    local result, counts = heap.run(4 * MIB, 0, [[
      local ok, reason = pcall(string.rep, "x", 5 * 1024 * 1024)
      return tostring(ok) .. " " .. reason .. " " .. #("x"):rep(1024 * 1024)
    ]])
    assert.equal("false not enough memory 1048576", result)
    assert.is_true(counts.failed > 0)
  end)

  it("lets the host make a coroutine in a VM that a script filled to the brim", function()
    local _, counts, without, with = heap.run(MIB, 64 * KIB, [[
      kept = 0
      function add_text(n) kept = { kept, ("x"):rep(n) .. n } end
      function add_table() kept = { kept } end
      function add_closure() local before = kept; kept = function() return before end end
      for n = 16, 0, -1 do repeat until not pcall(add_text, 1 << n) end
      repeat until not pcall(add_table)
      repeat until not pcall(add_closure)
    ]])
    assert.is_true(counts.used > MIB - 200)
    assert.is_false(without)
    assert.is_true(with)
  end)

  it("lets an honest script use nine tenths of its limit, however it fills its memory", function()
    local shapes = {
      strings = "keep[#keep + 1] = ('x'):rep(i % 900) .. i",
      records = "keep[#keep + 1] = { id = i, name = 'item ' .. i, tags = { 'a', 'b' .. i } }",
      closures = "keep[#keep + 1] = function() return i end",
      pages = "keep[#keep + 1] = ('x'):rep(2000 + i * 37 % 9000) .. i",
      churn = "keep[i * 7919 % 30000] = ('x'):rep(i * 31 % 1500) .. i",
    }
    for shape, code in pairs(shapes) do
      local _, counts = heap.run(16 * MIB, 0, "keep = {} local i = 0 " ..
        "while true do i = i + 1 if i < 200000 then " .. code ..
        " else keep[#keep + 1] = ('x'):rep(1000) .. i end end")
      assert.is_true(counts.peak > 0.9 * 16 * MIB, shape .. " had only " .. counts.peak)
    end
  end)
end)
