-- How clients hear that the tools have changed: on a session's stream, and on those of
-- subscriptions/listen.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local wait = require "support.wait"

local ID = "io.modelcontextprotocol/subscriptionId"
local CHANGED = "notifications/tools/list_changed"

-- Less than the host grants requests that are still coming in.
local AT_ONCE = 3

local function tool(description, text)
  return ('require("mcp").tool { description = %q, handler = function() return %q end }\n')
    :format(description, text or "")
end

describe("a client that listens", function()
  local folder, remove, scripts, host, client

  before_each(function()
    folder, remove = shell.folder()
    scripts = folder .. "/scripts"
    shell.capture { "mkdir", scripts }
    shell.write(scripts .. "/say.lua", tool "one")
    host = process.start { scripts = scripts }
    client = modern.connect(host)
  end)

  after_each(function()
    process.close(host)
    remove()
  end)

  local function listen(filter, spoil)
    local prepared = client:prepare("subscriptions/listen", { notifications = filter })
    if spoil then spoil(prepared) end
    local stream = http.open(host, modern.http_request(prepared))
    return stream, prepared.message.id
  end

  local function next_message(stream)
    local event
    repeat
      event = stream:event()
    until not event or event.data ~= "" -- the first one of a session only has an id
    return event and rpc.decode(event.data)
  end

  local function next_method(stream)
    local message = next_message(stream)
    return message and message.method
  end

  -- Opens a stream and reads its acknowledgement.
  local function subscribe(filter)
    local stream, id = listen(filter or { toolsListChanged = true })
    assert.equal("notifications/subscriptions/acknowledged", next_method(stream))
    return stream, id
  end

  -- Writes the script anew and waits until the host has looked at it.
  local function edit(text)
    local _, before = host:stderr():gsub("reloaded", "")
    shell.write(scripts .. "/say.lua", text)
    host:signal "HUP"
    wait.for_condition("the reload", function()
      return select(2, host:stderr():gsub("reloaded", "")) > before
    end)
  end

  it("is told in both eras that both can", function()
    for _, capabilities in ipairs {
      client:request("server/discover").result.capabilities,
      legacy.connect(host).opened.result.capabilities,
    } do
      assert.is_true(capabilities.tools.listChanged)
    end
  end)

  it("gets an event stream whose first message acknowledges what is honoured", function()
    local stream, id = listen { toolsListChanged = true, promptsListChanged = true }
    assert.equal(200, stream.status)
    assert.equal("text/event-stream", stream.headers["content-type"])
    assert.equal("no", stream.headers["x-accel-buffering"])
    local message = next_message(stream)
    assert.equal("notifications/subscriptions/acknowledged", message.method)
    assert.equal(id, message.params._meta[ID])
    assert.same({ toolsListChanged = true }, message.params.notifications)
    stream:close()
  end)

  it("hears of an edited description in both eras, and of nothing that left the list alone",
    function()
      local modern_stream, id = subscribe()
      local legacy_stream = legacy.connect(host):listen()
      edit(tool("one", "other code"))
      edit "local x = = 3"
      edit(tool "two")
      local message = next_message(modern_stream)
      assert.equal(CHANGED, message.method)
      assert.equal(id, message.params._meta[ID])
      assert.same({ jsonrpc = "2.0", method = CHANGED }, next_message(legacy_stream))
      assert.equal("two", client:tools()[1].description)
      -- What else came would stand before the end.
      host:signal "TERM"
      assert.equal(id, next_message(modern_stream).id)
      assert.is_nil(next_message(modern_stream))
      assert.is_nil(next_message(legacy_stream))
      modern_stream:close()
      legacy_stream:close()
      assert.equal(0, host:exit_code())
    end)

  it("hears nothing of tools unless it asked", function()
    local deaf, id = subscribe { resourcesListChanged = true }
    local stream = subscribe()
    edit(tool "two")
    assert.equal(CHANGED, next_method(stream))
    host:signal "TERM"
    assert.equal(id, next_message(deaf).id)
    deaf:close()
    stream:close()
    assert.equal(0, host:exit_code())
  end)

  it("may have several streams, and leave some of them", function()
    local streams, ids = {}, {}
    for i = 1, 3 do streams[i], ids[i] = subscribe() end
    streams[2]:close()
    for _, description in ipairs { "two", "three" } do
      edit(tool(description))
      for _, i in ipairs { 1, 3 } do
        assert.equal(ids[i], next_message(streams[i]).params._meta[ID])
      end
    end
    streams[1]:close()
    streams[3]:close()
  end)

  it("is one of fifty, and all of them hear", function()
    local streams = {}
    for i = 1, 50 do streams[i] = subscribe() end
    edit(tool "two")
    for _, stream in ipairs(streams) do assert.equal(CHANGED, next_method(stream)) end
    host:signal "TERM"
    for _, stream in ipairs(streams) do
      assert.is_table(next_message(stream).result)
      assert.is_nil(next_message(stream))
      stream:close()
    end
    assert.equal(0, host:exit_code(AT_ONCE))
  end)

  it("hears of a resource that a call has changed, in both eras, and reads what is new", function()
    shell.write(scripts .. "/notes.lua", [[
      local mcp = require "mcp"
      mcp.resource { uri = "notes://a", name = "a", handler = function(_, ctx)
        return ctx.store:get("notes", "a") or "empty"
      end }
      mcp.tool { name = "write", inputSchema = { type = "object" }, handler = function(args, ctx)
        ctx.store:put("notes", "a", args.text)
        ctx:updated "notes://a"
        return not args.refuse and "written" or nil, "refused"
      end }
    ]])
    edit(tool "with notes")
    local modern_stream, id = subscribe { resourceSubscriptions = { "notes://a" } }
    local session = legacy.connect(host)
    local stream = session:listen()
    assert.same({}, session:request("resources/subscribe", { uri = "notes://a" }).result)
    assert.is_true(client:ask("write", { text = "lost", refuse = true }).is_error)
    assert.equal("written", client:ask("write", { text = "kept" }).text)
    local message = next_message(modern_stream)
    assert.same({ "notifications/resources/updated", "notes://a", id },
      { message.method, message.params.uri, message.params._meta[ID] })
    assert.same({ uri = "notes://a" }, next_message(stream).params)
    local read = session:request("resources/read", { uri = "notes://a" }).result
    assert.equal("kept", read.contents[1].text)
    -- What else came would stand before the end.
    host:signal "TERM"
    assert.equal(id, next_message(modern_stream).id)
    assert.is_nil(next_message(stream))
    modern_stream:close()
    stream:close()
    assert.equal(0, host:exit_code())
  end)

  it("and does not read is cut off, in both eras, and the others are told all the same", function()
    shell.write(scripts .. "/many.lua", [[
      local mcp = require "mcp"
      mcp.resource { uri = "many://0", name = "a", handler = function() return "" end }
      mcp.tool { name = "change", handler = function(_, ctx)
        for i = 1, 200 do ctx:updated("many://" .. i .. "/" .. ("x"):rep(250)) end
        ctx:updated "many://0"
        return ""
      end }
    ]])
    edit(tool "with many")
    local uris = {}
    for i = 1, 200 do uris[i] = "many://" .. i .. "/" .. ("x"):rep(250) end
    local deaf = listen { resourceSubscriptions = uris }
    local session = legacy.connect(host)
    local deaf_session = session:listen()
    for _, uri in ipairs(uris) do
      assert.is_nil(session:request("resources/subscribe", { uri = uri }).error)
    end
    local stream = subscribe { resourceSubscriptions = { "many://0" } }
    local changes = 0
    wait.for_condition("the two to be cut off", function()
      assert.is_nil(client:call("change").error)
      changes = changes + 1
      local _, cut = host:stderr():gsub("a client that does not read its event stream", "")
      return cut == 2
    end)
    for _ = 1, changes do
      assert.equal("many://0", next_message(stream).params.uri)
    end
    for _, one in ipairs { deaf, deaf_session, stream } do one:close() end
  end)

  it("does not keep the host from ending, whether it reads the end or not", function()
    local streams = {}
    for i = 1, 5 do streams[i] = subscribe() end
    host:signal "TERM"
    assert.equal(0, host:exit_code(AT_ONCE))
    for _, stream in ipairs(streams) do stream:close() end
  end)

  it("is told the end by the result of its request", function()
    local stream, id = subscribe()
    host:signal "TERM"
    local message = next_message(stream)
    assert.equal(id, message.id)
    assert.equal("complete", message.result.resultType)
    assert.equal(id, message.result._meta[ID])
    assert.is_nil(next_message(stream))
    assert.is_nil(stream.cut)
    stream:close()
    assert.equal(0, host:exit_code(AT_ONCE))
  end)

  it("is refused at once if it accepts no event stream", function()
    local stream, id = listen({ toolsListChanged = true }, function(prepared)
      prepared.headers.Accept = "application/json"
    end)
    local reply = rpc.open(stream:read())
    stream:close()
    assert.equal(400, reply.status)
    assert.equal(id, reply.json.id)
    assert.matches("text/event%-stream", reply.error.message)
  end)

  it("is refused without a filter", function()
    local reply = client:request "subscriptions/listen"
    assert.equal(-32602, reply.error.code)
    assert.matches("params%.notifications", reply.error.message)
  end)

  it("is refused over the limit, and served once another has left", function()
    shell.write(scripts .. "/host.lua", "return { sessions = 1 }")
    host:restart { scripts = scripts }
    local first = subscribe()
    local reply = client:request("subscriptions/listen", { notifications = {} })
    assert.equal(503, reply.status)
    assert.equal("1", reply.headers["retry-after"])
    first:close()
    wait.for_condition("the first listener to be gone", function()
      local stream = listen { toolsListChanged = true }
      stream:close()
      return stream.status == 200
    end)
  end)
end)
