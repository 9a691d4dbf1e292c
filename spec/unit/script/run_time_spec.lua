local script = require "support.script"

local DRAW = [[
  local list = {}
  for i = 1, 5 do list[i] = ("%d"):format(math.random(0)) end
  return table.concat(list, " ")
]]

local function draws(seed)
  return script.handle(DRAW, {}, {}, { seed = seed }):text()
end

describe("the numbers of a run", function()
  after_each(script.clean)

  -- A call may wait for its answer while the host is updated: what its seed gives must stay. The
  -- second row is what others publish for xoshiro256** filled by splitmix64 from 0.
  it("are these, for these seeds", function()
    assert.equal("2247149604598861417 -1476471574703501640 -3198009350476425740 "
      .. "-558850385164836215 -2370897857788921299", draws "0123456789abcdef")
    assert.equal("-7355399402456485196 -4652746763540216534 1900383378846508768 "
      .. "7684712102626143532 -4925340083591827879", draws(("\0"):rep(16)))
  end)

  it("depend on every byte of the seed", function()
    local seen = {}
    for i = 1, 16 do
      local seed = ("\0"):rep(i - 1) .. "\1" .. ("\0"):rep(16 - i)
      local drawn = draws(seed)
      assert.is_nil(seen[drawn])
      seen[drawn] = true
    end
  end)

  it("go on where they were after a wait", function()
    local whole = script.handle([[
      local list = {}
      for i = 1, 4 do list[i] = math.random(1 << 40) end
      return table.concat(list, " ")
    ]], {}, {}, { seed = "s" }):text()
    local run = script.handle([[
      local list = {}
      for i = 1, 4 do
        list[i] = math.random(1 << 40)
        ctx.store:get("c", "k")
      end
      return table.concat(list, " ")
    ]], {}, {}, { seed = "s" })
    while run.state == "parked" do run:resume_text(nil) end
    assert.equal(whole, run:text())
  end)

  it("are a run's own, also while another one waits in the same VM", function()
    local vm = assert(script.vm [[
      require "mcp".tool { name = "x", handler = function(_, ctx)
        local first = math.random(1 << 40)
        ctx.store:get("c", "k")
        return first .. " " .. math.random(1 << 40) .. " " .. os.time()
      end }
    ]])
    local alone = script.run(vm, "x", {}, {}, { seed = "a", started_ms = 5000 })
    alone:resume_text(nil)
    local one = script.run(vm, "x", {}, {}, { seed = "a", started_ms = 5000 })
    local two = script.run(vm, "x", {}, {}, { seed = "b", started_ms = 9000 })
    two:resume_text(nil)
    one:resume_text(nil)
    assert.equal(alone:text(), one:text())
    assert.matches(" 5$", one:text())
    assert.matches(" 9$", two:text())
    assert.not_equal(one:text():match "^%d+", two:text():match "^%d+")
  end)
end)
