local eras = require "support.eras"
local process = require "support.process"
local shell = require "support.shell"

local CALLS = 10000
local MOST_KIB = 1024

local function resident_kib(host)
  return tonumber(shell.read("/proc/" .. host:worker_pid() .. "/status"):match "VmRSS:%s*(%d+)")
end

describe("the memory of a host", function()
  local host

  before_each(function()
    host = process.start()
  end)

  after_each(function()
    process.close(host)
  end)

  for _, era in ipairs(eras) do
    it("does not grow from call 5,000 to call 10,000 in the " .. era.name .. " era", function()
      if process.binary:find "asan" then pending "a sanitizer keeps what was freed" end
      local client = era.connect(host)
      local half
      for i = 1, CALLS do
        client:ask("book_meeting", { topic = "call " .. i }):answer { action = "decline" }
        if i == CALLS // 2 then half = resident_kib(host) end
      end
      local grown = resident_kib(host) - half
      assert.is_true(grown <= MOST_KIB, ("%d KiB more after %d calls"):format(grown, CALLS // 2))
    end)
  end
end)
