-- A legacy call's questions: pushed on its stream, answered from anywhere, withdrawn.

local inside = require "support.inside"
local rpc = require "support.rpc"

local SCRIPT = [[
local mcp = require "mcp"
local FORM = { type = "object", properties = { n = { type = "integer" } } }
mcp.tool { name = "ask", inputSchema = { type = "object" }, handler = function(args, ctx)
  local sum = 0
  for i = 1, args.times or 1 do
    local answer = ctx:elicit { message = "question " .. i, requestedSchema = FORM }
    sum = sum + (answer.content.n or 0)
  end
  ctx.store:put("c", args.key or "k", sum)
  return "sum " .. sum
end }
mcp.tool { name = "link", inputSchema = { type = "object" }, handler = function(args, ctx)
  ctx.store:put("c", "asked", 1)
  local answer = ctx:elicit_url { key = "link", message = "Go?", url = "https://a.example/b",
    required = args.required }
  if answer.action == "accept" then ctx:elicit_complete(args.key) end
  ctx:elicit_complete(args.key)
  ctx.store:put("c", "k", answer.action)
  return answer.action
end }
mcp.tool { name = "look", inputSchema = { type = "object" }, handler = function(_, ctx)
  local answers = ctx:ask {
    roots = { method = "roots/list" },
    sample = { messages = { { role = "user", content = mcp.text "Hi" } }, maxTokens = 5 },
  }
  ctx.store:put("c", "k", #answers.roots)
  return answers.sample.content.text
end }
mcp.tool { name = "both", inputSchema = { type = "object" }, handler = function(_, ctx)
  local answers = ctx:ask {
    a = { message = "A?", requestedSchema = FORM },
    b = { message = "B?", requestedSchema = FORM },
  }
  local text = tostring(answers.a.content.n) .. "+" .. tostring(answers.b.content.n)
  ctx.store:put("c", "k", text)
  return text
end }
]]

local function number(n)
  return { action = "accept", content = { n = n } }
end

describe("a legacy call", function()
  local host, session

  before_each(function()
    host = inside.start { scripts = { s = SCRIPT } }
    session = host:initialize()
  end)

  after_each(function()
    inside.close(host)
  end)

  local function rows()
    return table.concat(host:rows("s", "c"), " ")
  end

  it("asks on its own stream, and ends that with the result", function()
    local visit = session:call "ask"
    assert.equal(200, visit:status())
    local question = visit:question()
    assert.equal("elicitation/create", question.method)
    assert.equal("question 1", question.params.message)
    session:answer(visit, number(3))
    host:settle()
    assert.equal("sum 3", visit:text())
    assert.equal(visit.id, visit:message().id)
    assert.is_true(visit:told().closed)
    assert.equal("k=3", rows())
  end)

  it("asks one question after the other, each with an id of its own", function()
    local visit = session:call("ask", { times = 3 })
    local seen = {}
    for n = 1, 3 do
      assert.equal("question " .. n, visit:question().params.message)
      assert.is_nil(seen[visit:question().id])
      seen[visit:question().id] = true
      session:answer(visit, number(n))
      host:settle()
    end
    assert.equal("sum 6", visit:text())
    assert.equal("k=6", rows())
  end)

  it("is told apart from others by the id of its question", function()
    local one = session:call("ask", { key = "one" })
    local two = session:call("ask", { key = "two" })
    session:answer(two, number(2))
    session:answer(one, number(1))
    host:settle()
    assert.equal("sum 1", one:text())
    assert.equal("sum 2", two:text())
    assert.equal("two=2 one=1", rows())
  end)

  it("takes no answer of another session, though the ids are the same", function()
    local visit = session:call "ask"
    local other = host:initialize()
    assert.equal(202, other:answer(visit, number(1)):status())
    host:settle()
    assert.is_true(visit:open())
    assert.equal("", rows())
  end)

  it("takes no answer to an id that only looks like its own", function()
    local visit = session:call "ask"
    local id = ("%d"):format(visit:question().id)
    for _, other in ipairs { '"' .. id .. '"', id .. "0", "0", "-" .. id, '""' } do
      assert.equal(202, session:answer(other, number(9)):status())
    end
    host:settle()
    assert.is_true(visit:open())
    session:answer(visit, number(1))
    host:settle()
    assert.equal("sum 1", visit:text())
    assert.equal("k=1", rows())
  end)

  it("takes an error for an answer: told to the script with the client's reason", function()
    local visit = session:call "ask"
    session:post { jsonrpc = "2.0", id = visit:question().id,
      error = { code = -32603, message = ("x"):rep(300) } }
    host:settle()
    assert.is_true(visit:is_error())
    assert.equal("The client could not ask: " .. ("x"):rep(200), visit:text())
    assert.equal("", rows())
  end)

  it("takes an answer of any shape without harm", function()
    for _, result in ipairs { "{}", "7", "null", "[]", '"accept"', '{"action":7,"content":7}' } do
      local visit = session:call "ask"
      session:post(('{"jsonrpc":"2.0","id":%d,"result":%s}'):format(visit:question().id, result))
      host:settle()
      assert.is_false(visit:open())
    end
    assert.equal("", host:states())
  end)

  it("ends with an error if the answer has a number that no script can hold", function()
    local visit = session:call "ask"
    session:post(('{"jsonrpc":"2.0","id":%d,"result":{"action":"accept","content":{"n":1e400}}}')
      :format(visit:question().id))
    host:settle()
    assert.is_true(visit:is_error())
    assert.equal("The answer can't be used: content.n must be a number up to 1.8e308, not 1e400",
      visit:text())
    assert.equal("", rows())
  end)

  -- Which ids a second request may have while a call with the first one is open.
  for _, case in ipairs {
    { "1", "1", true }, { '"a"', '"a"', true }, { '"\\u0061"', '"a"', true }, { "0", "0", true },
    { "1", '"1"', false }, { "1", "2", false }, { '"a"', '"A"', false },
    { "9007199254740993", "9007199254740992", false },
  } do
    local first, second, refused = table.unpack(case)
    it(("with id %s %s a request with id %s"):format(first,
      refused and "refuses" or "does not mind", second), function()
      local message = '{"jsonrpc":"2.0","id":%s,"method":"%s","params":{"name":"ask"}}'
      local visit = session:post(message:format(first, "tools/call"))
      local other = session:post(message:format(second, "ping"))
      if refused then
        assert.equal(400, other:status())
        assert.equal(-32600, other:error().code)
        assert.matches("still open in this session: use another one", other:error().message)
      else
        assert.is_nil(other:error())
      end
      assert.is_true(visit:open())
      session:answer(visit, number(4))
      host:settle()
      assert.equal("sum 4", visit:text())
      assert.equal("k=4", rows())
    end)
  end

  it("gives its id free at its end", function()
    local message = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ask"}}'
    session:answer(session:post(message), number(1))
    host:settle()
    assert.is_true(session:post(message):open())
  end)

  -- Which ids of requests a notifications/cancelled of which id cancels.
  for _, case in ipairs {
    { "1", "1", true }, { '"1"', '"1"', true }, { '""', '""', true }, { "0", "0", true },
    { "1", '"1"', false }, { '"1"', "1", false }, { "1", "10", false }, { "0", '""', false },
    { '"a"', '"A"', false }, { "9007199254740993", "9007199254740993", true },
    { "9007199254740993", "9007199254740992", false }, { "-1", "-1", true },
    { '"\\u0061"', '"a"', true }, { '"a"', '"\\u0061"', true },
  } do
    local id, named, hit = table.unpack(case)
    it(("with id %s is %s by cancelling %s"):format(id, hit and "ended" or "not touched", named),
      function()
        local visit = session:post(('{"jsonrpc":"2.0","id":%s,"method":"tools/call",'
          .. '"params":{"name":"ask"}}'):format(id))
        session:post(('{"jsonrpc":"2.0","method":"notifications/cancelled",'
          .. '"params":{"requestId":%s}}'):format(named))
        assert.equal(not hit, visit:open())
        assert.equal(hit and "" or "asking", host:states())
        assert.equal("", rows())
      end)
  end

  it("withdraws its question when the client cancels it, so that no form stays open", function()
    local visit = session:call "ask"
    session:notify("notifications/cancelled", { requestId = visit.id })
    local events = visit:events()
    assert.equal(2, #events)
    assert.equal("notifications/cancelled", events[2].method)
    assert.equal(visit:question().id, events[2].params.requestId)
    assert.is_true(visit:told().closed)
  end)

  it("is not cancelled by another session", function()
    local visit = session:call "ask"
    host:initialize():notify("notifications/cancelled", { requestId = visit.id })
    assert.is_true(visit:open())
    session:answer(visit, number(1))
    host:settle()
    assert.equal("k=1", rows())
  end)

  it("asks again without its client, and waits for it to come back", function()
    local visit = session:call("ask", { times = 2 })
    local question, last = visit:question().id, visit:last_id()
    visit:leave()
    session:answer(question, number(1))
    host:settle()
    assert.equal("asking", host:states())
    local again = session:listen { after = last }
    assert.equal("question 2", again:question().params.message)
    session:answer(again, number(2))
    host:settle()
    assert.equal("sum 3", again:text())
    assert.equal("k=3", rows())
  end)

  it("ends without its client once nobody has answered for too long", function()
    local visit = session:call("ask", { times = 2 })
    local question = visit:question().id
    visit:leave()
    session:answer(question, number(1))
    host:settle()
    host:tick(601)
    host:settle()
    assert.equal("", host:states())
    assert.equal("", rows())
  end)

  it("is told at once that a client without a stream can't be asked", function()
    local visit = session:call("ask", nil, { streams = false })
    assert.is_true(visit:is_error())
    assert.matches("Accept: text/event%-stream", visit:text())
    assert.is_false(visit:told().opened)
    assert.equal("", rows())
  end)

  for name, capabilities in pairs {
    ["nothing"] = {}, ["elicitation by URL alone"] = { elicitation = { url = {} } },
  } do
    it("is told at once that a client that declared " .. name .. " can't be asked", function()
      local visit = host:initialize({ capabilities = capabilities }):call "ask"
      assert.is_true(visit:is_error())
      assert.equal("ask needs a client that supports elicitation.form; this one did not declare "
        .. "it.", visit:text())
      assert.is_false(visit:told().opened)
      assert.equal("", rows())
    end)
  end

  it("may be answered with null content and no content", function()
    for _, content in ipairs { rpc.null, false } do
      local visit = session:call "ask"
      session:answer(visit, { action = "decline", content = content or nil })
      host:settle()
      assert.equal("sum 0", visit:text())
    end
  end)

  -- The ids of the requests that came on a call's stream, by their messages.
  local function ids(visit)
    local found = {}
    for _, event in ipairs(visit:events()) do
      if event.id and event.method then found[event.params.message] = event.id end
    end
    return found
  end

  it("asks several questions at once, and goes on when the last is answered", function()
    for first, second in pairs { A = "B", B = "A" } do
      local visit = session:call "both"
      local id = ids(visit)
      session:answer(id[first .. "?"], number(1))
      host:settle()
      assert.is_true(visit:open())
      session:answer(id[first .. "?"], number(9))
      session:answer(id[second .. "?"], number(2))
      host:settle()
      assert.equal(first == "A" and "1+2" or "2+1", visit:text())
      assert.equal('k="' .. visit:text() .. '"', rows())
    end
  end)

  it("asks again for an answer that does not fit alone", function()
    local visit = session:call "both"
    local id = ids(visit)
    session:answer(id["A?"], number "one")
    session:answer(id["B?"], number(2))
    host:settle()
    local again = visit:question()
    assert.equal("A?\n\nPlease correct: n must be an integer, not a string", again.params.message)
    session:answer(again.id, number(1))
    host:settle()
    assert.equal("1+2", visit:text())
  end)

  -- The ids that were withdrawn on a call's stream.
  local function withdrawn(visit)
    local found = {}
    for _, event in ipairs(visit:events()) do
      if event.method == "notifications/cancelled" then
        found[#found + 1] = event.params.requestId
      end
    end
    return found
  end

  it("takes the other questions of a round back when one can't be asked", function()
    local visit = session:call "both"
    local id = ids(visit)
    session:post { jsonrpc = "2.0", id = id["A?"], error = { code = -32603, message = "no" } }
    session:answer(id["B?"], number(2))
    host:settle()
    assert.equal("The client could not ask: no", visit:text())
    assert.same({ id["B?"] }, withdrawn(visit))
    assert.equal("", rows())
  end)

  it("withdraws what is open when it is cancelled, and not what was answered", function()
    local visit = session:call "both"
    local id = ids(visit)
    session:answer(id["A?"], number(1))
    session:notify("notifications/cancelled", { requestId = visit.id })
    assert.same({ id["B?"] }, withdrawn(visit))
    assert.equal("", host:states())
    assert.equal("", rows())
  end)

  local URLS = { elicitation = { form = {}, url = {} } }

  it("sends a person to a URL under an id, and tells when that is done, once", function()
    for args, told in pairs { [{}] = 1, [{ key = "link" }] = 1, [{ key = "other" }] = 0 } do
      session = host:initialize { capabilities = URLS }
      local visit = session:call("link", args)
      local params = visit:question().params
      assert.matches("^" .. ("%x"):rep(32) .. "$", params.elicitationId)
      assert.same({ mode = "url", message = "Go?", url = "https://a.example/b",
        elicitationId = params.elicitationId }, params)
      session:answer(visit, { action = "accept" })
      host:settle()
      assert.equal("accept", visit:text())
      local events = visit:events()
      assert.equal(2 + told, #events)
      if told == 1 then
        assert.equal("notifications/elicitation/complete", events[2].method)
        assert.same({ elicitationId = params.elicitationId }, events[2].params)
        assert.is_nil(events[2].id)
      end
    end
  end)

  it("tells a client that comes back to its stream that it is done", function()
    session = host:initialize { capabilities = URLS }
    local visit = session:call "link"
    local question = visit:question()
    visit:leave()
    session:answer(question.id, { action = "accept" })
    host:settle()
    local events = session:listen({ after = visit:last_id() }):events()
    assert.equal("notifications/elicitation/complete", events[1].method)
    assert.equal(question.params.elicitationId, events[1].params.elicitationId)
    assert.equal(2, #events)
  end)

  it("ends with -32042 and the URL where it is required first, and stores nothing", function()
    session = host:initialize { capabilities = URLS }
    local visit = session:call("link", { required = true })
    assert.equal(200, visit:status())
    assert.is_false(visit:told().opened)
    local fault = visit:error()
    assert.equal(-32042, fault.code)
    assert.equal(1, #fault.data.elicitations)
    local elicitation = fault.data.elicitations[1]
    assert.matches("^" .. ("%x"):rep(32) .. "$", elicitation.elicitationId)
    assert.same({ mode = "url", message = "Go?", url = "https://a.example/b",
      elicitationId = elicitation.elicitationId }, elicitation)
    assert.equal("", host:states())
    assert.equal("", rows())
  end)

  for version, capabilities in pairs {
    ["2025-11-25"] = { elicitation = {} }, ["2025-06-18"] = URLS, ["2025-03-26"] = URLS,
  } do
    it("sends no URL to a client of " .. version .. " that can't have declared it", function()
      session = host:initialize { version = version, capabilities = capabilities }
      for _, required in ipairs { true, false } do
        local visit = session:call("link", { required = required })
        assert.is_true(visit:is_error())
        assert.matches("^link needs a client that supports elicitation%.url; this one did not "
          .. "declare it", visit:text())
      end
      assert.equal("", rows())
    end)
  end

  it("asks for a message and for roots", function()
    session = host:initialize { version = "2025-03-26",
      capabilities = { sampling = {}, roots = {} } }
    local visit = session:call "look"
    local events = visit:events()
    assert.equal("roots/list", events[1].method)
    assert.is_nil(events[1].params)
    assert.equal("sampling/createMessage", events[2].method)
    session:answer(events[2].id, { role = "assistant", model = "m",
      content = { type = "text", text = "Hello" } })
    session:answer(events[1].id, { roots = { { uri = "file:///a" } } })
    host:settle()
    assert.equal("Hello", visit:text())
    assert.equal("k=1", rows())
  end)

  it("tells all that a round lacks", function()
    local visit = host:initialize({ capabilities = {} }):call "look"
    assert.equal("look needs a client that supports roots and sampling; this one did not declare "
      .. "it.", visit:text())
    assert.equal("", rows())
  end)

  it("fails with what is wrong with an answer that is none", function()
    session = host:initialize { capabilities = { sampling = {}, roots = {} } }
    local visit = session:call "look"
    local events = visit:events()
    session:answer(events[1].id, { roots = "everything" })
    session:answer(events[2].id, { role = "assistant", model = "m",
      content = { type = "text", text = "Hello" } })
    host:settle()
    assert.is_true(visit:is_error())
    assert.equal("The client's answer to roots/list is malformed: roots must be a list",
      visit:text())
    assert.equal("", rows())
  end)
end)
