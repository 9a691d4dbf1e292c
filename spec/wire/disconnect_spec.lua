-- The client leaves, at every point of a call, in both eras: what is stored then, what a client
-- that comes back gets, and that nothing is left behind.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local store = require "support.store"
local wait = require "support.wait"
local web = require "support.web"

-- Writes, and then does what it is told to: streams, asks, waits for somebody else; in this order.
local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { name = "work", inputSchema = { type = "object" }, handler = function(args, ctx)
  ctx.store:put("c", args.key, "begun")
  if args.stream then ctx:progress(1) end
  if args.ask then
    local answer = ctx:elicit { message = "?", requestedSchema = {
      type = "object", properties = {} } }
    if answer.action ~= "accept" then return nil, "refused" end
  end
  if args.hold then ctx:fetch { url = "http://127.0.0.1:PORT/hang" } end
  ctx.store:put("c", args.key, "done")
  return "done"
end }
]]

local YES = { action = "accept", content = {} }
local TIMES = 5

describe("a client that leaves", function()
  local folder, remove, server, host, key

  setup(function()
    folder, remove = shell.folder()
    server = web.start()
    shell.write(folder .. "/s.lua", (SCRIPT:gsub("PORT", tostring(server.port))))
    shell.write(folder .. "/host.lua",
      ('return { grants = { s = { http = { "http://127.0.0.1:%d" } } } }'):format(server.port))
    host = process.start { scripts = folder }
    key = 0
  end)

  teardown(function()
    process.close(host)
    server:close()
    remove()
  end)

  before_each(function()
    server:seen()
  end)

  local function new_key()
    key = key + 1
    return "k" .. key
  end

  local function now()
    return rpc.decode(http.exchange(host, { method = "GET", path = "/status" }).body).now
  end

  -- What goes on in the host ends without anybody's help, and the host lives on.
  local function assert_nothing_left()
    wait.for_condition("the calls to end", function()
      return now().calls_open == 0
    end)
    assert.equal(200, modern.connect(host):request("server/discover").status)
  end

  local function stored(of)
    for _, row in ipairs(store.rows(host, "s", "c")) do
      if row.key == of then return row.value end
    end
  end

  local function wait_until_stored(of)
    wait.for_condition("the row", function()
      return stored(of) == "done"
    end)
  end

  local function wait_until_held()
    local seen = 0
    wait.for_condition("the request of the script", function()
      seen = seen + server:seen()
      return seen > 0
    end)
  end

  local function params(arguments)
    return { name = "work", arguments = arguments, _meta = { progressToken = "t" } }
  end

  local function modern_request(arguments)
    local prepared = modern.connect(host):prepare("tools/call",
      { name = "work", arguments = arguments })
    prepared.message.params._meta.progressToken = "t"
    return modern.http_request(prepared)
  end

  -- Sends a request on a connection of its own and reads nothing.
  local function send(request)
    local connection = http.connect(host)
    connection:send(http.render(host, request))
    return connection
  end

  -- Reads events up to one with a message, or up to the very first one; returns it.
  local function next_event(stream, primed)
    local event
    repeat event = stream:event() until primed or not event or event.data ~= ""
    return event
  end

  local function legacy_request(client, arguments)
    return client:http_request(client:message("tools/call", params(arguments)))
  end

  -- Takes a stream up again behind `id`; returns the messages up to its end, or up to a question,
  -- and the id of the last.
  local function resume(client, id)
    local stream = client:listen { ["Last-Event-ID"] = id }
    assert.equal(200, stream.status)
    local messages, last_id = {}, id
    for event in function() return stream:event() end do
      if event.data ~= "" then messages[#messages + 1] = rpc.decode(event.data) end
      last_id = event.id or last_id
      local last = messages[#messages]
      if last and last.method == "elicitation/create" then break end
    end
    stream:close()
    return messages, last_id
  end

  for name, request in pairs {
    modern = function(arguments) return modern_request(arguments) end,
    legacy = function(arguments) return legacy_request(legacy.connect(host), arguments) end,
  } do
    it("before its body ends has sent nothing, in the " .. name .. " era", function()
      for share = 1, TIMES do
        local of = new_key()
        local text = http.render(host, request { key = of })
        local connection = http.connect(host)
        connection:send(text:sub(1, #text * share // (TIMES + 1)))
        connection:close()
        assert.is_nil(stored(of))
      end
      local of = new_key()
      local text = http.render(host, request { key = of })
      local connection = http.connect(host)
      connection:send(text:sub(1, -2))
      connection:close()
      assert_nothing_left()
      assert.is_nil(stored(of))
    end)
  end

  it("while its call runs has cancelled it, in the modern era", function()
    for _, stream in ipairs { false, true } do
      local of = new_key()
      local connection = send(modern_request { key = of, stream = stream, hold = true })
      wait_until_held()
      assert.equal(1, now().calls_open)
      connection:close()
      assert_nothing_left()
      server:release()
      assert.is_nil(stored(of))
    end
  end)

  it("in the middle of a stream has cancelled the call, in the modern era", function()
    local of = new_key()
    local stream = http.open(host, modern_request { key = of, stream = true, hold = true })
    assert.equal("notifications/progress", rpc.decode(next_event(stream).data).method)
    wait_until_held()
    stream:close()
    assert_nothing_left()
    server:release()
    assert.is_nil(stored(of))
  end)

  it("when it was asked has left nothing waiting, in the modern era", function()
    local of = new_key()
    for _ = 1, TIMES do
      send(modern_request { key = of, ask = true }):close()
    end
    assert_nothing_left()
    assert.equal(0, now().calls_parked)
    assert.is_nil(stored(of))
  end)

  it("when it has answered may answer again, and it is done once, in the modern era", function()
    local of = new_key()
    local client = modern.connect(host)
    local call = client:ask("work", { key = of, ask = true, hold = true })
    local prepared = client:prepare("tools/call", {
      name = "work", arguments = { key = of, ask = true, hold = true },
      requestState = call.state, inputResponses = { [call.key] = YES },
    })
    local connection = send(modern.http_request(prepared))
    wait_until_held()
    connection:close()
    assert_nothing_left()
    server:release()
    assert.is_nil(stored(of))
    connection = send(modern.http_request(prepared))
    wait_until_held()
    server:release()
    assert.equal("done", rpc.text(rpc.decode(connection:reply():read().body)))
    connection:close()
    assert.equal("done", stored(of))
  end)

  it("while it listens is forgotten, in the modern era", function()
    local client = modern.connect(host)
    local prepared = client:prepare("subscriptions/listen",
      { notifications = { toolsListChanged = true } })
    for _ = 1, TIMES do
      http.open(host, modern.http_request(prepared)):close()
      send(modern.http_request(prepared)):close()
    end
    wait.for_condition("the streams to be gone", function()
      return now().streams == 0
    end)
  end)

  it("while its call runs loses the reply and nothing else, in the legacy era", function()
    local of = new_key()
    local client = legacy.connect(host)
    local connection = send(legacy_request(client, { key = of, hold = true }))
    wait_until_held()
    connection:close()
    assert.equal(1, now().calls_open)
    server:release()
    wait_until_stored(of)
    assert_nothing_left()
    assert.equal(200, client:request("ping").status)
    client:delete()
  end)

  it("in the middle of a stream gets the rest when it comes back, in the legacy era", function()
    for _, version in ipairs { "2025-11-25", "2025-06-18", "2025-03-26" } do
      local of = new_key()
      local client = legacy.connect(host, { version = version })
      local stream = http.open(host, legacy_request(client,
        { key = of, stream = true, hold = true }))
      local event = next_event(stream)
      assert.equal("notifications/progress", rpc.decode(event.data).method)
      wait_until_held()
      stream:close()
      server:release()
      wait_until_stored(of)
      local messages = resume(client, event.id)
      assert.equal(1, #messages)
      assert.equal("done", rpc.text(messages[1]))
      client:delete()
    end
    assert_nothing_left()
  end)

  it("before it read the question is asked when it comes back, in the legacy era", function()
    local of = new_key()
    local client = legacy.connect(host)
    local stream = http.open(host, legacy_request(client, { key = of, ask = true }))
    local first = next_event(stream, true).id
    stream:close()
    local messages, last = resume(client, first)
    assert.equal(1, #messages)
    assert.equal("elicitation/create", messages[1].method)
    assert.equal(202, client:respond(messages[1].id, YES).status)
    wait_until_stored(of)
    messages = resume(client, last)
    assert.equal(1, #messages)
    assert.equal("done", rpc.text(messages[1]))
    client:delete()
    assert_nothing_left()
  end)

  it("right behind its answer gets the result when it comes back, in the legacy era", function()
    local of = new_key()
    local client = legacy.connect(host)
    local call = client:ask("work", { key = of, ask = true, hold = true })
    local last = call.last_event_id
    call.stream:close()
    send(client:http_request { jsonrpc = "2.0", id = call.question_id, result = YES }):close()
    wait_until_held()
    for _ = 1, TIMES do -- it comes, and is lost again
      client:listen({ ["Last-Event-ID"] = last }):close()
    end
    server:release()
    wait_until_stored(of)
    local messages = resume(client, last)
    assert.equal(1, #messages)
    assert.equal("done", rpc.text(messages[1]))
    client:delete()
    assert_nothing_left()
  end)

  it("and never comes back has stored nothing once its session ends, in the legacy era", function()
    local before = now().sessions
    local keys = {}
    for i = 1, TIMES do
      local client = legacy.connect(host)
      keys[i] = new_key()
      local call = client:ask("work", { key = keys[i], ask = true })
      local own = client:listen()
      if i % 2 == 0 then call.stream:close() end
      assert.equal(204, client:delete().status)
      if i % 2 == 1 then call:advance() end
      assert.is_nil(next_event(own))
      own:close()
    end
    assert_nothing_left()
    assert.same({ before, 0 }, { now().sessions, now().calls_parked })
    for _, of in ipairs(keys) do assert.is_nil(stored(of)) end
  end)
end)
