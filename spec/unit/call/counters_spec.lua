-- The counters have names a page of metrics can show, and what they count is counted once.

local inside = require "support.inside"
local unit = require "unit"

local SCRIPT = [[
local mcp = require "mcp"
local FORM = { type = "object", properties = { ok = { type = "boolean" } } }

local function tool(name, handler)
  mcp.tool { name = name, inputSchema = { type = "object" }, handler = handler }
end

tool("echo", function() return "here" end)
tool("raise", function() error "boom" end)
tool("ask", function(_, ctx)
  return ctx:elicit { message = "?", requestedSchema = FORM }.action
end)
tool("ask_twice", function(_, ctx)
  ctx:elicit { message = "?", requestedSchema = FORM }
  return ctx:elicit { message = "Sure?", requestedSchema = FORM }.action
end)
tool("spin", function() while true do end end)
tool("fill", function()
  local held = {}
  while true do held[#held + 1] = ("x"):rep(5000) .. #held end
end)
tool("cling", function()
  local held = {}
  while true do
    pcall(function() held[#held + 1] = ("x"):rep(5000) .. #held end)
  end
end)
tool("collide", function()
  local t, step = {}, (1 << 17) - 1
  for i = 1, 1 << 17 do t[i * step] = true end
end)
tool("chatter", function()
  for _ = 1, 100 do print(("x"):rep(2000)) end
  return "said"
end)
]]

describe("the counters", function()
  local host

  local function start(config)
    host = inside.start { scripts = { s = SCRIPT }, config = config, store = "memory:" }
  end

  after_each(function()
    inside.close(host)
    host = nil
  end)

  -- Which counters have grown, as { name = by how much }.
  local function grown(before)
    local result = {}
    for name, n in pairs(host:counters()) do
      if n ~= before[name] then result[name] = n - before[name] end
    end
    return result
  end

  local function count(name, options)
    local before = host:counters()
    host:call(name, nil, options)
    host:settle()
    return grown(before)
  end

  it("each have a name of their own, and a sentence", function()
    local seen = {}
    for _, kind in ipairs(unit.counters.kinds()) do
      assert.truthy(kind[1]:find "^[a-z_]+$")
      assert.truthy(kind[2]:find "^[%a].+%.$")
      assert.is_nil(seen[kind[1]])
      seen[kind[1]] = true
    end
  end)

  it("tell calls that went well from those that failed", function()
    start()
    assert.same({ calls = 1 }, count "echo")
    assert.same({ calls = 1, calls_failed = 1 }, count "raise")
  end)

  it("count a question when it is sent", function()
    start()
    assert.same({ calls = 1, questions = 1 }, count "ask")
  end)

  it("name the limit that stopped a call", function()
    start "vm_cpu = 60"
    assert.same({ calls = 1, calls_failed = 1, limit_vm_cpu = 1 }, count "spin")
    assert.same({ calls = 1, limit_log = 1 }, count "chatter")
  end)

  it("name the memory of a call that has used it up", function()
    start "vm_memory = 4194304"
    assert.same({ calls = 1, calls_failed = 1, limit_vm_memory = 1 }, count "fill")
  end)

  it("tell a call that went on without memory from one that ran out of it", function()
    start "vm_memory = 4194304"
    assert.same({ calls = 1, calls_failed = 1, limit_allocations = 1 }, count "cling")
  end)

  it("count a script that was dropped whole", function()
    start "vm_cpu = 60"
    assert.same({ calls = 1, calls_failed = 1, limit_vm_cpu = 1, vms_dropped = 1 }, count "collide")
  end)

  it("count a call that asks too often", function()
    start "rounds = 1"
    local state = host:call("ask_twice"):result().requestState
    local options = { state = state, responses = { q1 = { action = "decline" } } }
    assert.same({ calls = 1, calls_failed = 1, limit_rounds = 1 }, count("ask_twice", options))
  end)

  it("count a requestState that does not open", function()
    start()
    assert.same({ states_refused = 1 }, count("ask", { state = "v1.not.one" }))
  end)
end)
