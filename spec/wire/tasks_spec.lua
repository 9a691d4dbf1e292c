-- Tasks outlive the host: its sudden end loses none, and none happens twice.

local modern = require "support.modern"
local process = require "support.process"
local shell = require "support.shell"
local store = require "support.store"
local wait = require "support.wait"

local KNOWS = { elicitation = {}, extensions = { ["io.modelcontextprotocol/tasks"] = {} } }

local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "ask", execution = { taskSupport = "optional" }, handler = function(_, ctx)
  local answer = ctx:elicit { message = "?", key = "ok", requestedSchema = { type = "object",
    properties = { ok = { type = "boolean" } } } }
  ctx.store:append("c", ctx.call_id)
  return answer.action
end }
mcp.tool { name = "wait", execution = { taskSupport = "optional" }, handler = function(_, ctx)
  ctx.store:append("c", ctx.call_id)
  while not ctx:read "data/go" do end
  return "went"
end }
]]

describe("a task in a host that dies", function()
  local host, remove, folder, client

  before_each(function()
    folder, remove = shell.folder()
    shell.capture { "mkdir", folder .. "/data" }
    shell.write(folder .. "/s.lua", SCRIPT)
    shell.write(folder .. "/host.lua", "return { grants = { s = { read = { 'data' } } } }")
    host = process.start { scripts = folder }
    client = modern.connect(host, { capabilities = KNOWS })
  end)

  after_each(function()
    process.close(host)
    remove()
  end)

  local function get(id)
    return client:request("tasks/get", { taskId = id }).result
  end

  local function settled(id)
    return wait.for_condition("the task", function()
      local task = get(id)
      return task.status ~= "working" and task
    end)
  end

  local function kill_worker()
    local pid = host:worker_pid()
    shell.capture { "kill", "-KILL", tostring(pid) }
    wait.for_condition("another worker", function()
      local now = host:worker_pid()
      return now and now ~= pid
    end)
  end

  it("waits for its answer, and goes on with it in the next one", function()
    local id = client:call("ask").result.taskId
    assert.equal("input_required", settled(id).status)
    kill_worker()
    assert.equal("input_required", get(id).status)
    client:request("tasks/update",
      { taskId = id, inputResponses = { ["ok-1"] = { action = "decline" } } })
    assert.equal("decline", settled(id).result.content[1].text)
    assert.equal(1, #store.rows(host, "s", "c"))
  end)

  it("is run again if it was in the middle, and has happened once", function()
    local id = client:call("wait").result.taskId
    assert.equal("working", get(id).status)
    kill_worker()
    assert.equal("working", get(id).status)
    assert.same({}, store.rows(host, "s", "c"))
    shell.write(folder .. "/data/go", "go")
    assert.equal("went", settled(id).result.content[1].text)
    assert.equal(1, #store.rows(host, "s", "c"))
  end)

  it("is stopped by tasks/cancel in the middle, and has not happened", function()
    local id = client:call("wait").result.taskId
    client:request("tasks/cancel", { taskId = id })
    assert.equal("cancelled", get(id).status)
    shell.write(folder .. "/data/go", "go")
    kill_worker()
    assert.equal("cancelled", get(id).status)
    assert.same({}, store.rows(host, "s", "c"))
  end)
end)
