-- How long a call takes while others spin: prints the percentiles of another script's calls beside
-- no, one and twenty endless loops.
--
--   LUNASK=build/lunask lua5.4 spec/bench/turns.lua
--
-- Ends with 1 if the 99th percentile beside any of them is 10 ms or more. Client and server should
-- have a processor each.

package.path = "spec/?.lua;" .. package.path

local process = require "support.process"
local shell = require "support.shell"
local spinners = require "support.spinners"

local MOST_MS = 10
local SECONDS = tonumber(os.getenv "LUNASK_BENCH_SECONDS" or 3)
local CASES = {
  { "alone", 0, 1 },
  { "beside 1 loop", 1, 1 },
  { "beside 20 loops in one script", 20, 1 },
  { "beside 20 loops in five scripts", 20, 5 },
}

local folder, remove = shell.folder()
spinners.write(folder, 5)
local good = true
print(("%-34s %8s %8s %8s %8s"):format("ms", "calls", "p50", "p99", "most"))
for _, case in ipairs(CASES) do
  local name, count, scripts = table.unpack(case)
  local host = process.start { scripts = folder, config = { vm_cpu = 60000 } }
  local spinning = spinners.start(host, count, scripts)
  local times = spinners.time(host, SECONDS)
  local ended = spinners.ended(spinning)
  spinners.stop(spinning)
  process.close(host)
  local p99 = times[math.ceil(#times * 0.99)]
  print(("%-34s %8d %8.2f %8.2f %8.2f"):format(name, #times, times[(#times + 1) // 2], p99,
    times[#times]))
  good = good and p99 < MOST_MS and ended == 0
end
remove()
os.exit(good)
