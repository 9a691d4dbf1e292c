-- What many scripts cost: starts a host with 300 of them and prints how long it took until it
-- listened, and the memory that its worker then holds.
--
--   LUNASK=build/lunask lua5.4 spec/bench/many_scripts.lua [300]
--
-- Ends with 1 if 300 take a second or more, or 64 MiB or more. The time is the median of five
-- starts and holds all of them: supervisor, worker, store.

package.path = "spec/?.lua;" .. package.path

local modern = require "support.modern"
local process = require "support.process"
local shell = require "support.shell"
local socket = require "socket"

local COUNT = math.tointeger(arg[1] or 300)
local STARTS = 5
local MOST_SECONDS, MOST_MIB = 1, 64

-- Scripts of a usual size: a schema, a question, a write.
local SCRIPT = [[
-- Adds an entry to list %d once a person has agreed.
local mcp = require "mcp"

mcp.tool {
  name = "add_%d",
  description = "Add an entry to list %d after the user has agreed.",
  inputSchema = { type = "object", required = { "text" }, properties = {
    text = { type = "string", minLength = 1, maxLength = 60 } } },
  handler = function(args, ctx)
    local answer = ctx:elicit {
      message = "Add " .. args.text .. "?",
      requestedSchema = { type = "object", required = { "ok" }, properties = {
        ok = { type = "boolean", title = "Add it" } } },
    }
    if answer.action ~= "accept" or answer.content.ok ~= true then return "Nothing was added." end
    ctx.store:put("list_%d", args.text, { at = os.time() })
    return "Added."
  end,
}
]]

local function write_scripts(folder)
  for i = 1, COUNT do
    shell.write(("%s/add_%d.lua"):format(folder, i), (SCRIPT:gsub("%%d", i)))
  end
end

local function resident_mib(pid)
  return shell.read(("/proc/%d/status"):format(pid)):match "VmRSS:%s*(%d+)" / 1024
end

-- Returns the seconds until the host listened, and the memory of its worker once it has shown that
-- it has the scripts.
local function start_once(folder)
  local begun = socket.gettime()
  local host = process.start { scripts = folder }
  local seconds = socket.gettime() - begun
  local ok, result = pcall(function()
    local call = modern.connect(host):ask("add_" .. COUNT, { text = "tea" })
    assert(call.question, "the last script did not ask")
    return resident_mib(host:worker_pid())
  end)
  process.close(host)
  return seconds, assert(ok and result, result)
end

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

local folder, remove = shell.folder()
write_scripts(folder)
local times, sizes = {}, {}
for i = 1, STARTS do times[i], sizes[i] = start_once(folder) end
remove()
local seconds, mib = median(times), median(sizes)
print(("%d scripts: ready after %.2f s (bound: %d), %.1f MiB resident (bound: %d)"):format(COUNT,
  seconds, MOST_SECONDS, mib, MOST_MIB))
os.exit(seconds < MOST_SECONDS and mib < MOST_MIB)
