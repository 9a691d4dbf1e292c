-- The streams on which clients hear that the tools have changed: modern ones by subscription.

local inside = require "support.inside"
local rpc = require "support.rpc"
local shell = require "support.shell"

local ID = "io.modelcontextprotocol/subscriptionId"

local function tool(description, text)
  return ("require('mcp').tool { name = 't', description = %q, "
    .. "handler = function() return %q end }"):format(description, text or "")
end

describe("subscriptions/listen", function()
  local host

  local function start(config)
    host = inside.start { scripts = { x = tool "one" }, config = config }
  end

  after_each(function()
    inside.close(host)
    host = nil
  end)

  local function listen(filter, options)
    return host:modern("subscriptions/listen", { notifications = filter }, options)
  end

  local function edit(...)
    shell.write(host.folder .. "/x.lua", tool(...))
    return host.native:reload()
  end

  -- Returns the methods of what came on the stream, in one line.
  local function heard(visit)
    local methods = {}
    for i, event in ipairs(visit:events()) do
      methods[i] = event.method and event.method:match "[^/]+/[^/]+$" or "result"
    end
    return table.concat(methods, " ")
  end

  local ACKNOWLEDGED = "subscriptions/acknowledged"
  local CHANGED = ACKNOWLEDGED .. " tools/list_changed"

  it("is acknowledged at once, and told of a change, with the request's id on both", function()
    start()
    local visit = listen { toolsListChanged = true }
    assert.is_true(edit "two")
    assert.same({
      { jsonrpc = "2.0", method = "notifications/subscriptions/acknowledged",
        params = { _meta = { [ID] = host.last_id }, notifications = { toolsListChanged = true } } },
      { jsonrpc = "2.0", method = "notifications/tools/list_changed",
        params = { _meta = { [ID] = host.last_id } } },
    }, visit:events())
    assert.is_true(visit:open())
  end)

  for _, id in ipairs { '"listen-1"', '""', "0", "-1", "9007199254740993" } do
    it("tells the id " .. id .. " as it was sent", function()
      start()
      local message, headers = host:prepare("subscriptions/listen",
        { notifications = { toolsListChanged = true } }, { id = "ID" })
      local visit = host:post((rpc.encode(message):gsub('"ID"', id)), { headers = headers })
      edit "two"
      host.native:stop()
      local events = visit:told().events
      assert.equal(3, #events)
      for _, text in ipairs(events) do
        assert.truthy(text:find(('"%s":%s}'):format(ID, id), 1, true)
          or text:find(('"%s":%s,'):format(ID, id), 1, true), text)
      end
      assert.truthy(events[3]:find(('"id":%s,'):format(id), 1, true), events[3])
    end)
  end

  it("is acknowledged what the host offers, and no more", function()
    start()
    for _, case in ipairs {
      { {}, "{}" },
      { { toolsListChanged = false }, "{}" },
      { { promptsListChanged = true, resourcesListChanged = true }, "{}" },
      { { resourceSubscriptions = { "file:///a" }, sounds = { "bell" } }, "{}" },
      { { toolsListChanged = true, promptsListChanged = true, toolsListChange = 7 },
        '{"toolsListChanged":true}' },
    } do
      local told = listen(case[1]):told()
      assert.equal(1, #told.events)
      assert.truthy(told.events[1]:find('"notifications":' .. case[2] .. "}}", 1, true),
        told.events[1])
    end
  end)

  it("is not told of tools by those who did not ask for it", function()
    start()
    local others = { listen {}, listen { toolsListChanged = false },
      listen { promptsListChanged = true }, listen { resourceSubscriptions = { "file:///x" } } }
    local visit = listen { toolsListChanged = true }
    edit "two"
    assert.equal(CHANGED, heard(visit))
    for _, other in ipairs(others) do
      assert.equal(ACKNOWLEDGED, heard(other))
      assert.is_true(other:open())
    end
  end)

  for what, filter in pairs {
    ["that is missing"] = false,
    ["that is a list"] = "[1]",
    ["that is null"] = "null",
    ["whose flag is a text"] = '{"toolsListChanged":"yes"}',
    ["whose flag is null"] = '{"promptsListChanged":null}',
    ["whose resources are a text"] = '{"resourceSubscriptions":"file:///a"}',
    ["whose resources are numbers"] = '{"resourceSubscriptions":["file:///a",1,"file:///b"]}',
  } do
    it("with a filter " .. what .. " is refused", function()
      start()
      local message, headers = host:prepare("subscriptions/listen",
        { notifications = filter and "FILTER" or nil })
      local body = rpc.encode(message):gsub('"FILTER"', filter or "")
      local visit = host:post(body, { headers = headers })
      assert.equal(-32602, visit:error().code)
      assert.matches("^params%.notifications", visit:error().message)
      assert.is_false(visit:told().opened)
      assert.equal(0, host.native:listeners())
    end)
  end

  it("of a client that accepts no event stream is refused at once", function()
    start()
    local visit = listen({ toolsListChanged = true }, { streams = false })
    assert.equal(400, visit:status())
    assert.equal("Accept must allow text/event-stream", visit:error().message)
    assert.equal(0, host.native:listeners())
  end)

  it("is no method of a session", function()
    start()
    local visit = host:initialize():request("subscriptions/listen",
      { notifications = { toolsListChanged = true } })
    assert.equal(-32601, visit:error().code)
  end)

  it("is served up to the limit, and again when a listener has left", function()
    start "sessions = 2"
    local first = listen { toolsListChanged = true }
    listen {}
    local third = listen { toolsListChanged = true }
    assert.equal(503, third:status())
    assert.equal(1, third:told().retry_after)
    assert.equal("Too many clients are listening (sessions); try again later",
      third:error().message)
    first:leave()
    assert.equal(ACKNOWLEDGED, heard(listen { toolsListChanged = true }))
  end)

  it("leaves nothing behind, in whatever order the listeners leave", function()
    for _, order in ipairs { { 1, 2, 3 }, { 3, 2, 1 }, { 2, 1, 3 }, { 2, 3, 1 } } do
      start()
      local visits = {}
      for i = 1, 3 do visits[i] = listen { toolsListChanged = true } end
      for left, at in ipairs(order) do
        visits[at]:leave()
        assert.equal(3 - left, host.native:listeners())
        assert.is_true(edit("edit " .. left))
      end
      assert.equal(CHANGED, heard(visits[order[2]]))
      assert.equal(CHANGED .. " tools/list_changed", heard(visits[order[3]]))
      inside.close(host)
    end
  end)

  it("ends with the result of the request when the host stops", function()
    start()
    local one, two = listen { toolsListChanged = true }, listen {}
    local id = host.last_id
    host.native:stop()
    assert.equal(ACKNOWLEDGED .. " result", heard(one))
    local last = two:events()[2]
    assert.equal(id, last.id)
    assert.equal("complete", last.result.resultType)
    assert.equal(id, last.result._meta[ID])
    assert.is_true(two:told().closed)
    assert.equal(0, host.native:listeners())
  end)

  it("is refused once the host is stopping", function()
    start()
    host.native:stop()
    local visit = listen { toolsListChanged = true }
    assert.equal(503, visit:status())
    assert.equal(0, host.native:listeners())
  end)

  it("and a session hear of an edited list, and of nothing else", function()
    start()
    local session = host:initialize()
    local stream, visit = session:listen(), listen { toolsListChanged = true }
    assert.is_true(edit("one", "other code"))
    shell.write(host.folder .. "/y.lua", "broken")
    assert.is_false(edit "two")
    assert.equal("", heard(stream))
    assert.equal(ACKNOWLEDGED, heard(visit))
    os.remove(host.folder .. "/y.lua")
    assert.is_true(edit "two")
    assert.same({ '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}' },
      stream:told().events)
    assert.equal(CHANGED, heard(visit))
  end)

  local OFFERS = [[
    local mcp = require "mcp"
    mcp.prompt { name = "p", description = "VERSION", handler = function() return "" end }
    mcp.resource { uri = "notes://a", description = "VERSION", handler = function() return "" end }
    mcp.tool { name = "change", inputSchema = { type = "object" }, handler = function(args, ctx)
      for _, uri in ipairs(args.uris) do ctx:updated(uri) end
      return args.fail and require "mcp".error "no" or "changed"
    end }
  ]]

  local function offer(version)
    shell.write(host.folder .. "/y.lua", (OFFERS:gsub("VERSION", version)))
    assert.is_true((host.native:reload()))
  end

  it("is told of prompts and resources, by those who asked", function()
    start()
    offer "1"
    local prompts = listen { promptsListChanged = true }
    local resources = listen { resourcesListChanged = true }
    local all = listen { toolsListChanged = true, promptsListChanged = true,
      resourcesListChanged = true }
    offer "2"
    assert.equal(ACKNOWLEDGED .. " prompts/list_changed", heard(prompts))
    assert.equal(ACKNOWLEDGED .. " resources/list_changed", heard(resources))
    assert.equal(ACKNOWLEDGED .. " prompts/list_changed resources/list_changed", heard(all))
  end)

  it("is told of the resources it named once a call has changed them, and of no others", function()
    start()
    offer "1"
    local visit = listen { resourceSubscriptions = { "notes://a", "notes://b" } }
    local id = host.last_id
    local deaf = listen { resourcesListChanged = true }
    host:call("change", { uris = { "notes://a", "notes://c" } })
    host:call("change", { uris = { "notes://b" }, fail = true })
    host:settle()
    assert.same({
      { jsonrpc = "2.0", method = "notifications/subscriptions/acknowledged", params = {
        _meta = { [ID] = id },
        notifications = { resourceSubscriptions = { "notes://a", "notes://b" } } } },
      { jsonrpc = "2.0", method = "notifications/resources/updated",
        params = { _meta = { [ID] = id }, uri = "notes://a" } },
    }, visit:events())
    assert.equal(ACKNOWLEDGED, heard(deaf))
    offer "2"
    host:call("change", { uris = { "notes://b" } })
    host:settle()
    assert.equal("notes://b", visit:events()[3].params.uri)
  end)

  it("is acknowledged in one line, however the URIs were written", function()
    start()
    offer "1"
    for text, told in pairs {
      ['[ "notes:\\u002f/a" ,\n\t"b:\\"" ]'] = '["notes://a","b:\\""]', ["[\n]"] = "[]",
    } do
      local message, headers = host:prepare("subscriptions/listen",
        { notifications = { resourceSubscriptions = "URIS" } })
      local body = rpc.encode(message):gsub('"URIS"', (text:gsub("%%", "%%%%")))
      local events = host:post(body, { headers = headers }):told().events
      assert.equal(1, #events)
      assert.truthy(events[1]:find('{"resourceSubscriptions":' .. told .. "}", 1, true), events[1])
    end
  end)

  it("of more than 64 KiB is refused", function()
    start()
    offer "1"
    local visit = listen { resourceSubscriptions = { ("x"):rep(1 << 16) } }
    assert.equal(-32602, visit:error().code)
    assert.equal(0, host.native:listeners())
  end)

  it("is the modern way: a session without a stream of its own is told nothing", function()
    start()
    local session = host:initialize()
    local stream = session:listen()
    stream:leave()
    local silent = host:initialize()
    edit "two"
    assert.equal("", heard(stream))
    assert.equal(200, session:request("ping"):status())
    assert.equal(200, silent:request("ping"):status())
    local again = silent:listen()
    assert.equal("", heard(again))
  end)
end)
