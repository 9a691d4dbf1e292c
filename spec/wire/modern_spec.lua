-- The modern era (2026-07-28) around the tools: what a request must say, and what every reply does.

local http = require "support.http"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local store = require "support.store"

local META = "io.modelcontextprotocol/"
local VERSIONS = { "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26" }
local SENTINEL = "=?base64?%s?="
local BOOK_MEETING_BASE64 = "Ym9va19tZWV0aW5n"

local function contains(list, value)
  for _, element in ipairs(list) do
    if element == value then
      return true
    end
  end
  return false
end

describe("the modern era", function()
  local host, client, booked

  setup(function()
    host = process.start()
    client = modern.connect(host)
  end)

  teardown(function()
    process.close(host)
  end)

  before_each(function()
    booked = store.bookings_from_now(host)
  end)

  local function call_with_header(name, value)
    return client:request(
      "tools/call",
      { name = "book_meeting", arguments = { topic = "Q3" } },
      function(prepared)
        prepared.headers[name] = value
      end
    )
  end

  local function assert_error(status, code, reply)
    assert.equal(code, reply.error and reply.error.code, reply.body)
    assert.equal(status, reply.status)
    assert.equal(client.last_id, reply.json.id)
    assert.same({}, booked())
  end

  it("tells what it speaks and who it is when discovered", function()
    local reply = client:request "server/discover"
    assert.equal(200, reply.status)
    for _, version in ipairs(VERSIONS) do
      assert.is_true(contains(reply.result.supportedVersions, version), version)
    end
    assert.is_table(reply.result.capabilities.tools)
    assert.equal("complete", reply.result.resultType)
  end)

  it("names itself and the kind of result in every result", function()
    local booking = { name = "book_meeting", arguments = { topic = "Q3" } }
    local wrong = { name = "book_meeting", arguments = { topic = 42 } }
    for _, case in ipairs {
      { "server/discover", {}, "complete" },
      { "tools/list", {}, "complete" },
      { "tools/call", booking, "input_required" },
      { "tools/call", wrong, "complete" },
    } do
      local method, params, kind = table.unpack(case)
      local reply = client:request(method, params)
      assert.equal("application/json", reply.headers["content-type"])
      assert.equal(kind, reply.result.resultType)
      local info = reply.result._meta[META .. "serverInfo"]
      assert.same({ "elicitation-server", "0.1.0" }, { info.name, info.version })
    end
    assert.same({}, booked())
  end)

  it("says how long and by whom a list may be kept", function()
    for _, method in ipairs { "server/discover", "tools/list" } do
      local result = client:request(method).result
      assert.is_true(result.ttlMs >= 0)
      assert.is_true(contains({ "public", "private" }, result.cacheScope))
    end
  end)

  it("asks with one elicitation and an opaque state", function()
    local result = client:call("book_meeting", { topic = "Q3" }).result
    local key, question = next(result.inputRequests)
    assert.is_nil(next(result.inputRequests, key))
    assert.equal("elicitation/create", question.method)
    assert.is_true(question.params.mode == nil or question.params.mode == "form")
    assert.is_string(result.requestState)
    assert.is_nil(result.content)
    assert.same({}, booked())
  end)

  it("keeps a person's answer out of the store until it is given with its state", function()
    local call = client:ask("book_meeting", { topic = "Q3" })
    local reply = client:call("book_meeting", { topic = "Q3" }, {
      inputResponses = { [call.key] = { action = "accept", content = { approved = true } } },
    })
    assert.equal("input_required", reply.result.resultType)
    assert.same({}, booked())
  end)

  it("asks again for an answer that was left out, and ignores one it never asked for", function()
    local call = client:ask("book_meeting", { topic = "Q3" })
    local yes = { action = "accept", content = { approved = true } }
    local reply = client:call("book_meeting", { topic = "Q3" }, {
      inputResponses = { ["no such question"] = yes },
      requestState = call.state,
    })
    assert.equal("input_required", reply.result.resultType)
    assert.same({}, booked())
    call:answer(yes)
    assert.same({ { topic = "Q3", time = "09:00" } }, booked())
  end)

  it("does not need to know who the client is", function()
    local reply = client:request("tools/list", {}, function(prepared)
      prepared.message.params._meta[META .. "clientInfo"] = nil
    end)
    assert.equal(200, reply.status)
  end)

  it("refuses a request that does not say what its client can do", function()
    local reply = client:request("tools/list", {}, function(prepared)
      prepared.message.params._meta[META .. "clientCapabilities"] = nil
    end)
    assert_error(400, -32602, reply)
  end)

  for name, value in pairs { text = "all", null = rpc.null, number = 1 } do
    it("refuses capabilities that are a " .. name, function()
      local reply = client:request("tools/list", {}, function(prepared)
        prepared.message.params._meta[META .. "clientCapabilities"] = value
      end)
      assert_error(400, -32602, reply)
    end)
  end

  it("refuses a version it does not know, and tells which it does", function()
    local reply = client:request("tools/list", {}, function(prepared)
      prepared.headers["MCP-Protocol-Version"] = "1900-01-01"
      prepared.message.params._meta[META .. "protocolVersion"] = "1900-01-01"
    end)
    assert_error(400, -32022, reply)
    assert.equal("1900-01-01", reply.error.data.requested)
    assert.is_true(contains(reply.error.data.supported, "2026-07-28"))
  end)

  for _, name in ipairs { "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name" } do
    it("refuses a call without the header " .. name, function()
      assert_error(400, -32020, call_with_header(name, nil))
    end)
  end

  for _, case in ipairs {
    { "MCP-Protocol-Version", "2025-11-25" },
    { "Mcp-Method", "tools/list" },
    { "Mcp-Method", "TOOLS/CALL" },
    { "Mcp-Name", "other" },
    { "Mcp-Name", "Book_Meeting" },
    { "Mcp-Name", SENTINEL:format "b3RoZXI=" },
    { "Mcp-Name", SENTINEL:format "not base64!" },
    { "Mcp-Name", "=?BASE64?" .. BOOK_MEETING_BASE64 .. "?=" },
    { "Mcp-Name", { "book_meeting", "book_meeting" } },
  } do
    local name, value = table.unpack(case)
    local shown = type(value) == "table" and "sent twice" or "of " .. value
    it(("refuses a call with the header %s %s"):format(name, shown), function()
      assert_error(400, -32020, call_with_header(name, value))
    end)
  end

  it("reads the name of a tool from base64", function()
    local reply = call_with_header("Mcp-Name", SENTINEL:format(BOOK_MEETING_BASE64))
    assert.equal("input_required", reply.result.resultType)
  end)

  it("takes no white space around a header for a part of it", function()
    assert.equal("input_required", call_with_header("Mcp-Name", " \t book_meeting \t ")
      .result.resultType)
  end)

  it("reads the names of headers in any case", function()
    local reply = client:request("tools/list", {}, function(prepared)
      prepared.headers["mcp-METHOD"] = prepared.headers["Mcp-Method"]
      prepared.headers["Mcp-Method"] = nil
    end)
    assert.equal(200, reply.status)
  end)

  describe("beside a dozen other Mcp- headers", function()
    local function call_with_method(value)
      return client:request("tools/list", {}, function(prepared)
        for i = 1, 12 do prepared.headers["Mcp-Param-" .. i] = "x" end
        prepared.headers["Mcp-Method"] = value
      end)
    end

    it("finds those it needs", function()
      assert.equal(200, call_with_method("tools/list").status)
    end)

    it("refuses one that was sent twice", function()
      assert_error(400, -32020, call_with_method { "tools/list", "tools/list" })
    end)
  end)

  it("has no method of another name", function()
    assert_error(404, -32601, client:request "no/such")
  end)

  for _, method in ipairs { "initialize", "ping" } do
    it("has no " .. method .. ", which belongs to the other era", function()
      assert_error(404, -32601, client:request(method))
    end)
  end

  it("has no tool of another name", function()
    local reply = client:call("nope", {})
    assert_error(200, -32602, reply)
    assert.truthy(reply.error.message:lower():find("not found", 1, true))
  end)

  it("refuses a call whose tool is not named", function()
    local reply = client:request("tools/call", { arguments = {} })
    assert.is_true(reply.error.code == -32602 or reply.error.code == -32020)
    assert.is_true(reply.status == 200 or reply.status == 400)
  end)

  for name, capabilities in pairs {
    ["no elicitation"] = { roots = {} },
    ["elicitation by URL alone"] = { elicitation = { url = {} } },
  } do
    it("does not run what must ask for a client with " .. name, function()
      local mute = modern.connect(host, { capabilities = capabilities })
      local reply = mute:call("book_meeting", { topic = "Q3" })
      assert.equal(400, reply.status)
      assert.equal(-32021, reply.error.code)
      assert.is_table(reply.error.data.requiredCapabilities.elicitation)
      assert.is_nil(reply.error.data.requiredCapabilities.elicitation.url)
      assert.same({}, booked())
    end)
  end

  it("asks a client that declares the form mode by name", function()
    local able = modern.connect(host, { capabilities = { elicitation = { form = {}, url = {} } } })
    assert.is_table(able:ask("book_meeting", { topic = "Q3" }).question)
  end)

  it("takes a notification and says nothing", function()
    local reply = client:request("notifications/cancelled", { requestId = 1 }, function(prepared)
      prepared.message.id = nil
    end)
    assert.equal(202, reply.status)
    assert.equal("", reply.body)
  end)

  it("starts no session", function()
    local reply = client:request "tools/list"
    assert.is_nil(reply.headers["mcp-session-id"])
  end)

  it("finishes a call once, whatever the client missed", function()
    local call = client:ask("book_meeting", { topic = "once" })
    local yes = { action = "accept", content = { approved = true, time = "10:00" } }
    local retry = client:prepare("tools/call", {
      name = "book_meeting",
      arguments = { topic = "once" },
      inputResponses = { [call.key] = yes },
      requestState = call.state,
    })
    for _ = 1, 5 do
      local connection = http.connect(host)
      connection:send(http.render(host, modern.http_request(retry)))
      connection:close()
    end
    call:answer(yes)
    assert.equal("Booked: meeting about 'once' at 10:00.", call.text)
    assert.same({ { topic = "once", time = "10:00" } }, booked())
  end)

  it("gives the same reply to the same retry, and books once", function()
    local call = client:ask("book_meeting", { topic = "once more" })
    local yes = { action = "accept", content = { approved = true } }
    local first, second = call:retry(yes), call:retry(yes)
    assert.equal("Booked: meeting about 'once more' at 09:00.", rpc.text(first))
    assert.equal(rpc.text(first), rpc.text(second))
    assert.same({ { topic = "once more", time = "09:00" } }, booked())
  end)

  it("does not let a booked call be booked again with other answers", function()
    local call = client:ask("book_meeting", { topic = "twice" })
    call:retry { action = "accept", content = { approved = true, time = "10:00" } }
    local reply = call:retry { action = "accept", content = { approved = true, time = "11:00" } }
    assert.same({ { topic = "twice", time = "10:00" } }, booked())
    assert.equal("This call is already finished", reply.error.message)
  end)

  for _, action in ipairs { "decline", "cancel" } do
    it("does not let a call that ended in " .. action .. " be accepted later", function()
      local call = client:ask("book_meeting", { topic = "too late" })
      call:retry { action = action }
      local reply = call:retry { action = "accept", content = { approved = true } }
      assert.same({}, booked())
      assert.equal("This call is already finished", reply.error.message)
    end)
  end

  it("holds nothing for a waiting call: two states of one client do not meet", function()
    local one = client:ask("book_meeting", { topic = "one" })
    local two = client:ask("book_meeting", { topic = "two" })
    two:answer { action = "accept", content = { approved = true } }
    one:answer { action = "decline" }
    assert.same({ { topic = "two", time = "09:00" } }, booked())
    assert.equal("Not booked: user declined the meeting about 'one'.", one.text)
  end)
end)
