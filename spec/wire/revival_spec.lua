local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local shell = require "support.shell"
local store = require "support.store"

-- Sits in one instruction, which no hook can end: chosen keys that collide.
local SCRIPT = [[
local mcp = require "mcp"

mcp.tool { name = "ask", inputSchema = { type = "object" }, handler = function(_, ctx)
  local answer = ctx:elicit { message = "Go on?", requestedSchema = {
    type = "object", properties = { ok = { type = "boolean" } } } }
  ctx.store:append("answers", answer.action)
  return "done"
end }

mcp.tool { name = "flood", handler = function()
  local step, t = (1 << 18) - 1, {}
  for i = 1, (1 << 17) + 1 do t[i * step] = true end
end }
]]

local YES = { action = "accept", content = { ok = true } }

describe("a script whose run had to be jumped out of", function()
  local host, remove

  before_each(function()
    local folder
    folder, remove = shell.folder()
    shell.write(folder .. "/trap.lua", SCRIPT)
    host = process.start { scripts = folder, config = { vm_cpu = 50 } }
  end)

  after_each(function()
    process.close(host)
    remove()
  end)

  local function flood(client)
    local call = client:ask("flood", {})
    assert.is_true(call.is_error)
    assert.equal("flood was stopped: CPU time used up (vm_cpu)", call.text)
  end

  it("answers the next call", function()
    local client = modern.connect(host)
    flood(client)
    local call = client:ask("ask", {})
    call:answer(YES)
    assert.equal("done", call.text)
    assert.equal(1, #store.rows(host, "trap", "answers"))
  end)

  it("ends its parked calls, withdraws their questions and stores nothing", function()
    local client = legacy.connect(host)
    local parked = client:ask("ask", {})
    flood(legacy.connect(host))
    parked:advance()
    assert.is_true(parked.is_error)
    assert.matches("^ask was interrupted", parked.text)
    assert.equal("notifications/cancelled", parked.notifications[1].method)
    assert.equal(202, parked:post_answer(YES).status)
    assert.same({}, store.rows(host, "trap", "answers"))
  end)

  it("takes the answer of a sealed call that it never waited with", function()
    local client = modern.connect(host)
    local sealed = client:ask("ask", {})
    flood(client)
    sealed:answer(YES)
    assert.equal("done", sealed.text)
    assert.equal(1, #store.rows(host, "trap", "answers"))
  end)
end)
