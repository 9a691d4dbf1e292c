-- Books meetings in both eras while the host is killed, and holds the bookings against what the
-- clients were told.
--
--   lua5.4 spec/faults/kills.lua [--rounds N] [--seed N]       spec/faults/run.sh sets the paths
--
-- A round: a new store; three phases of a crowd of clients on it, the host being killed in the
-- first two, then the count. Round n of seed s is round 1 of seed s + n - 1.
--
-- What must hold of each dialogue: an approval that was acknowledged is one row, exactly as
-- approved; a refusal that was acknowledged is none; where no reply came, there is one row at most,
-- and only of an approval that was sent. All replies to one dialogue tell the same.

package.path = "spec/?.lua;" .. package.path

local crowd = require "faults.crowd"
local legacy = require "support.legacy"
local modern = require "support.modern"
local rpc = require "support.rpc"
local shell = require "support.shell"
local socketlib = require "socket"
local victim = require "faults.victim"
local wait = require "support.wait"

local PHASES = 3
local CLIENTS = 6 -- new ones a phase
local FINISHED = "This call is already finished"

local random = math.random

local function chance(percent)
  return random(100) <= percent
end

-- Returns an answer with the text that the tool has for it; `time` is set if it is an approval.
local function any_answer(topic)
  local time = ("%02d:%02d"):format(random(0, 23), random(0, 59))
  local kind = random(100)
  local function of(action, content, text, booked)
    return { result = { action = action, content = content }, text = text:format(topic, time),
      time = booked and time }
  end
  if kind <= 60 then
    return of("accept", { approved = true, time = time }, "Booked: meeting about '%s' at %s.", true)
  elseif kind <= 75 then
    return of("decline", nil, "Not booked: user declined the meeting about '%s'.")
  elseif kind <= 85 then
    return of("cancel", nil, "Not booked: user cancelled the request to book '%s'.")
  end
  local content = ({ { approved = false }, { time = time }, { approved = "true" } })[random(3)]
  return of("accept", content, "Not booked: user did not approve the meeting about '%s'.")
end

-- A dialogue, with all that it will do: so that what happens is the seed's and not the scheduler's.
local function new_dialogue(topic)
  local d = { topic = topic, era = chance(50) and "modern" or "legacy", sent = {}, steps = {} }
  local first = any_answer(topic)
  for i = 1, random(3) do
    local answer = i > 1 and chance(30) and any_answer(topic) or first
    d.steps[i] = { answer = answer, at_once = chance(30), hang_up = chance(15) }
  end
  d.silent = chance(5) -- never answers
  return d
end

local Round = {}
Round.__index = Round

function Round:fault(format, ...)
  self.faults[#self.faults + 1] = format:format(...)
end

-- Notes that `answer` is on its way: from here on it may have an effect.
function Round:sending(d, answer)
  d.sent[#d.sent + 1] = answer
  self.answers = self.answers + 1
  if self.kill_after == self.answers then
    self.kill_at = socketlib.gettime() + self.kill_delay
  end
end

-- Notes what the host has said. `answer` is nil where it is not known to which one.
function Round:told(d, text, answer)
  local found
  for _, sent in ipairs(d.sent) do
    if sent.text == text and (not answer or answer.text == text) then found = sent end
  end
  if not found then
    self:fault("%s %s: was told %q, which answers nothing it sent", d.era, d.topic, tostring(text))
  elseif d.acknowledged and d.acknowledged.text ~= text then
    self:fault("%s %s: was told %q after %q", d.era, d.topic, text, d.acknowledged.text)
  end
  d.acknowledged = found
end

-- Runs a part of a dialogue as a client of its own. What breaks it is a fault, unless the host has
-- been killed.
function Round:client(d, run)
  crowd.add(function()
    local ok, problem = pcall(run)
    if not ok and not self.host.killed then
      self:fault("%s %s: %s", d.era, d.topic, tostring(problem))
    end
  end)
end

-- A retry may be refused only where another answer was sent, too.
local function expect_refusal(d, reply)
  local others
  for _, sent in ipairs(d.sent) do others = others or sent ~= d.sent[1] end
  if not others or not reply.error or reply.error.message ~= FINISHED then
    error("a retry was met with " .. reply.status .. " " .. reply.body)
  end
end

function Round:retry(d, step)
  self:sending(d, step.answer)
  if step.hang_up then
    d.call:retry_and_leave(step.answer.result)
    return
  end
  local reply = d.call:retry(step.answer.result)
  if reply.result then
    self:told(d, rpc.text(reply), step.answer)
  else
    expect_refusal(d, reply)
  end
end

function Round:converse_modern(d)
  if not d.call then
    local call = modern.connect(self.host):ask("book_meeting", { topic = d.topic })
    assert(call.question, "no question")
    d.call = call
  end
  for _, step in ipairs(d.silent and {} or d.steps) do
    if step.at_once then
      self:client(d, function() self:retry(d, step) end)
    else
      self:retry(d, step)
    end
  end
end

function Round:post(d, step)
  self:sending(d, step.answer)
  local reply = d.call:post_answer(step.answer.result)
  assert(reply.status < 500, reply.status)
end

function Round:converse_legacy(d)
  d.call = legacy.connect(self.host):ask("book_meeting", { topic = d.topic })
  assert(d.call.question, "no question")
  local leave
  for _, step in ipairs(d.silent and {} or d.steps) do
    leave = leave or step.hang_up
    if step.at_once then
      self:client(d, function() self:post(d, step) end)
    else
      self:post(d, step)
    end
  end
  if d.silent or leave then
    d.call.stream:close()
  elseif d.call:advance().result then
    self:told(d, d.call.text)
  else
    error "the stream ended without a result"
  end
end

-- Kills the host when its time has come; called between the turns of the crowd.
function Round:reap()
  if not self.kill_at or socketlib.gettime() < self.kill_at then return end
  self.kill_at = nil
  if self.kill_worker then
    self.host:kill_worker()
  else
    self.host:kill()
  end
end

-- Draws when the host is to be killed: soon after so many answers, or not at all.
function Round:plan_kill(phase)
  self.answers, self.kill_at = 0, nil
  self.kill_after = phase < PHASES and random(CLIENTS * 3 // 2)
  self.kill_delay = random() ^ 2 * 0.006
  self.kill_worker = chance(25)
end

-- A start that is itself cut off, then one that is not.
function Round:restart()
  if not self.host.killed or self.host.handle then return end
  if chance(15) then
    self.host:spawn()
    socketlib.sleep(random() * 0.03)
    self.host:kill()
  end
  self.host:start()
end

function Round:phase(number)
  self:plan_kill(number)
  self:restart()
  -- A worker that was killed has a successor by now, or soon: connections wait for it.
  self.host.killed = false
  local talking = {}
  for _, d in ipairs(self.dialogues) do
    if d.era == "modern" and chance(70) then talking[#talking + 1] = d end
  end
  for i = 1, number < PHASES and CLIENTS or 2 do
    local d = new_dialogue(("r%d p%d c%d"):format(self.seed, number, i))
    self.dialogues[#self.dialogues + 1] = d
    talking[#talking + 1] = d
  end
  for _, d in ipairs(talking) do
    self:client(d, function() self["converse_" .. d.era](self, d) end)
  end
  crowd.run(function() self:reap() end)
  if self.kill_worker and self.host.killed and self.host.handle then self:await_worker() end
end

-- The supervisor has seen the death once a worker answers.
function Round:await_worker()
  wait.for_condition("another worker", function()
    return (pcall(function() modern.connect(self.host):tools() end))
  end)
end

local function approval(d, time)
  for _, sent in ipairs(d.sent) do
    if sent.time == time then return true end
  end
end

-- Holds the rows of one topic, a list of times, against what its dialogue knows.
function Round:judge(d, times)
  local wanted = d.acknowledged and (d.acknowledged.time and 1 or 0)
  if #times > 1 or (wanted and #times ~= wanted) then
    self:fault("%s %s: %d bookings after %q", d.era, d.topic, #times,
      d.acknowledged and d.acknowledged.text or "no reply")
  elseif times[1] and (not approval(d, times[1])
    or (d.acknowledged and d.acknowledged.time ~= times[1])) then
    self:fault("%s %s: booked at %s, which nobody approved", d.era, d.topic, times[1])
  end
  if not d.acknowledged and #d.sent > 0 then
    local counted = times[1] and "cut_stored" or "cut_not_stored"
    self.counts[counted] = self.counts[counted] + 1
  elseif d.acknowledged then
    local counted = wanted == 1 and "booked" or "refused"
    self.counts[counted] = self.counts[counted] + 1
  end
end

function Round:count()
  local by_topic = {}
  for _, line in ipairs(self.host:rows("book_meeting", "bookings")) do
    local row = rpc.decode(line).value
    by_topic[row.topic] = by_topic[row.topic] or {}
    table.insert(by_topic[row.topic], row.time)
  end
  for _, d in ipairs(self.dialogues) do
    self:judge(d, by_topic[d.topic] or {})
    by_topic[d.topic] = nil
  end
  for topic in pairs(by_topic) do self:fault("%s: booked, and never asked for", topic) end
end

local function run_round(folder, seed, counts)
  math.randomseed(seed)
  local place = ("%s/%d"):format(folder, seed)
  shell.capture { "mkdir", place }
  local host = victim.new(place)
  local round = setmetatable({ seed = seed, host = host, dialogues = {}, faults = {},
    counts = counts }, Round)
  local ok, problem = pcall(function()
    host:start()
    for number = 1, PHASES do round:phase(number) end
  end)
  host:kill()
  if ok then ok, problem = pcall(round.count, round) end
  if not ok then round:fault("%s", tostring(problem)) end
  if #round.faults > 0 then
    print(("seed %d failed:\n  %s"):format(seed, table.concat(round.faults, "\n  ")))
    print(host:log())
  end
  shell.capture { "rm", "-rf", place }
  return #round.faults == 0
end

local function option(name, default)
  for i = 1, #arg, 2 do
    if arg[i] == "--" .. name then return math.tointeger(arg[i + 1]) end
  end
  return default
end

local rounds, seed = option("rounds", 200), option("seed", os.time())
print(("kills: %d rounds from seed %d"):format(rounds, seed))
local folder, remove = shell.folder()
local begun, failed = socketlib.gettime(), 0
local counts = { booked = 0, refused = 0, cut_stored = 0, cut_not_stored = 0 }
for i = 1, rounds do
  if not run_round(folder, seed + i - 1, counts) then failed = failed + 1 end
end
remove()
print(("acknowledged: %d approvals, %d refusals; never acknowledged: %d stored, %d not"):format(
  counts.booked, counts.refused, counts.cut_stored, counts.cut_not_stored))
print(("%.2f s a round"):format((socketlib.gettime() - begun) / rounds))
print(("%d passed, %d failed"):format(rounds - failed, failed))
os.exit(failed == 0)
