local script = require "support.script"

local MOST = 64 * 1024
local LEFT_OUT = "warning x: logs more than 64 KiB in one go; the rest of it is left out"

local function bytes(lines)
  local n = 0
  for _, line in ipairs(lines) do n = n + #line end
  return n
end

describe("what a call may log", function()
  after_each(script.clean)

  for what, call in pairs { ["print"] = "print(line)", ["ctx:log"] = "ctx:log('info', line)" } do
    it("ends at 64 KiB, with one line that says so, for " .. what, function()
      local logged = {}
      local run = script.handle(([[
        local line = ("spam"):rep(200)
        for _ = 1, 1000 do %s end
        return "done"
      ]]):format(call), {}, { log = function(level, text)
        logged[#logged + 1] = level .. " " .. text
      end })
      assert.equal("done", run:text())
      local lines = run:log()
      assert.equal(LEFT_OUT, table.remove(lines))
      local all = bytes(lines) + bytes(logged)
      assert.is_true(all > MOST * 0.9 and all <= MOST, all)
    end)
  end

  it("is there anew for the next call", function()
    local vm = script.vm [[
      require "mcp".tool { name = "x", handler = function()
        for _ = 1, 100 do print(("y"):rep(1000)) end
        return "done"
      end }
    ]]
    for _ = 1, 2 do
      local lines = script.run(vm, "x"):log()
      assert.equal(62, #lines)
      assert.equal(LEFT_OUT, lines[#lines])
    end
  end)

  it("is bounded while a script loads too", function()
    local vm = script.vm "for _ = 1, 1000 do print(('z'):rep(9000)) end"
    local lines = script.lines(vm:log())
    assert.equal(LEFT_OUT, table.remove(lines))
    assert.is_true(#lines == 15, #lines)
  end)
end)
