-- resources/subscribe: what a session hears of resources, and when.

local inside = require "support.inside"

local SCRIPT = [[
local mcp = require "mcp"
mcp.resource { uri = "notes://a", name = "a", handler = function() return "text" end }
mcp.tool { name = "change", inputSchema = { type = "object" }, handler = function(args, ctx)
  ctx.store:put("notes", args.uri, "new")
  ctx:updated(args.uri)
  ctx:updated(args.uri)
  if args.ask then ctx:elicit { message = "?", requestedSchema = {
    type = "object", properties = {} } } end
  if args.fail then error "no" end
  if args.refuse then return nil, "no" end
  return "changed"
end }
]]

local UPDATED = "notifications/resources/updated"

describe("a session", function()
  local host, session, stream

  local function start(script, store)
    host = inside.start { scripts = { s = script or SCRIPT }, store = store }
    session = host:initialize()
    stream = session:listen()
  end

  after_each(function()
    inside.close(host)
  end)

  local function subscribe(uri, who)
    return (who or session):request("resources/subscribe", { uri = uri })
  end

  local function change(args)
    local visit = session:call("change", args)
    host:settle()
    return visit
  end

  -- Returns the URIs that the stream has told of, in one line.
  local function heard(visit)
    local uris = {}
    for i, message in ipairs((visit or stream):events()) do
      assert.equal(UPDATED, message.method)
      uris[i] = message.params.uri
    end
    return table.concat(uris, " ")
  end

  it("is told that it can subscribe, if there is anything to", function()
    start()
    assert.is_true(session.opened:result().capabilities.resources.subscribe)
    inside.close(host)
    start(SCRIPT:gsub("mcp%.resource [^\n]*", ""))
    assert.is_nil(session.opened:result().capabilities.resources)
    assert.equal(-32601, subscribe("notes://a"):error().code)
  end)

  it("hears of a resource it subscribed to, once a call has changed it, and of no other", function()
    start()
    assert.same({}, subscribe("notes://a"):result())
    assert.equal("", heard())
    change { uri = "notes://a" }
    change { uri = "notes://b" }
    assert.same({ { jsonrpc = "2.0", method = UPDATED, params = { uri = "notes://a" } } },
      stream:events())
  end)

  it("hears of it no more when it has unsubscribed, and again when it subscribes anew", function()
    start()
    subscribe "notes://a"
    for _ = 1, 2 do
      assert.same({}, session:request("resources/unsubscribe", { uri = "notes://a" }):result())
    end
    change { uri = "notes://a" }
    assert.equal("", heard())
    subscribe "notes://a"
    change { uri = "notes://a" }
    assert.equal("notes://a", heard())
  end)

  it("hears nothing of a call that failed, refused or was cancelled", function()
    for _, store in ipairs { "memory:", "file" } do
      start(nil, store)
      subscribe "notes://a"
      change { uri = "notes://a", fail = true }
      change { uri = "notes://a", refuse = true }
      local waiting = session:call("change", { uri = "notes://a", ask = true })
      host:settle()
      assert.equal("", heard())
      session:notify("notifications/cancelled", { requestId = waiting.id })
      host:settle()
      assert.equal("", heard())
      assert.same({}, host:rows("s", "notes"))
      change { uri = "notes://a" }
      assert.equal("notes://a", heard())
      inside.close(host)
    end
  end)

  it("hears of it when what was written can be read", function()
    start(nil, "file")
    subscribe "notes://a"
    session:call("change", { uri = "notes://a" })
    assert.equal("", heard()) -- the store's thread has it
    host:settle()
    assert.equal("notes://a", heard())
    assert.same({ 'notes://a="new"' }, host:rows("s", "notes"))
  end)

  it("hears of what a modern client has changed", function()
    start()
    subscribe "notes://a"
    local visit = host:call("change", { uri = "notes://a" })
    host:settle()
    assert.equal("changed", visit:text())
    assert.equal("notes://a", heard())
  end)

  it("hears of it on its own stream alone, also when it was away", function()
    start()
    local other = host:initialize()
    local deaf = other:listen()
    subscribe "notes://a"
    stream:leave()
    change { uri = "notes://a" }
    local again = session:listen { after = stream:last_id() }
    assert.equal("notes://a", heard(again))
    assert.equal("", heard(deaf))
  end)

  it("is refused what can't be the URI of a resource, and too many of them", function()
    start()
    for _, uri in ipairs { "", "a b", "a\n", 7, false, {} } do
      assert.equal(-32602, subscribe(uri):error().code)
    end
    assert.equal(-32602, session:request("resources/subscribe"):error().code)
    for i = 1, 256 do assert.is_nil(subscribe("notes://" .. i):error()) end
    local reply = subscribe "notes://more"
    assert.equal(-32602, reply:error().code)
    assert.matches("too many URIs", reply:error().message)
    change { uri = "notes://more" }
    change { uri = "notes://256" }
    assert.equal("notes://256", heard())
  end)

  it("of a modern client has no such request", function()
    start()
    assert.equal(-32601, host:modern("resources/subscribe", { uri = "notes://a" }):error().code)
  end)

  it("is told by its script of no text that is no URI", function()
    start()
    for _, uri in ipairs { "", "a b", "a\n" } do
      assert.is_true(change({ uri = uri }):is_error())
    end
    assert.same({}, host:rows("s", "notes"))
  end)
end)

describe("a session that hears of lists", function()
  local host

  after_each(function()
    inside.close(host)
  end)

  it("hears of those it was told of at its start, and of those alone", function()
    local shell = require "support.shell"
    local function script(n)
      return ([[
        local mcp = require "mcp"
        mcp.prompt { name = "p", description = "%d", handler = function() return "" end }
        mcp.resource { uri = "notes://a", description = "%d", handler = function() return "" end }
      ]]):format(n, n)
    end
    host = inside.start { scripts = { s = "" } }
    local early = host:initialize():listen()
    shell.write(host.folder .. "/s.lua", script(1))
    assert.is_true((host.native:reload()))
    local late = host:initialize():listen()
    shell.write(host.folder .. "/s.lua", script(2))
    assert.is_true((host.native:reload()))
    assert.same({}, early:events())
    local methods = {}
    for i, message in ipairs(late:events()) do methods[i] = message.method end
    assert.same({
      "notifications/prompts/list_changed", "notifications/resources/list_changed",
    }, methods)
  end)
end)
