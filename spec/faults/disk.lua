-- Answers a question while the n-th write to the store's files fails, for every n.
--
--   lua5.4 spec/faults/disk.lua       spec/faults/run.sh sets the paths; shim.so is on LUA_CPATH
--
-- What must hold whatever fails: "Booked" is told only with a row, a refusal has none, an error
-- says that nothing was stored and is true; and once the fault is over the same answer succeeds,
-- once.

package.path = "spec/?.lua;" .. package.path

local crowd = require "faults.crowd"
local modern = require "support.modern"
local rpc = require "support.rpc"
local shell = require "support.shell"
local victim = require "faults.victim"

local KINDS = { "enospc", "eio", "eintr", "short" }
local MOST = 40 -- writes of one commit: far fewer
local MANY, STEP = 6, 9 -- calls at once, and of their writes every ninth
local ANSWERS = {
  { action = "accept", content = { approved = true, time = "10:00" } },
  { action = "decline" },
}

local shim = assert(package.searchpath("shim", package.cpath))
local folder, remove = shell.folder()
local host = victim.new(folder, {
  env = { "LD_PRELOAD=" .. shim, "LUNASK_FAULT=" .. folder .. "/store.db" },
})
local sequence, passed, failed, refused = 0, 0, 0, 0

local function arm(kind, from, to)
  sequence = sequence + 1
  shell.write(host.store .. ".fault", ("%d %s %d %d"):format(sequence, kind, from, to))
end

local function disarm()
  os.remove(host.store .. ".fault")
  return tonumber(shell.read(host.store .. ".fired") or "") == sequence
end

local function count(topic)
  local n = 0
  for _, line in ipairs(host:rows("book_meeting", "bookings")) do
    if rpc.decode(line).value.topic == topic then n = n + 1 end
  end
  return n
end

-- What is wrong with the reply that came while the disk failed, and what is stored then; or nil.
local function first_problem(reply, answer, rows)
  local text = rpc.text(reply) or reply.body
  if text:find("^Booked") then return rows ~= 1 and "Booked, and no row" end
  if rows ~= 0 then return "a row, and " .. text end
  if text:find("^Not booked") then return answer.action == "accept" and text end
  refused = refused + 1
  return not text:find("store", 1, true) and "an error that does not name the store: " .. text
end

local function second_problem(reply, answer, rows)
  local wanted = answer.action == "accept" and 1 or 0
  local text = rpc.text(reply) or reply.body
  if not text:find(wanted == 1 and "^Booked" or "^Not booked") then return "then " .. text end
  return rows ~= wanted and ("then %d rows"):format(rows)
end

-- Returns false when the commit makes fewer writes than `from`.
local function try(kind, from, to, answer)
  local topic = ("%s %d %d %s"):format(kind, from, to, answer.action)
  local call = modern.connect(host):ask("book_meeting", { topic = topic })
  arm(kind, from, to)
  local reply = call:retry(answer)
  local problem = first_problem(reply, answer, count(topic))
  local fired = disarm()
  problem = problem or second_problem(call:retry(answer), answer, count(topic))
  if problem then
    print(("%s: %s\n%s"):format(topic, problem, host:log():sub(-500)))
    failed = failed + 1
  else
    passed = passed + 1
  end
  return fired
end

-- The same with many commits at once, which the host puts together.
local function try_many(kind, n)
  local calls, replies = {}, {}
  for i = 1, MANY do
    local topic = ("%s %d many %d"):format(kind, n, i)
    calls[i] = modern.connect(host):ask("book_meeting", { topic = topic })
  end
  arm(kind, n, n)
  for i, call in ipairs(calls) do
    crowd.add(function() replies[i] = call:retry(ANSWERS[1]) end)
  end
  crowd.run(function() end)
  local fired = disarm()
  for i, call in ipairs(calls) do
    local problem = first_problem(replies[i], ANSWERS[1], count(call.arguments.topic))
    problem = problem or second_problem(call:retry(ANSWERS[1]), ANSWERS[1],
      count(call.arguments.topic))
    if problem then print(call.arguments.topic .. ": " .. problem) end
    passed, failed = passed + (problem and 0 or 1), failed + (problem and 1 or 0)
  end
  return fired
end

local function sweep_many(kind)
  local n = 1
  while try_many(kind, n) do n = n + STEP end
end

local function sweep(kind, answer)
  for n = 1, MOST do
    local once = try(kind, n, n, answer)
    local lasting = try(kind, n, MOST, answer)
    if not once and not lasting then return end
  end
  error("a commit makes more writes than expected")
end

host:start()
local ok, trouble = pcall(function()
  for _, answer in ipairs(ANSWERS) do
    for _, kind in ipairs(KINDS) do sweep(kind, answer) end
  end
  for _, kind in ipairs(KINDS) do sweep_many(kind) end
end)
if not ok then
  print(trouble, host:log():sub(-500))
  failed = failed + 1
elseif refused == 0 then
  print "no fault has come to the host: is the shim loaded?"
  failed = failed + 1
end
host:kill()
remove()
print(("disk: %d calls ended with an error of the store"):format(refused))
print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0)
