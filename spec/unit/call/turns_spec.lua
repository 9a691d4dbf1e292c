-- Who goes on first when more calls are ready than the loop has time for.

local inside = require "support.inside"

local SPIN = [[
local mcp = require "mcp"
mcp.tool { name = "spin", handler = function() while true do end end }
local function spin() while true do end end
mcp.tool { name = "callback", handler = function() return (("x"):gsub("x", spin)) end }
mcp.tool { name = "text", handler = function()
  return tostring(setmetatable({}, { __tostring = spin }))
end }
mcp.tool { name = "sibling", handler = function() return "here" end }
]]

local BESIDE = [[
local mcp = require "mcp"
mcp.tool { name = "beside", handler = function() return "here" end }
]]

describe("turns", function()
  local host

  local function start(config)
    host = inside.start { scripts = { spin = SPIN, beside = BESIDE }, config = config }
  end

  after_each(function()
    inside.close(host)
    host = nil
  end)

  local function spin(count)
    local visits = {}
    for i = 1, count do visits[i] = host:call "spin" end
    return visits
  end

  it("let a call of another script begin at once, however many spin", function()
    start()
    spin(5)
    for _ = 1, 3 do
      host.native:turn()
      assert.equal("here", host:call("beside"):text())
    end
  end)

  it("are waited for by other calls of a script that spins, and come", function()
    start()
    spin(3)
    local visit = host:call "sibling"
    assert.is_nil(visit:result())
    host:turn_until("the sibling", function() return visit:result() end)
    assert.equal("here", visit:text())
    assert.equal("running running running", (host:states()))
  end)

  it("are taken by what spins in a callback of gsub or in a __tostring", function()
    start()
    host:call "callback"
    host:call "text"
    local visit = host:call "sibling"
    host:turn_until("the sibling", function() return visit:result() end)
    assert.equal("here", visit:text())
    assert.equal("running running", (host:states()))
  end)

  it("do not eat call_timeout: what spins beside others has its own time", function()
    start "vm_cpu = 60, call_timeout = 30"
    local visits = spin(3)
    host:tick(31)
    host:settle()
    for _, visit in ipairs(visits) do
      assert.equal("spin was stopped: CPU time used up (vm_cpu)", visit:text())
    end
    assert.equal(0, host:counters().limit_call_timeout)
  end)

  it("end with a call: what is cancelled while it waits leaves the others theirs", function()
    start "vm_cpu = 50"
    local visits = spin(3)
    local waiting = { host:call "sibling", host:call "sibling" }
    waiting[1]:leave()
    visits[2]:leave()
    host:settle()
    assert.equal("here", waiting[2]:text())
    assert.is_true(visits[1]:is_error() and visits[3]:is_error())
    assert.equal("", host:states())
  end)
end)
