-- A modern call's journal on its way through the client: what a requestState is good for, and what
-- becomes of the answers beside it.

local inside = require "support.inside"
local rpc = require "support.rpc"
local unit = require "unit"

local KEY, OTHER_KEY = ("A"):rep(43), ("B"):rep(42) .. "A"
local CONFIG = ([[name = "spec", state_ttl = 600, state_keys = { "%s" }]]):format(KEY)
local REFUSED = "Invalid or expired requestState"

local SCRIPT = [[
local mcp = require "mcp"
local FORM = { type = "object", properties = { n = { type = "integer" } } }
local ANY = { type = "object" }

local function ask(ctx, message, key)
  local answer = ctx:elicit { message = message, requestedSchema = FORM, key = key }
  return answer.action == "accept" and answer.content.n or answer.action
end

local function one(args, ctx)
  local n = ask(ctx, "How many?")
  ctx.store:append("c", n)
  return "got " .. tostring(n) .. " for " .. tostring(args.topic)
end

mcp.tool { name = "one", inputSchema = ANY, handler = one }
mcp.tool { name = "twin", inputSchema = ANY, handler = one }
mcp.tool { name = "two", inputSchema = ANY, handler = function(_, ctx)
  local first = ask(ctx, "First?", "first")
  local second = ask(ctx, "After " .. tostring(first) .. "?", "second")
  ctx.store:append("c", tostring(first) .. "+" .. tostring(second))
  return "got " .. tostring(first) .. " and " .. tostring(second)
end }
mcp.tool { name = "steady", inputSchema = ANY, handler = function(_, ctx)
  local before = ctx.call_id .. os.time() .. math.random(1 << 40)
  before = before .. ctx:once("drawn", function() return math.random(1 << 40) end)
  ask(ctx, before)
  return before
end }
mcp.tool { name = "both", inputSchema = ANY, handler = function(_, ctx)
  local answers = ctx:ask {
    a = { message = "A?", requestedSchema = FORM },
    b = { message = "B?", requestedSchema = FORM },
  }
  local text = tostring(answers.a.content.n) .. "+" .. tostring(answers.b.content.n)
  ctx.store:append("c", text)
  return text
end }
mcp.tool { name = "mixed", inputSchema = ANY, handler = function(_, ctx)
  local answers = ctx:ask {
    form = { message = "Form?", requestedSchema = FORM },
    roots = { method = "roots/list" },
    sample = { messages = { { role = "user", content = mcp.text "Hi" } }, maxTokens = 5,
      tools = { { name = "t", inputSchema = ANY } } },
    url = { message = "Go?", url = "https://a.example/b", required = true },
  }
  ctx:elicit_complete()
  ctx.store:append("c", 1)
  return ("%s %d %s %s"):format(answers.form.content.n, #answers.roots, answers.sample.model,
    answers.url.action)
end }
mcp.tool { name = "link", inputSchema = ANY, handler = function(_, ctx)
  ctx:elicit_url { message = "Go?", url = "https://a.example/?to=" .. ctx:callback() }
  local code = ctx:await_callback().code
  ctx.store:append("c", code)
  return code .. " " .. ask(ctx, "Sure?", "sure")
end }
mcp.tool { name = "early", inputSchema = ANY, handler = function(_, ctx)
  return ctx:await_callback()
end }
mcp.tool { name = "heavy", inputSchema = ANY, handler = function(_, ctx)
  for i = 1, 7 do ctx:once("piece " .. i, function() return ("x"):rep(10000) end) end
  ctx.store:append("c", 1)
  return tostring(ask(ctx, "?"))
end }
]]

local function accept(n)
  return { action = "accept", content = { n = n } }
end

describe("a modern call", function()
  local host, other

  before_each(function()
    host = inside.start { settle = true, scripts = { s = SCRIPT }, config = CONFIG }
  end)

  after_each(function()
    inside.close(host)
    inside.close(other)
    other = nil
  end)

  local function rows(of)
    return #(of or host):rows("s", "c")
  end

  -- Goes on with what `asked` (the state and the key) was about.
  local function retry(asked, answer, options)
    options = options or {}
    options.state = asked.state
    options.responses = options.responses or { [asked.key] = answer }
    return (options.host or host):call(options.tool or "one", options.arguments, options)
  end

  -- Asserts that the state was refused for `reason`, which is told to the log and nobody else.
  local function assert_refused(visit, reason, at)
    at = at or host
    assert.equal(200, visit:status())
    assert.same({ code = -32602, message = REFUSED }, visit:error())
    assert.same({ [reason] = 1 }, at.native:seal_faults())
    assert.truthy(at:log():find("was refused: " .. reason, 1, true))
    assert.equal(0, rows(at))
  end

  it("asks with a state, and ends with the answer to it", function()
    local asked = host:call("one", { topic = "Q3" }):asked()
    assert.equal("How many?", asked.params.message)
    assert.equal("", host:states())
    local visit = retry(asked, accept(4), { arguments = { topic = "Q3" } })
    assert.equal("got 4 for Q3", visit:text())
    assert.equal(1, rows())
    assert.same({}, host.native:seal_faults())
  end)

  it("ends in another host that has its key", function()
    local asked = host:call("one"):asked()
    inside.close(host)
    other = inside.start { settle = true, scripts = { s = SCRIPT },
      config = CONFIG:gsub('{ "', '{ "' .. OTHER_KEY .. '", "') }
    assert.equal("got 4 for nil", retry(asked, accept(4), { host = other }):text())
  end)

  it("takes the same arguments however they are written", function()
    local asked = host:call("one", { topic = "é", b = 1, a = { 1 } }):asked()
    local visit = host:modern("tools/call", {}, { spoil = function(message, headers)
      headers["Mcp-Name"] = "one"
      message.params.name = "one"
    end })
    assert.is_table(visit:result())
    local message, headers = host:prepare("tools/call", { name = "one" })
    local text = rpc.encode(message):gsub('"name":"one"', function(name)
      return name .. ',"requestState":"' .. asked.state .. '","inputResponses":{"' .. asked.key
        .. '":{"action":"accept","content":{"n":5}}},"arguments":{"a":[1.0],'
        .. '"topic":"\\u00e9", "b":1e0}'
    end, 1)
    assert.equal("got 5 for é", host:post(text, { headers = headers }):text())
  end)

  it("takes no arguments for an empty object", function()
    local asked = host:call("one"):asked()
    assert.equal("got 1 for nil", retry(asked, accept(1), { arguments = {} }):text())
  end)

  it("is bound to its arguments", function()
    local asked = host:call("one", { topic = "Q3" }):asked()
    assert_refused(retry(asked, accept(4), { arguments = { topic = "Q4" } }), "other arguments")
  end)

  it("is bound to its tool", function()
    assert_refused(retry(host:call("one"):asked(), accept(4), { tool = "twin" }), "other target")
  end)

  it("is bound to its principal", function()
    local asked = host:call("one", nil, { principal = "ada" }):asked()
    assert_refused(retry(asked, accept(4), { principal = "bob" }), "other principal")
    assert.equal("got 4 for nil", retry(asked, accept(4), { principal = "ada" }):text())
  end)

  it("is bound to the server's name", function()
    local asked = host:call("one"):asked()
    other = inside.start { settle = true, scripts = { s = SCRIPT },
      config = CONFIG:gsub('"spec"', '"other"') }
    assert_refused(retry(asked, accept(4), { host = other }), "other audience", other)
  end)

  it("does not open with a key that was taken out", function()
    local asked = host:call("one"):asked()
    other = inside.start { settle = true, scripts = { s = SCRIPT },
      config = CONFIG:gsub(KEY, OTHER_KEY) }
    assert_refused(retry(asked, accept(4), { host = other }), "unknown key", other)
  end)

  it("does not open once a byte of its state is another", function()
    local asked = host:call("one"):asked()
    local last = asked.state:sub(-6, -6)
    asked.state = asked.state:sub(1, -7) .. (last == "A" and "B" or "A") .. asked.state:sub(-5)
    assert_refused(retry(asked, accept(4)), "tampered")
  end)

  for name, state in pairs { empty = "", word = "banana", number = 7, list = {} } do
    it("does not open a state of the kind: " .. name, function()
      assert_refused(retry({ state = state, key = "q1" }, accept(4)), "malformed")
    end)
  end

  -- Seals what a spec makes up, as the host would have.
  local function sealed(changes, payload)
    local now = unit.clock.wall_ms()
    local claim = { method = "tools/call", target = "one", principal = "", audience = "spec",
      arguments = "{}", call_id = ("i"):rep(16), issued_ms = now, expires_ms = now + 1000000 }
    for field, value in pairs(changes) do claim[field] = value end
    local journal = unit.journal.start(now)
    return unit.seal.close(KEY, claim, payload or journal:encode())
  end

  it("takes a state sealed elsewhere with its key, and asks what is not asked yet", function()
    local visit = retry({ state = sealed {}, key = "q1" }, accept(4))
    assert.equal("How many?", visit:asked().params.message)
  end)

  it("is bound to its method", function()
    assert_refused(retry({ state = sealed { method = "prompts/get" }, key = "q1" }, accept(4)),
      "other method")
  end)

  it("does not open an expired state", function()
    local now = unit.clock.wall_ms()
    assert_refused(retry({ key = "q1",
      state = sealed { issued_ms = now - 2000, expires_ms = now - 1000 } }, accept(4)), "expired")
  end)

  it("does not open a state whose inside is no journal", function()
    assert_refused(retry({ state = sealed({}, "no journal"), key = "q1" }, accept(4)), "malformed")
  end)

  it("ignores answers that come without a state", function()
    local visit = host:call("one", nil, { responses = { q1 = accept(4) } })
    assert.equal("How many?", visit:asked().params.message)
    assert.equal(0, rows())
  end)

  it("ignores answers to what it did not ask", function()
    local asked = host:call("one"):asked()
    local visit = retry(asked, nil, { responses = { other = accept(9), [asked.key] = accept(4) } })
    assert.equal("got 4 for nil", visit:text())
  end)

  it("asks again for an answer that is missing, and takes it with the new state", function()
    local asked = host:call("one"):asked()
    for _, responses in ipairs { { other = accept(9) }, {}, { 1 }, "none", 7 } do
      local again = retry(asked, nil, { responses = responses }):asked()
      assert.equal(asked.key, again.key)
      assert.same(asked.params, again.params)
    end
    local again = retry(asked, nil, { responses = {} }):asked()
    assert.equal(0, rows())
    assert.equal("got 4 for nil", retry(again, accept(4)):text())
    assert.equal(1, rows())
  end)

  it("asks two questions one after the other, the first answer in its state", function()
    local first = host:call("two"):asked()
    assert.equal("first", first.key)
    local second = retry(first, accept(1), { tool = "two" }):asked()
    assert.equal("second", second.key)
    assert.equal("After 1?", second.params.message)
    assert.equal(0, rows())
    assert.equal("got 1 and 2", retry(second, accept(2), { tool = "two" }):text())
    assert.equal(1, rows())
  end)

  it("does not let a client change the answer that its state holds", function()
    local second = retry(host:call("two"):asked(), accept(1), { tool = "two" }):asked()
    local visit = retry(second, nil, { tool = "two",
      responses = { first = accept(9), second = accept(2) } })
    assert.equal("got 1 and 2", visit:text())
    assert.same({ "1+2" }, { host:rows("s", "c")[1]:match '"(.*)"' })
  end)

  it("takes no answer for a question before it is asked", function()
    local visit = retry(host:call("two"):asked(), nil, { tool = "two",
      responses = { first = accept(1), second = accept(2) } })
    assert.equal("After 1?", visit:asked().params.message)
    assert.equal(0, rows())
  end)

  it("asks a question again that has changed, and all that came after it", function()
    local first = host:call("two"):asked()
    local second = retry(first, accept(1), { tool = "two" }):asked()
    other = inside.start { settle = true, scripts = { s = SCRIPT:gsub("First%?", "Who is first?") },
      config = CONFIG }
    local visit = retry(second, accept(2), { tool = "two", host = other })
    assert.equal("Who is first?", visit:asked().params.message)
    local after = retry(visit:asked(), accept(5), { tool = "two", host = other }):asked()
    assert.equal("After 5?", after.params.message)
    assert.equal(0, rows(other))
    assert.equal("got 5 and 6",
      retry(after, accept(6), { tool = "two", host = other }):text())
    assert.equal(1, rows(other))
  end)

  -- The state and the messages by key of a reply that asks.
  local function round(visit)
    local messages, result = {}, visit:result()
    for key, request in pairs(result.inputRequests) do messages[key] = request.params.message end
    return messages, result.requestState
  end

  it("asks several questions in one reply, and goes on with all their answers", function()
    local messages, state = round(host:call "both")
    assert.same({ a = "A?", b = "B?" }, messages)
    local visit = host:call("both", nil, { state = state,
      responses = { a = accept(1), b = accept(2) } })
    assert.equal("1+2", visit:text())
    assert.equal(1, rows())
  end)

  it("asks again for those that were left out alone, and keeps the others in its state", function()
    for first, second in pairs { a = "b", b = "a" } do
      local _, state = round(host:call "both")
      local visit = host:call("both", nil, { state = state, responses = { [first] = accept(1) } })
      local messages
      messages, state = round(visit)
      assert.same({ [second] = second:upper() .. "?" }, messages)
      visit = host:call("both", nil, { state = state,
        responses = { [first] = accept(9), [second] = accept(2) } })
      assert.equal(first == "a" and "1+2" or "2+1", visit:text())
    end
    assert.equal(2, rows())
  end)

  it("spends no answer of a round on another question, nor those behind it", function()
    for change, messages in pairs {
      ["A?"] = { a = "Is it A?", b = "B?" },
      ["B?"] = { b = "Is it B?" },
    } do
      local _, state = round(host:call "both")
      other = inside.start { settle = true, config = CONFIG, scripts = {
        s = SCRIPT:gsub('"' .. change:gsub("%?", "%%?"), '"Is it ' .. change) } }
      local visit = other:call("both", nil, { state = state,
        responses = { a = accept(1), b = accept(2) } })
      assert.same(messages, (round(visit)))
      assert.equal(0, rows(other))
      inside.close(other)
    end
  end)

  it("is the same call on every retry: its id, its time, its chance, what it did once", function()
    local asked = host:call("steady"):asked()
    local visit = retry(asked, accept(1), { tool = "steady" })
    assert.equal(asked.params.message, visit:text())
    assert.not_equal(asked.params.message, host:call("steady"):asked().params.message)
  end)

  it("that has learned more than a state can hold ends in an error and stores nothing", function()
    local visit = host:call "heavy"
    assert.is_true(visit:is_error())
    assert.matches("requestState would be larger than 64 KiB", visit:text())
    assert.equal("", host:states())
    assert.equal(0, rows())
  end)

  for name, capabilities in pairs {
    ["nothing"] = {}, ["elicitation by URL alone"] = { elicitation = { url = {} } },
  } do
    it("tells a client that declared " .. name .. " what it lacks, and stores nothing", function()
      local visit = host:call("one", nil, { capabilities = capabilities })
      assert.equal(400, visit:status())
      assert.equal(-32021, visit:error().code)
      assert.same({ requiredCapabilities = { elicitation = { form = {} } } }, visit:error().data)
      assert.equal("", host:states())
      assert.equal(0, rows())
    end)
  end

  local MIXED = {
    form = accept(1),
    roots = { roots = { { uri = "file:///a" } } },
    sample = { role = "assistant", model = "m", content = { type = "text", text = "Hello" } },
    url = { action = "accept" },
  }
  local ALL = { elicitation = { form = {}, url = {} }, sampling = { tools = {} }, roots = {} }

  it("asks for forms, URLs, messages and roots in one round, as its version has them", function()
    local visit = host:call("mixed", nil, { capabilities = ALL })
    local result = visit:result()
    local requests = result.inputRequests
    assert.same({ mode = "url", message = "Go?", url = "https://a.example/b" },
      requests.url.params)
    assert.same({ method = "roots/list" }, requests.roots)
    assert.equal("sampling/createMessage", requests.sample.method)
    assert.equal(5, requests.sample.params.maxTokens)
    assert.equal("form", requests.form.params.mode)
    visit = host:call("mixed", nil, { state = result.requestState, responses = MIXED,
      capabilities = ALL })
    assert.equal("1 1 m accept", visit:text())
    assert.equal(1, rows())
  end)

  it("says of a malformed message or list of roots what is wrong, and stores nothing", function()
    for key, why in pairs {
      roots = "The client's answer to roots/list is malformed: roots must be a list",
      sample = "The client's answer to sampling/createMessage is malformed: model must be a string",
    } do
      local result = host:call("mixed", nil, { capabilities = ALL }):result()
      local responses = {}
      for name, response in pairs(MIXED) do responses[name] = response end
      responses[key] = { lie = true }
      local visit = host:call("mixed", nil, { state = result.requestState, responses = responses,
        capabilities = ALL })
      assert.is_true(visit:is_error())
      assert.equal(why, visit:text())
    end
    assert.equal(0, rows())
  end)

  it("tells all that a round lacks at once, and nothing that it does not", function()
    for _, case in ipairs {
      { {}, { elicitation = { form = {}, url = {} }, roots = {}, sampling = { tools = {} } } },
      { { elicitation = {}, sampling = {} },
        { elicitation = { url = {} }, roots = {}, sampling = { tools = {} } } },
      { { elicitation = { form = {}, url = {} }, sampling = { tools = {} } }, { roots = {} } },
    } do
      local visit = host:call("mixed", nil, { capabilities = case[1] })
      assert.equal(400, visit:status())
      assert.equal(-32021, visit:error().code)
      assert.same(case[2], visit:error().data.requiredCapabilities)
    end
    assert.equal("", host:states())
    assert.equal(0, rows())
  end)

  -- A host whose script may be called back.
  local function start_linking()
    inside.close(host)
    host = inside.start { settle = true, scripts = { s = SCRIPT }, config = CONFIG
      .. ', public_url = "https://b.example/", grants = { s = { callback = true } }' }
  end

  it("waits for a browser on the spot for a while, and then in its state", function()
    start_linking()
    local asked = host:call("link", nil, { capabilities = ALL }):asked()
    assert.matches("^https://a%.example/%?to=https://b%.example/callback/v1%.",
      asked.params.url)
    local visit = retry(asked, { action = "accept" }, { tool = "link", capabilities = ALL })
    assert.equal("asking", host:states())
    host:tick(19)
    assert.is_true(visit:open())
    host:tick(21)
    local result = visit:result()
    assert.equal("input_required", result.resultType)
    assert.is_nil(result.inputRequests)
    assert.equal("", host:states())
    visit = host:call("link", nil, { state = result.requestState, capabilities = ALL })
    assert.is_true(visit:open())
    assert.equal(0, rows())
    visit:leave()
    assert.equal("", host:states())
  end)

  it("does not wait for a browser that nobody sent", function()
    start_linking()
    local visit = host:call "early"
    assert.is_true(visit:is_error())
    assert.truthy(host:log():find("ctx:await_callback: nobody has the URL yet; call ctx:callback() "
      .. "first", 1, true))
  end)

  it("needs no capability for an answer that it has", function()
    local asked = host:call("one"):asked()
    assert.equal("got 4 for nil", retry(asked, accept(4), { capabilities = {} }):text())
  end)
end)
