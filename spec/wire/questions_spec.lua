-- Questions of every kind, several in a round, over real connections in both eras.

local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local store = require "support.store"

local SCRIPT = [[
local mcp = require "mcp"
local function form(kind)
  return { type = "object", required = { "v" }, properties = { v = kind } }
end
mcp.tool { name = "trip", handler = function(_, ctx)
  local answers = ctx:ask {
    city = { message = "Where to?", requestedSchema = form { type = "string", minLength = 1 } },
    day = { message = "When?", requestedSchema = form { type = "string", format = "date" } },
    idea = { messages = { { role = "user", content = mcp.text "What to do there?" } },
      maxTokens = 50 },
    where = { method = "roots/list" },
  }
  for _, name in ipairs { "city", "day" } do
    if answers[name].action ~= "accept" then return "no trip: " .. answers[name].action end
  end
  local text = ("%s on %s: %s (%d)"):format(answers.city.content.v, answers.day.content.v,
    answers.idea.content.text, #answers.where)
  ctx.store:append("trips", text)
  return text
end }
]]

local ALL = { elicitation = { form = {} }, sampling = {}, roots = {} }

local function accept(v)
  return { action = "accept", content = { v = v } }
end

-- The answers by the method and the message of their questions.
local ANSWERS = {
  ["Where to?"] = accept "Oslo",
  ["When?"] = accept "2026-12-24",
  ["sampling/createMessage"] = { role = "assistant", model = "m",
    content = { type = "text", text = "ski" } },
  ["roots/list"] = { roots = { { uri = "file:///home" } } },
}

local function name_of(request)
  local params = request.params or {}
  return params.message or request.method
end

-- What a client of either era does with a round: `open` calls the tool, `answer` gives the answers
-- of these names and returns what is asked then, or the text of the result.
local Modern = {}
Modern.__index = Modern

local function modern_client(host)
  return setmetatable({ client = modern.connect(host, { capabilities = ALL }) }, Modern)
end

function Modern:take(reply)
  self.reply = reply
  local result = reply.result
  if result.resultType ~= "input_required" then return rpc.text(reply.json) end
  self.state, self.requests = result.requestState, result.inputRequests
  local names = {}
  for _, request in pairs(self.requests) do names[#names + 1] = name_of(request) end
  table.sort(names)
  return table.concat(names, " | ")
end

function Modern:open()
  return self:take(self.client:call "trip")
end

function Modern:answer(names, answers)
  local responses = {}
  for key, request in pairs(self.requests) do
    for _, name in ipairs(names) do
      if name_of(request) == name then responses[key] = (answers or ANSWERS)[name] end
    end
  end
  return self:take(self.client:call("trip", nil, { requestState = self.state,
    inputResponses = responses }))
end

describe("a round of questions", function()
  local host, folder, remove

  setup(function()
    folder, remove = shell.folder()
    shell.write(folder .. "/trip.lua", SCRIPT)
    host = process.start { scripts = folder }
  end)

  teardown(function()
    process.close(host)
    remove()
  end)

  local function rows()
    return #store.rows(host, "trip", "trips")
  end

  local EVERYTHING = { "When?", "Where to?", "roots/list", "sampling/createMessage" }
  local ALL_OPEN = table.concat(EVERYTHING, " | ")

  it("goes out in one reply of 2026-07-28 and comes back in one request", function()
    local before, client = rows(), modern_client(host)
    assert.equal(ALL_OPEN, client:open())
    assert.equal("Oslo on 2026-12-24: ski (1)", client:answer(EVERYTHING))
    assert.equal(before + 1, rows())
  end)

  it("is asked for bit by bit where 2026-07-28 answers it bit by bit, over a restart", function()
    local before, client = rows(), modern_client(host)
    client:open()
    assert.equal("When? | roots/list | sampling/createMessage", client:answer { "Where to?" })
    host:restart { scripts = folder }
    client.client.host = host
    assert.equal("When?", client:answer { "roots/list", "sampling/createMessage" })
    assert.equal(before, rows())
    assert.equal("Oslo on 2026-12-24: ski (1)", client:answer { "When?" })
    assert.equal(before + 1, rows())
  end)

  it("is asked again for what does not fit alone", function()
    local before, client = rows(), modern_client(host)
    client:open()
    local answers = setmetatable({ ["When?"] = accept "tomorrow" }, { __index = ANSWERS })
    local asked = client:answer(EVERYTHING, answers)
    assert.matches("^When%?\n\nPlease correct: v must be a date", asked)
    assert.equal(before, rows())
    assert.equal("Oslo on 2026-12-24: ski (1)",
      client:answer({ asked }, { [asked] = ANSWERS["When?"] }))
    assert.equal(before + 1, rows())
  end)

  it("asks a client for nothing when it can't answer all of it", function()
    local before = rows()
    local reply = modern.connect(host):call "trip"
    assert.equal(400, reply.status)
    assert.equal(-32021, reply.error.code)
    assert.same({ sampling = {}, roots = {} }, reply.error.data.requiredCapabilities)
    local call = legacy.connect(host):ask "trip"
    assert.is_true(call.is_error)
    assert.equal("trip needs a client that supports sampling and roots; this one did not declare "
      .. "it.", call.text)
    assert.equal(before, rows())
  end)

  -- Opens the call in a session and returns it with the ids of its questions by their names.
  local function ask_legacy(client)
    local call = client:ask "trip"
    local ids = { [name_of { method = call.question_method, params = call.question }] =
      call.question_id }
    for _ = 2, #EVERYTHING do
      local message = call:next_message()
      ids[name_of(message)] = message.id
    end
    return call, ids
  end

  it("goes out on the call's stream in a session, and waits for the last answer", function()
    for last = 1, #EVERYTHING do
      local before = rows()
      local client = legacy.connect(host, { capabilities = ALL })
      local call, ids = ask_legacy(client)
      for i, name in ipairs(EVERYTHING) do
        if i ~= last then assert.equal(202, client:respond(ids[name], ANSWERS[name]).status) end
      end
      assert.equal(before, rows())
      client:respond(ids[EVERYTHING[last]], ANSWERS[EVERYTHING[last]])
      call:advance()
      assert.equal("Oslo on 2026-12-24: ski (1)", call.text)
      assert.equal(before + 1, rows())
    end
  end)

  it("counts the first answer of each question in a session", function()
    local before = rows()
    local client = legacy.connect(host, { capabilities = ALL })
    local call, ids = ask_legacy(client)
    client:respond(ids["Where to?"], accept "Oslo")
    client:respond(ids["Where to?"], accept "Rome")
    for _, name in ipairs { "When?", "roots/list", "sampling/createMessage" } do
      client:respond(ids[name], ANSWERS[name])
    end
    client:respond(ids["When?"], accept "2027-01-01")
    call:advance()
    assert.equal("Oslo on 2026-12-24: ski (1)", call.text)
    assert.equal(before + 1, rows())
  end)

  it("ends with the reason when a session's client can't ask one of them", function()
    local before = rows()
    local client = legacy.connect(host, { capabilities = ALL })
    local call, ids = ask_legacy(client)
    client:respond(ids["Where to?"], ANSWERS["Where to?"])
    client:post { jsonrpc = "2.0", id = ids["sampling/createMessage"],
      error = { code = -1, message = "User rejected sampling request" } }
    call:advance()
    assert.is_true(call.is_error)
    assert.equal("The client could not ask: User rejected sampling request", call.text)
    assert.equal(2, #call.notifications) -- those that were still open are withdrawn
    assert.equal(before, rows())
  end)

  it("stores nothing when one of its forms is declined", function()
    local before, client = rows(), modern_client(host)
    client:open()
    local answers = setmetatable({ ["Where to?"] = { action = "decline" } }, { __index = ANSWERS })
    assert.equal("no trip: decline", client:answer(EVERYTHING, answers))
    assert.equal(before, rows())
  end)
end)
