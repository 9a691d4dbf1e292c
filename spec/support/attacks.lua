-- The catalogue of attacks on the sandbox, made ready to be run against a host. It is no part of
-- the project: it lies beside it, or beside the folder that $LUNASK_DATA names.
--
--   for _, attack in ipairs(attacks.load() or {}) do
--     shell.write(folder .. "/attack.lua", attacks.script(attack))
--     client:ask("attack", attacks.arguments(attack)) …
--   end

local shell = require "support.shell"

local attacks = {}

local FILE = "sandbox_attacks.lua"

-- What the catalogue's snippets rely on. They take `require` for Lua's own, which reaches
-- everything; ours, which reaches lib/, is put away.
local HEAD = [[
local mcp, now = require "mcp"
json = require "json"
require = nil
function ask(question)
  local answer = now:elicit { message = question, requestedSchema = {
    type = "object", properties = { text = { type = "string" } } } }
  return answer.content and answer.content.text
end
local function chunk(...)
]]

-- What a tool may return is for the host to write down: a table is handed to it as it is.
local TAIL = [[

end
local handler = chunk()
mcp.tool { name = "attack", inputSchema = { type = "object" }, handler = function(args, ctx)
  now = ctx
  local value = handler and handler(args)
  return type(value) == "table" and mcp.structured { value = value } or tostring(value)
end }
mcp.tool { name = "attack.next", handler = function() return "fine" end }
]]

local PROBE = [[
mcp.tool { name = "%s", handler = function() local function probe()
%s
end return tostring(probe()) end }
]]

-- These are whole files: what counts is how they begin, or how large they are.
local WHOLE = { ["load-01"] = true, ["load-06"] = true, ["mem-14"] = true, ["mem-15"] = true,
  ["vm-04"] = true }

local function repeated(n, make)
  local list = {}
  for i = 1, n do list[i] = make(i) end
  return list
end

-- The hostile arguments, by the name that an attack has for them. A JSON body has at most 100,000
-- values and, here, 4 MiB.
local INPUTS = {
  trim = function() return { text = "x" .. (" "):rep(200000) .. "x" } end,
  lt = function() return { text = ("<"):rep(200000) } end,
  pattern = function()
    return { text = ("a"):rep(30), pattern = ("a?"):rep(30) .. ("a"):rep(30) .. "b" }
  end,
  n = function() return { n = 10000000000000 } end,
  fmt = function() return { text = "%s %p" } end,
  list = function() return { list = repeated(90000, function(i) return i end) } end,
  keys = function()
    return { list = repeated(60000, function(i) return ("%d"):format(i * 65535) end) }
  end,
  ids = function() return { list = repeated(65537, function(i) return i * 131071 end) } end,
}

-- Returns the path of the catalogue, or nil and where it was looked for.
local function find(root)
  local places = { root .. "/../shared/" .. FILE }
  local data = os.getenv "LUNASK_DATA"
  if data then places[2] = data .. "/../" .. FILE end
  for _, path in ipairs(places) do
    if shell.read(path) then return path end
  end
  return nil, "there is no " .. table.concat(places, " and no ")
end

-- Returns the attacks of the catalogue beside the project at `root` as a list; or nil and why not.
function attacks.load(root)
  local path, problem = find(root)
  if not path then return nil, problem end
  return assert(loadfile(path, "t", { string = string, table = table }))()
end

-- Returns the text of the script that attacks. Its tools: "attack", "attack.next", which is
-- harmless, and "attack.probe" if the catalogue looks at what is left of the VM.
function attacks.script(attack)
  if WHOLE[attack.id] then return attack.code end
  local probe = attack.probe and PROBE:format("attack.probe", attack.probe) or ""
  return HEAD .. attack.code .. TAIL .. probe
end

-- Returns the text of another script of the same host, whose tool "other" is the probe.
function attacks.other(attack)
  return HEAD .. "end chunk()\n" .. PROBE:format("other", attack.probe or "return true")
end

function attacks.arguments(attack)
  return attack.input and INPUTS[attack.input]() or { text = "secret" }
end

-- Returns how a call ended in one word: "cpu" or "memory" (a limit stopped it, and the client was
-- told which), "error", "ok".
function attacks.outcome(call)
  local text = call.text or ""
  if not call.result then return "none" end
  if not call.is_error then return "ok" end
  if text:find("was stopped: CPU time used up (vm_cpu)", 1, true) then return "cpu" end
  return text:find("memory used up (vm_memory)", 1, true) and "memory" or "error"
end

return attacks
