-- Compares our find, match, gmatch and gsub with those of the lua5.4 that runs this, on random
-- cases. From the top folder:
--
--   LUA_CPATH="build/spec/?.so;;" lua5.4 spec/fuzz/patterns_many.lua [CASES [SEED]]
--
-- Prints how many cases there were, how many could not be compared, and the differences; ends
-- with 1 if there are any.
package.path = "spec/?.lua;" .. package.path
local random_patterns = require "support.random_patterns"

local SHOWN = 20 -- differences

local cases = math.tointeger(arg[1] or 1000000)
local seed = math.tointeger(arg[2] or 1)
local ours = require("unit").patterns.open()
local next_call = random_patterns.new(seed)
local counts = { alike = 0, excused = 0, different = 0 }

for case = 1, cases do
  local answer, difference = random_patterns.compare(ours, string, next_call())
  counts[answer] = counts[answer] + 1
  if difference and counts.different <= SHOWN then
    print(("case %d: %s"):format(case, difference))
  end
end
print(("%d cases (seed %d), %d not compared, %d differences"):format(cases, seed, counts.excused,
  counts.different))
os.exit(counts.different == 0)
