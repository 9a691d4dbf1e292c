-- Tasks (io.modelcontextprotocol/tasks): calls that go on without their client, and their rows.

local inside = require "support.inside"

local EXTENSION = "io.modelcontextprotocol/tasks"
local KNOWS = { elicitation = {}, extensions = { [EXTENSION] = {} } }

local SCRIPT = [[
local mcp = require "mcp"
local FORM = { type = "object", properties = { ok = { type = "boolean" } } }

local function tool(name, support, handler)
  mcp.tool { name = name, inputSchema = { type = "object" }, handler = handler,
    execution = support and { taskSupport = support } }
end

tool("plain", nil, function() return "plain" end)
tool("note", "optional", function(_, ctx)
  ctx.store:append("c", 1)
  return "noted"
end)
tool("must", "required", function() return "done" end)
tool("bad", "optional", function(_, ctx)
  ctx.store:append("c", 1)
  return nil, "not today"
end)
tool("raises", "optional", function() error "boom" end)
tool("samples", "optional", function(_, ctx)
  return ctx:sample { maxTokens = 1, messages = { { role = "user",
    content = { type = "text", text = "?" } } } }
end)
tool("ask", "optional", function(_, ctx)
  local first = ctx:elicit { message = "first?", key = "a", requestedSchema = FORM }
  ctx.store:append("c", "first")
  local second = ctx:elicit { message = "second?", key = "b", requestedSchema = FORM }
  ctx.store:append("c", "second")
  return first.action .. " " .. second.action
end)
tool("both", "optional", function(_, ctx)
  local answers = ctx:ask {
    a = { message = "a?", requestedSchema = FORM }, b = { message = "b?", requestedSchema = FORM } }
  return answers.a.action .. " " .. answers.b.action
end)
tool("large", "optional", function(_, ctx)
  ctx.store:append("c", 1)
  return ("x"):rep(300 * 1024)
end)
]]

describe("a task", function()
  local host

  local function start(config, store)
    host = inside.start { scripts = { s = SCRIPT }, config = config, store = store or "file" }
  end

  before_each(function() start() end)

  after_each(function()
    inside.close(host)
    host = nil
  end)

  local function rows()
    return table.concat(host:rows("s", "c"), " ")
  end

  -- Waits for the reply of a request.
  local function replied(visit)
    host:turn_until("the reply", function() return not visit:open() end)
    return visit
  end

  local function request(method, params, options)
    options = options or {}
    options.capabilities = options.capabilities or KNOWS
    return replied(host:modern(method, params, options))
  end

  local function call(name, options)
    return request("tools/call", { name = name, arguments = {} }, options)
  end

  local function get(id, options)
    return request("tasks/get", { taskId = id }, options)
  end

  -- Reads the task until it is no longer working.
  local function settled(id)
    local task
    host:turn_until("the task", function()
      task = get(id):result()
      return task.status ~= "working"
    end)
    return task
  end

  local function update(id, responses)
    return request("tasks/update", { taskId = id, inputResponses = responses })
  end

  local function keys(task)
    local list = {}
    for key in pairs(task.inputRequests) do list[#list + 1] = key end
    table.sort(list)
    return table.concat(list, " ")
  end

  it("is what a tool that may be one becomes for a client that knows them", function()
    local created = call("note"):result()
    assert.equal("task", created.resultType)
    assert.equal("working", created.status)
    assert.matches("^%x+$", created.taskId)
    assert.equal(32, #created.taskId)
    for _, field in ipairs { "createdAt", "lastUpdatedAt" } do
      assert.matches("^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d%.%d%d%dZ$", created[field])
    end
    assert.equal(3600000, created.ttlMs)
    assert.is_true(created.pollIntervalMs > 0)
    for _, field in ipairs { "result", "error", "inputRequests", "requestState", "task" } do
      assert.is_nil(created[field])
    end
    local task = settled(created.taskId)
    assert.equal("complete", task.resultType)
    assert.equal("completed", task.status)
    assert.equal("noted", task.result.content[1].text)
    assert.is_nil(task.error)
    assert.not_equal("", rows())
  end)

  it("is what no call becomes for a client that does not, nor of a tool that may not", function()
    for _, case in ipairs { { "note", { elicitation = {} } }, { "plain", KNOWS } } do
      local visit = call(case[1], { capabilities = case[2] })
      assert.equal("complete", visit:result().resultType)
      assert.is_nil(visit:result().taskId)
      assert.is_string(visit:text())
    end
  end)

  it("is what a client must know to call a tool that needs it", function()
    local refusal = call("must", { capabilities = { elicitation = {} } })
    assert.equal(-32021, refusal:error().code)
    assert.same({}, refusal:error().data.requiredCapabilities.extensions[EXTENSION])
    assert.is_true(host:initialize():call("must"):is_error())
    assert.equal("done", settled(call("must"):result().taskId).result.content[1].text)
  end)

  it("is completed with a result that is an error, and has stored nothing", function()
    for name, text in pairs { bad = "^not today$", raises = "^raises failed %(reference" } do
      local task = settled(call(name):result().taskId)
      assert.equal("completed", task.status)
      assert.is_true(task.result.isError)
      assert.matches(text, task.result.content[1].text)
      assert.equal("", rows())
    end
  end)

  it("is failed by an error of the protocol", function()
    local task = settled(call("samples"):result().taskId)
    assert.equal("failed", task.status)
    assert.equal(-32021, task.error.code)
    assert.is_nil(task.result)
  end)

  it("is failed by a result that its row can't hold, and has stored nothing", function()
    local task = settled(call("large"):result().taskId)
    assert.equal("failed", task.status)
    assert.equal(-32603, task.error.code)
    assert.equal("", rows())
  end)

  it("asks under keys of its own, and goes on with the answers", function()
    local id = call("ask"):result().taskId
    local task = settled(id)
    assert.equal("input_required", task.status)
    assert.equal("a-1", keys(task))
    assert.equal("elicitation/create", task.inputRequests["a-1"].method)
    assert.equal("first?", task.inputRequests["a-1"].params.message)
    local ack = update(id, { ["a-1"] = { action = "accept", content = { ok = true } } })
    assert.is_nil(ack:result().taskId)
    assert.equal("complete", ack:result().resultType)
    task = settled(id)
    assert.equal("b-2", keys(task))
    update(id, { ["b-2"] = { action = "decline" } })
    assert.equal("accept decline", settled(id).result.content[1].text)
    assert.equal(2, #host:rows("s", "c"))
  end)

  it("ignores answers to what it does not ask, and those that come twice", function()
    local id = call("ask"):result().taskId
    settled(id)
    for _, key in ipairs { "a", "a-2", "b-1", "", "-1", "x" } do
      assert.is_nil(update(id, { [key] = { action = "accept" } }):error())
      assert.equal("a-1", keys(get(id):result()))
    end
    update(id, { ["a-1"] = { action = "accept" } })
    settled(id)
    update(id, { ["a-1"] = { action = "decline" } })
    assert.equal("b-2", keys(get(id):result()))
    update(id, { ["b-2"] = { action = "accept" } })
    assert.equal("accept accept", settled(id).result.content[1].text)
    assert.is_nil(update(id, { ["b-2"] = { action = "decline" } }):error())
    assert.equal("accept accept", get(id):result().result.content[1].text)
  end)

  it("keeps the answers of a part of a round, and waits for the rest", function()
    local id = call("both"):result().taskId
    assert.equal("a-1 b-1", keys(settled(id)))
    update(id, { ["a-1"] = { action = "accept" } })
    assert.equal("b-1", keys(get(id):result()))
    update(id, { ["b-1"] = { action = "cancel" } })
    assert.equal("accept cancel", settled(id).result.content[1].text)
  end)

  it("is cancelled while it waits, and stores nothing", function()
    local id = call("ask"):result().taskId
    settled(id)
    for _ = 1, 2 do
      local ack = request("tasks/cancel", { taskId = id }):result()
      assert.equal("complete", ack.resultType)
      assert.is_nil(ack.taskId)
    end
    assert.equal("cancelled", get(id):result().status)
    update(id, { ["a-1"] = { action = "accept" } })
    assert.equal("cancelled", get(id):result().status)
    assert.equal("", rows())
  end)

  it("that is over is not cancelled", function()
    local id = call("note"):result().taskId
    settled(id)
    assert.is_nil(request("tasks/cancel", { taskId = id }):error())
    assert.equal("completed", get(id):result().status)
  end)

  it("does not exist for another principal, nor under another id", function()
    local id = call("ask", { principal = "alice" }):result().taskId
    local unknown = { ("0"):rep(32), "", "x", id:upper(), id .. "0", id .. "\0", "../" .. id }
    for _, method in ipairs { "tasks/get", "tasks/update", "tasks/cancel" } do
      local function refusal(task, principal)
        local message = host:prepare(method,
          { taskId = task, inputResponses = { ["a-1"] = { action = "accept" } } },
          { capabilities = KNOWS })
        return replied(host:post(message, { headers = false, principal = principal })):error()
      end
      for _, principal in ipairs { "bob", "" } do
        assert.equal(-32602, refusal(id, principal).code)
      end
      for _, other in ipairs(unknown) do
        if other ~= id then assert.equal(-32602, refusal(other, "alice").code, other) end
      end
    end
    host:turn_until("the question", function()
      return get(id, { principal = "alice" }):result().status == "input_required"
    end)
  end)

  it("is nothing to a client that does not know them", function()
    local id = call("ask"):result().taskId
    for _, method in ipairs { "tasks/get", "tasks/update", "tasks/cancel" } do
      local refusal = request(method, { taskId = id, inputResponses = {} },
        { capabilities = { elicitation = {} } }):error()
      assert.equal(-32021, refusal.code)
      assert.same({}, refusal.data.requiredCapabilities.extensions[EXTENSION])
    end
    for _, method in ipairs { "tasks/result", "tasks/list" } do
      assert.equal(-32601, request(method, { taskId = id }):error().code)
    end
  end)

  it("is run again if what it read has changed, and has then happened once", function()
    inside.close(host)
    host = inside.start { store = "file", scripts = { s = [[
      local mcp = require "mcp"
      mcp.tool { name = "count", execution = { taskSupport = "optional" },
        handler = function(_, ctx)
          local n = ctx.store:get("c", "n") or 0
          for _ = 1, 20 do ctx.store:get("c", "other") end
          ctx.store:put("c", "n", n + 1)
          return tostring(n + 1)
        end }
    ]] } }
    local ids = {}
    for i = 1, 3 do ids[i] = call("count"):result().taskId end
    local seen = {}
    for i = 1, 3 do seen[i] = settled(ids[i]).result.content[1].text end
    table.sort(seen)
    assert.same({ "1", "2", "3" }, seen)
    assert.equal("n=3", rows())
  end)

  it("can only be listened to by a client that knows them", function()
    local visit = host:modern("subscriptions/listen", { notifications = { taskIds = { "x" } } })
    assert.equal(-32021, visit:error().code)
  end)

  it("needs its id in the header, too", function()
    local id = call("ask"):result().taskId
    local visit = request("tasks/get", { taskId = id },
      { spoil = function(_, headers) headers["Mcp-Name"] = "other" end })
    assert.equal(-32020, visit:error().code)
  end)

  it("is cancelled when its client leaves before it has heard of it", function()
    local visit = host:modern("tools/call", { name = "note", arguments = {} },
      { capabilities = KNOWS })
    visit:leave()
    host:turn_until("the row", function() return #host:rows("host", "tasks") == 1 end)
    host:turn_until("the end", function()
      return host:rows("host", "tasks")[1]:find('"status":"cancelled"', 1, true)
    end)
    assert.equal("", rows())
  end)

  it("is gone when its time is over", function()
    inside.close(host)
    start "task_ttl = 1"
    local id = call("note"):result().taskId
    assert.equal(1000, settled(id).ttlMs)
    host:turn_until("the expiry", function() return get(id):error() end)
    assert.equal(-32602, get(id):error().code)
  end)
end)
