-- Scripts inside the specs: a VM, or a whole folder, and runs against a host made of functions.
--
--   local tool = script.tool { handler = "return args.topic" }        source of a handler's body
--   local run = tool:run({ topic = "x" }, { ask = function … end })   see native/run.c
--   assert.equal("parked", run.state)
--   run:resume { action = "accept", content = { ok = true } }
--   assert.equal("x", run:text())
--
-- Temporary folders are removed by script.clean, for after_each.

local cjson = require "cjson"
local lfs = require "lfs"
local unit = require "unit"

local script = { null = cjson.null }

local folders = {}

local function remove(path)
  if lfs.symlinkattributes(path, "mode") ~= "directory" then return os.remove(path) end
  for name in lfs.dir(path) do
    if name ~= "." and name ~= ".." then remove(path .. "/" .. name) end
  end
  return lfs.rmdir(path)
end

function script.clean()
  for _, folder in ipairs(folders) do assert(remove(folder)) end
  folders = {}
end

-- Returns the path of a fresh folder named "scripts" with `files` (path inside it → text) in it.
function script.folder(files)
  local root = os.tmpname()
  os.remove(root)
  assert(lfs.mkdir(root))
  folders[#folders + 1] = root
  local folder = root .. "/scripts"
  assert(lfs.mkdir(folder))
  for path, text in pairs(files) do
    local inside = folder
    for part in path:gmatch "([^/]+)/" do
      inside = inside .. "/" .. part
      if not lfs.attributes(inside, "mode") then assert(lfs.mkdir(inside)) end
    end
    local file = assert(io.open(folder .. "/" .. path, "wb"))
    file:write(text)
    file:close()
  end
  return folder
end

-- Runs `source` as scripts/x.lua in a VM of its own. `options`: files (more of the folder), name,
-- memory, cpu_us. Returns the VM and what the file returned; or nil, the error, the VM.
function script.vm(source, options)
  local files = { ["x.lua"] = source }
  options = options or {}
  for path, text in pairs(options.files or {}) do files[path] = text end
  local folder = script.folder(files)
  local vm = assert(unit.vm.new {
    name = options.name or "x",
    folder = folder,
    memory = options.memory,
    cpu_us = options.cpu_us,
  })
  local ok, value = vm:run(folder .. "/x.lua")
  if ok then return vm, value end
  return nil, value, vm
end

-- Returns what `source` returns: a string as it is, nil as nil, all else as JSON text.
function script.eval(source, options)
  local vm, value = script.vm(source, options)
  assert(vm, value)
  return value
end

-- Returns the error that `source` ends with.
function script.failure(source, options)
  local vm, problem = script.vm(source, options)
  assert(not vm, "the script loads")
  return problem
end

-- Returns the lines of a log without their time.
function script.lines(log)
  local lines = {}
  for line in log:gmatch "[^\n]+" do lines[#lines + 1] = line:match "^%S+ (.*)$" end
  return lines
end

local Run = {}
Run.__index = Run

local function decode(text)
  return cjson.decode(text)
end

function Run:resume(answer, problem)
  self.state = self.native:resume(answer ~= nil and cjson.encode(answer) or nil, problem)
  return self.state
end

-- As resume, with the answer as JSON text.
function Run:resume_text(json, problem)
  self.state = self.native:resume(json, problem)
  return self.state
end

-- The result object, and its _meta as text.
function Run:result()
  assert(self.state == "done", self.state .. ": " .. (self.native:failure()))
  local fields, meta, is_error = self.native:result()
  return decode("{" .. fields .. "}"), meta, is_error
end

-- The text of a result of one text.
function Run:text()
  local result = self:result()
  assert(#result.content == 1 and result.content[1].type == "text", "no result of one text")
  return result.content[1].text
end

-- Whether the run failed, with the text for the user and the capability that was lacking.
function Run:failure()
  assert(self.state == "failed", self.state)
  return self.native:failure()
end

-- The run's share of the log, without the times.
function Run:log()
  return script.lines(self.owner:log():sub(self.logged + 1))
end

-- The reason that the log has for the failure.
function Run:reason()
  local text = self:failure()
  local reference = text:match "reference (%x+)"
  assert(reference, "the user was told: " .. text)
  for _, line in ipairs(self:log()) do
    local reason = line:match("%(reference " .. reference .. "%): (.*)$")
    if reason then return reason end
  end
  error "the log has no line with the reference"
end

-- Starts a run of the tool `name` of `owner`, a VM or a generation. `arguments` is a table, or JSON
-- text. `host` is a table of callbacks; `options`: started_ms, seed.
function script.run(owner, name, arguments, host, options)
  local run = setmetatable({ owner = owner, logged = #owner:log() }, Run)
  run.native = assert(unit.run.new(owner, name, host or {}, options or {}))
  if type(arguments) == "table" then
    arguments = next(arguments) == nil and "{}" or cjson.encode(arguments)
  end
  run.state = run.native:start(arguments or "{}")
  return run
end

-- Runs the body of a handler (args, ctx) once, in a script of its own.
function script.handle(body, arguments, host, options)
  local vm, problem = script.vm(
    "local mcp = require 'mcp'; mcp.tool { inputSchema = { type = 'object' }, "
      .. "handler = function(args, ctx) local _ = args, ctx; " .. body .. "\nend }", options)
  assert(vm, problem)
  return script.run(vm, "x", arguments, host, options)
end

return script
