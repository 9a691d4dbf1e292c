-- A call that asked finishes at most once: with the answers it finished with it gives the same
-- result again, with others it is refused; whichever host of the store is asked, and whether one
-- retry comes or many at once. And of calls that read and write one row none is lost.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local store = require "support.store"
local wait = require "support.wait"

local FINISHED = "This call is already finished"

local SCRIPT = [[
local mcp = require "mcp"

local runs = 0
local ANY = { type = "object" }

local function yes(ctx)
  return ctx:elicit { message = "Yes?", requestedSchema = { type = "object", properties = {
    ok = { type = "boolean" } } } }
end

local function tool(name, handler)
  mcp.tool { name = name, inputSchema = ANY, handler = function(args, ctx)
    runs = runs + 1
    return handler(args, ctx)
  end }
end

tool("asks", function(_, ctx)
  local answer = yes(ctx)
  ctx.store:append("rows", answer.action)
  return mcp.structured { run = runs, action = answer.action }
end)

tool("refuses", function(_, ctx)
  yes(ctx)
  ctx.store:append("rows", "no")
  return nil, "refused in run " .. runs
end)

tool("raises", function(_, ctx)
  yes(ctx)
  ctx.store:append("rows", "no")
  mcp.fail("failed in run " .. runs)
end)

tool("asks_twice", function(_, ctx)
  local one, two = yes(ctx), yes(ctx)
  ctx.store:append("rows", one.action .. " " .. two.action)
  return "done"
end)

tool("spins", function(_, ctx)
  local answer = yes(ctx)
  while answer.content.ok do end
  return "done in run " .. runs
end)

tool("large", function(_, ctx)
  yes(ctx)
  ctx.store:append("rows", "large")
  return ("x"):rep(300 * 1024)
end)

tool("reads_much", function(args, ctx)
  for i = 1, 1001 do ctx.store:get("none", "k" .. i) end
  if args.write then ctx.store:append("rows", "much") end
  return "read"
end)

tool("count", function(_, ctx)
  local row = ctx.store:get("counters", "one") or { n = 0 }
  ctx.store:put("counters", "one", { n = row.n + 1 })
  return "counted"
end)

tool("count_if_yes", function(_, ctx)
  local row = ctx.store:get("counters", "one") or { n = 0 }
  if yes(ctx).action ~= "accept" then return "not counted" end
  ctx.store:put("counters", "one", { n = row.n + 1 })
  return "counted"
end)
]]

-- Sends each request on a connection of its own before any reply is read. Returns the replies.
local function send_at_once(requests)
  local connections, replies = {}, {}
  for i, request in ipairs(requests) do
    connections[i] = http.connect(request.host)
    connections[i]:send(http.render(request.host, request))
  end
  for i, connection in ipairs(connections) do
    replies[i] = rpc.open(assert(connection:reply()):read())
    connection:close()
  end
  return replies
end

-- Returns the request that answers a question of `call`, for send_at_once.
local function retry_of(call, answer, host)
  local client = modern.connect(host or call.client.host)
  local request = modern.http_request(client:prepare("tools/call", { name = call.name,
    arguments = {}, requestState = call.state, inputResponses = { [call.key] = answer } }))
  request.host = client.host
  return request
end

local ACCEPT = { action = "accept", content = { ok = true } }
local DECLINE = { action = "decline" }

local function write_scripts(folder)
  local scripts = folder .. "/scripts"
  shell.capture { "mkdir", "-p", scripts }
  shell.write(scripts .. "/calls.lua", SCRIPT)
  shell.write(scripts .. "/host.lua", "return { vm_cpu = 100 }\n")
  return scripts
end

local function assert_refused(reply)
  assert.is_table(reply.error, "not refused: " .. reply.body)
  assert.equal(-32602, reply.error.code)
  assert.equal(FINISHED, reply.error.message)
end

for _, kind in ipairs { "file", "memory:" } do
  describe("over the store " .. kind .. ", a call that asked", function()
    local host, client, folder, remove, rows

    setup(function()
      folder, remove = shell.folder()
      host = process.start { scripts = write_scripts(folder),
        store = kind ~= "file" and kind or nil }
      client = modern.connect(host)
      local known = 0
      -- Returns the values of the rows that were written since it was last asked.
      rows = function()
        local fresh = {}
        if kind == "memory:" then return nil end
        local all = store.rows(host, "calls", "rows")
        for i = known + 1, #all do fresh[#fresh + 1] = all[i].value end
        known = #all
        return fresh
      end
    end)

    teardown(function()
      process.close(host)
      remove()
    end)

    local function assert_written(...)
      local fresh = rows()
      if fresh then assert.same({ ... }, fresh) end
    end

    for _, case in ipairs {
      { "asks", "accept", ACCEPT, ACCEPT },
      { "asks", "decline", DECLINE, DECLINE },
      { "refuses", nil, ACCEPT, ACCEPT },
      { "raises", nil, ACCEPT, ACCEPT },
    } do
      local name, written, answer, same = table.unpack(case)
      it(("gives the same result to the same %s of %s, and runs once"):format(answer.action, name),
        function()
          local call = client:ask(name, {})
          local first, second = call:retry(answer), call:retry(same)
          assert.same(first.result, second.result)
          assert.is_table(first.result.content)
          assert_written(written)
        end)

      it(("refuses another answer to %s after %s"):format(name, answer.action), function()
        local call = client:ask(name, {})
        call:retry(answer)
        assert_refused(call:retry(answer == ACCEPT and DECLINE or ACCEPT))
        assert_refused(call:retry { action = "accept", content = { ok = false } })
        assert_written(written)
      end)
    end

    it("knows the same answer where only its spelling differs", function()
      local call = client:ask("asks", {})
      local function retry(answer)
        local prepared = client:prepare("tools/call", { name = "asks", arguments = {},
          requestState = call.state, inputResponses = { [call.key] = "ANSWER" } })
        prepared.body = rpc.encode(prepared.message):gsub('"ANSWER"', function() return answer end)
        return rpc.open(http.exchange(host, modern.http_request(prepared)))
      end
      local first = retry '{"action":"accept","content":{"ok":true}}'
      local second = retry '{ "content" : {"ok": true}, "action":"\\u0061ccept" }'
      assert.same(first.result, second.result)
      assert_written "accept"
    end)

    it("is finished for a retry of an earlier round, too", function()
      local call = client:ask("asks_twice", {})
      local early = { key = call.key, state = call.state }
      call:answer(ACCEPT)
      call:answer(DECLINE)
      assert.equal("done", call.text)
      assert_refused(client:call("asks_twice", {}, { requestState = early.state,
        inputResponses = { [early.key] = DECLINE } }))
      assert_written "accept decline"
    end)

    it("may be tried again where the host has stopped it", function()
      local call = client:ask("spins", {})
      assert.truthy(rpc.text(call:retry(ACCEPT)):find("vm_cpu", 1, true))
      assert.truthy(rpc.text(call:retry(DECLINE)):find("done", 1, true))
    end)

    it("is refused when its result was too large to be kept", function()
      local call = client:ask("large", {})
      assert.equal(300 * 1024, #rpc.text(call:retry(ACCEPT)))
      local again = call:retry(ACCEPT)
      assert.equal(-32602, again.error.code)
      assert.truthy(again.error.message:find("too large", 1, true))
      assert_written "large"
    end)

    it("is told how many rows a call that writes may read, and stores nothing", function()
      assert.equal("read", client:ask("reads_much", {}).text)
      local call = client:ask("reads_much", { write = true })
      assert.is_true(call.is_error)
      assert.truthy(call.text:find("1000 by their keys", 1, true), call.text)
      assert_written()
    end)

    it("runs once when the same retry comes many times at once", function()
      local call = client:ask("asks", {})
      local requests = {}
      for i = 1, 64 do requests[i] = retry_of(call, ACCEPT) end
      local replies = send_at_once(requests)
      for _, reply in ipairs(replies) do assert.same(replies[1].result, reply.result) end
      assert.equal("accept", replies[1].result.structuredContent.action)
      assert_written "accept"
    end)

    it("runs once when a decline and an accept come at once", function()
      local call = client:ask("asks", {})
      local requests, finished, refused = {}, {}, 0
      for i = 1, 16 do requests[i] = retry_of(call, i % 2 == 0 and ACCEPT or DECLINE) end
      for _, reply in ipairs(send_at_once(requests)) do
        if reply.error then
          assert_refused(reply)
          refused = refused + 1
        else
          finished[reply.result.structuredContent.action] = true
        end
      end
      assert.equal(8, refused)
      assert.is_nil(finished.accept and finished.decline)
      assert_written((next(finished)))
    end)
  end)
end

describe("over one store, two hosts", function()
  local one, two, folder, remove

  setup(function()
    folder, remove = shell.folder()
    local scripts = write_scripts(folder)
    shell.write(scripts .. "/host.lua",
      ([[return { state_keys = { "%sE" } }]]):format(("A"):rep(42)))
    one = process.start { scripts = scripts, store = folder .. "/store.db" }
    two = process.start { scripts = scripts, store = folder .. "/store.db" }
  end)

  teardown(function()
    process.close(one)
    process.close(two)
    remove()
  end)

  it("finish a call once, and give the same result for it", function()
    local call = modern.connect(one):ask("asks", {})
    local first = call:retry(ACCEPT)
    local there = modern.connect(two)
    local function retry(answer)
      return there:call("asks", {}, { requestState = call.state,
        inputResponses = { [call.key] = answer } })
    end
    assert.same(first.result.content, retry(ACCEPT).result.content)
    assert_refused(retry(DECLINE))
    assert.equal(1, #store.rows(one, "calls", "rows"))
  end)

  it("finish a call once that comes to both many times at once", function()
    local call = modern.connect(one):ask("asks", {})
    local before, requests = #store.rows(one, "calls", "rows"), {}
    for i = 1, 64 do requests[i] = retry_of(call, ACCEPT, i % 2 == 0 and one or two) end
    local replies = send_at_once(requests)
    for _, reply in ipairs(replies) do
      assert.same(replies[1].result.content, reply.result.content)
    end
    assert.equal(before + 1, #store.rows(one, "calls", "rows"))
  end)

  it("lose no increment of one row", function()
    local requests = {}
    for i = 1, 100 do
      local host = i % 2 == 0 and one or two
      requests[i] = modern.http_request(modern.connect(host):prepare("tools/call",
        { name = "count", arguments = {} }))
      requests[i].host = host
    end
    for _, reply in ipairs(send_at_once(requests)) do
      assert.equal("counted", rpc.text(reply))
    end
    assert.equal(100, store.rows(one, "calls", "counters")[1].value.n)
  end)

  for _, era in ipairs { "modern", "legacy" } do
    it("lose no increment that a person was asked for, in the " .. era .. " era", function()
      local connect = era == "modern" and modern.connect or legacy.connect
      local before = store.rows(one, "calls", "counters")[1].value.n
      local calls = {}
      for i = 1, 6 do calls[i] = connect(i % 2 == 0 and one or two):ask("count_if_yes", {}) end
      for i, call in ipairs(calls) do call:answer(i == 3 and DECLINE or ACCEPT) end
      assert.equal("counted", calls[6].text)
      assert.equal(before + 5, store.rows(one, "calls", "counters")[1].value.n)
    end)
  end

  it("run a legacy call again whose client has left, and keep what it was asked for", function()
    local before = store.rows(one, "calls", "counters")[1].value.n
    local call = legacy.connect(one):ask("count_if_yes", {})
    modern.connect(two):ask("count", {})
    call:post_answer(ACCEPT)
    call.stream:close()
    wait.for_condition("both increments", function()
      return store.rows(one, "calls", "counters")[1].value.n == before + 2
    end)
  end)
end)
