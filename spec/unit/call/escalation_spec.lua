-- Calls that ask first and then go on as tasks.

local inside = require "support.inside"

local KNOWS = { elicitation = {}, extensions = { ["io.modelcontextprotocol/tasks"] = {} } }

local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "job", execution = { taskSupport = "optional" },
  handler = function(_, ctx)
    local answer = ctx:elicit { message = "?", key = "ok", requestedSchema = { type = "object",
      properties = { ok = { type = "boolean" } } } }
    ctx.store:append("c", answer.action)
    if answer.action ~= "accept" then return nil, "not wanted" end
    return answer.action
  end,
  task = function(_, ctx, value)
    ctx.store:append("c", "task")
    return "did " .. value
  end }
]]

describe("a call that asks first", function()
  local host

  before_each(function()
    host = inside.start { scripts = { s = SCRIPT }, store = "file" }
  end)

  after_each(function() inside.close(host) end)

  local function replied(visit)
    host:turn_until("the reply", function() return not visit:open() end)
    return visit
  end

  local function call(capabilities, extra)
    local params = { name = "job", arguments = {} }
    for key, value in pairs(extra or {}) do params[key] = value end
    return host:modern("tools/call", params, { capabilities = capabilities })
  end

  local function retry(capabilities, state, action)
    return call(capabilities,
      { requestState = state, inputResponses = { ok = { action = action } } })
  end

  local function ask(capabilities)
    local asked = replied(call(capabilities)):result()
    assert.equal("input_required", asked.resultType)
    assert.is_nil(asked.taskId)
    return asked.requestState
  end

  local function settled(id)
    local task
    host:turn_until("the task", function()
      local visit = host:modern("tasks/get", { taskId = id }, { capabilities = KNOWS })
      task = replied(visit):result()
      return task.status ~= "working"
    end)
    return task
  end

  local function count(script, collection) return #host:rows(script, collection) end

  it("becomes a task with its answer, and what it wrote is kept with the task's", function()
    local created = replied(retry(KNOWS, ask(KNOWS), "accept")):result()
    assert.equal("task", created.resultType)
    assert.is_nil(created.requestState)
    local task = settled(created.taskId)
    assert.equal("did accept", task.result.content[1].text)
    assert.equal(2, count("s", "c"))
  end)

  it("is one task, however often the same answers come, at once or later", function()
    local state = ask(KNOWS)
    local first, second = retry(KNOWS, state, "accept"), retry(KNOWS, state, "accept")
    local id = replied(first):result().taskId
    assert.is_string(id)
    assert.equal(id, replied(second):result().taskId)
    settled(id)
    assert.equal(id, replied(retry(KNOWS, state, "accept")):result().taskId)
    assert.equal(1, count("host", "tasks"))
    assert.equal(2, count("s", "c"))
  end)

  it("is refused with other answers once it is a task", function()
    local state = ask(KNOWS)
    local id = replied(retry(KNOWS, state, "accept")):result().taskId
    assert.equal(-32602, replied(retry(KNOWS, state, "decline")):error().code)
    assert.equal("did accept", settled(id).result.content[1].text)
    assert.equal(1, count("host", "tasks"))
    assert.equal(2, count("s", "c"))
  end)

  it("becomes none if its handler refuses, and none afterwards", function()
    local state = ask(KNOWS)
    assert.is_true(replied(retry(KNOWS, state, "decline")):is_error())
    assert.equal(-32602, replied(retry(KNOWS, state, "accept")):error().code)
    assert.equal(0, count("host", "tasks"))
    assert.equal(0, count("s", "c"))
  end)

  it("goes on as it is for a client that knows no tasks", function()
    local plain = { elicitation = {} }
    assert.equal("did accept", replied(retry(plain, ask(plain), "accept")):text())
    assert.equal(0, count("host", "tasks"))
    assert.equal(2, count("s", "c"))
  end)
end)
