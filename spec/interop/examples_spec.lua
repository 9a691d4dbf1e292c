-- The tools of scripts/examples, called by the official TypeScript client over both transports in
-- both eras: each text that they promise, and what is stored.

local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local socket = require "socket"
local store = require "support.store"
local wait = require "support.wait"

local FOLDER = process.root .. "/spec/interop"
local EXAMPLES = process.root .. "/scripts/examples/"

local function accept(content) return { action = "accept", content = content } end

local COMPLETE = "notifications/elicitation/complete"
local DECLINE, CANCEL = { action = "decline" }, { action = "cancel" }
local ADA = { username = "ada", email = "ada@example.com", plan = "pro" }
local SEAT = { turma_id = "html-01", email = "aluno@example.com" }
local QUESTION = "Reservar 1 vaga em \"HTML semântico para agentes\" para aluno@example.com?"

-- What is asked of each tool, and what must come of it: a text (of an error where `isError`), or a
-- JSON-RPC error's code. `modern` and `legacy` say what differs between the eras.
local CASES = {
  accounts = {
    { "register_user", { accept(ADA) }, text = "registered ada <ada@example.com> (plan: pro)" },
    { "register_user", { accept { username = "bob", email = "b@example.com" } },
      text = "registered bob <b@example.com> (plan: free)" },
    { "register_user", { accept { username = "x", email = "b@example.com" }, accept(ADA) },
      text = "registered ada <ada@example.com> (plan: pro)", asked = 2 },
    { "register_user", { DECLINE }, text = "registration decline" },
    { "register_user", { CANCEL }, text = "registration cancel" },
    { "plan_trip", { accept { destination = "Lisbon" },
      accept { departure = "2026-12-24", nights = 5 } },
      text = "trip planned: Lisbon on 2026-12-24 for 5 nights", asked = 2 },
    { "plan_trip", { accept { destination = "Lisbon" }, DECLINE }, text = "trip decline",
      asked = 2 },
    { "plan_trip", { CANCEL }, text = "trip cancel" },
    { "link_account", { accept() }, args = { provider = "git hub/x" }, text = "linked git hub/x",
      url = "https://example.com/oauth/git%20hub%2Fx/authorize", completed = true },
    { "link_account", { DECLINE }, args = { provider = "github" }, text = "link decline" },
    { "link_account", { CANCEL }, args = { provider = "github" }, text = "link cancel" },
    { "confirm_payment", { accept() }, args = { cartId = "c&1" },
      modern = { text = "payment confirmed", asked = 1,
        url = "https://example.com/confirm-payment?cart=c%261" },
      legacy = { code = -32042, asked = 0,
        required = "https://example.com/confirm-payment?cart=c%261" } },
    { "confirm_payment", { DECLINE }, args = { cartId = "1" },
      modern = { text = "payment decline" }, legacy = { code = -32042, asked = 0 } },
  },
  classes = {
    { "reservar_vaga", { DECLINE }, args = SEAT, isError = true, message = QUESTION,
      text = "reserva cancelada pelo usuário" },
    { "reservar_vaga", { CANCEL }, args = SEAT, isError = true,
      text = "reserva cancelada pelo usuário" },
    { "reservar_vaga", { accept { confirmar = false } }, args = SEAT, isError = true,
      text = "reserva cancelada pelo usuário" },
    { "reservar_vaga", { accept { confirmar = true } }, args = SEAT,
      text = "reservado: html-01 para aluno@example.com (restam 2)" },
    { "reservar_vaga", { accept { confirmar = true } }, args = SEAT,
      text = "reservado: html-01 para aluno@example.com (restam 1)" },
    { "reservar_vaga", { accept { confirmar = true } }, args = SEAT,
      text = "reservado: html-01 para aluno@example.com (restam 0)" },
    { "reservar_vaga", {}, args = SEAT, isError = true, text = "turma html-01 sem vagas",
      asked = 0 },
    { "reservar_vaga", {}, args = { turma_id = "x", email = "a@example.com" }, isError = true,
      text = "turma x não existe", asked = 0 },
    { "reservar_vaga", {}, args = { turma_id = "x", email = "a@example.com" }, incapable = true,
      asked = 0, modern = { code = -32021 }, legacy = { isError = true,
        text = "reservar_vaga needs a client that supports elicitation.form; this one did not "
          .. "declare it." } },
  },
  support = {
    { "collect_contact", { accept { name = "Ada", email = "ada@example.com" } },
      text = "Follow-up will go to Ada at ada@example.com." },
    { "collect_contact", { DECLINE }, text = "No contact details were provided." },
    { "collect_contact", {}, incapable = true, isError = true, asked = 0,
      text = "This client does not support form elicitation." },
    { "export_data", { accept { includePrivateFields = true } },
      text = "Exporting with private fields." },
    { "export_data", { accept {} }, text = "Exporting without private fields." },
    { "export_data", { DECLINE }, text = "The user declined to provide export settings." },
    { "export_data", { CANCEL }, text = "The export was cancelled." },
    { "create_ticket", { accept { title = "It broke", priority = "high" } },
      text = "Created ticket 1." },
    { "create_ticket", { DECLINE }, text = "Ticket creation cancelled." },
    { "create_ticket", { accept { title = "Again" } }, text = "Created ticket 2." },
    { "deploy", { accept { environment = "staging" } }, text = "Deploying to staging." },
    { "deploy", { CANCEL }, text = "Deployment cancelled." },
    { "deploy", {}, incapable = true, isError = true, asked = 0, text = "Could not collect "
      .. "deployment input: The client can't be asked: it does not support elicitation.form." },
    { "connect_github", { DECLINE }, isError = true, only = "HTTP",
      text = "GitHub authorization was not completed." },
    { "connect_github", { accept() }, visit = true, completed = true, only = "HTTP",
      text = "GitHub authorization completed." },
    { "connect_github", {}, incapable = true, isError = true, asked = 0,
      text = "This client does not support URL elicitation." },
  },
}

-- What the store holds at the end of all cases: "collection" → the values of its rows.
local STORED = {
  accounts = {},
  classes = { seats = { { left = 0 } } },
  support = { tickets = { { title = "It broke", priority = "high" },
    { title = "Again", priority = "normal" } } },
}

local function cases_over(name, transport)
  local chosen = {}
  for _, case in ipairs(CASES[name]) do
    if (case.only or transport) == transport then chosen[#chosen + 1] = case end
  end
  return chosen
end

local function drive(era, cases, target)
  local steps = {}
  for i, case in ipairs(cases) do
    steps[i] = { tool = case[1], args = case.args, answers = #case[2] > 0 and case[2] or nil,
      incapable = case.incapable, visit = case.visit }
  end
  local words = { "timeout", "-s", "KILL", tostring(wait.SECONDS * 4), "node",
    FOLDER .. "/calls.mjs", era, rpc.encode(steps) }
  table.move(target, 1, #target, #words + 1, words)
  local lines = {}
  for line in shell.capture(words):gmatch "[^\n]+" do lines[#lines + 1] = rpc.decode(line) end
  return lines
end

-- A port that was free a moment ago: the page of connect_github must be known before the host is.
local function free_port()
  local server = assert(socket.bind("127.0.0.1", 0))
  local _, port = server:getsockname()
  server:close()
  return math.tointeger(port)
end

local function over_http(name, era, cases)
  local port = free_port()
  local folder, remove = shell.folder()
  local host = process.start { scripts = EXAMPLES .. name, listen = "127.0.0.1:" .. port,
    store = folder .. "/store.db", config = { public_url = "http://127.0.0.1:" .. port,
      grants = name == "support" and { support = { callback = true } } or nil } }
  local ok, lines = pcall(drive, era, cases, { host.url })
  process.close(host)
  return ok, lines, { store = folder .. "/store.db" }, remove
end

local function over_stdio(name, era, cases)
  local folder, remove = shell.folder()
  local where = folder .. "/store.db"
  local ok, lines = pcall(drive, era, cases,
    { process.binary, "stdio", "--scripts", EXAMPLES .. name, "--store", where })
  return ok, lines, { store = where }, remove
end

local function check(case, era, line)
  local expected = setmetatable(case[era] or {}, { __index = case })
  assert.equal(expected.code, line.code, rpc.encode(line))
  if not expected.code then
    assert.equal(expected.text, line.text)
    assert.equal(expected.isError or false, line.isError)
  end
  assert.equal(expected.asked or 1, #line.asked)
  if expected.message then assert.equal(expected.message, line.asked[1].message) end
  if expected.url then
    assert.equal(expected.url, line.asked[1].url)
    assert.equal(era == "legacy", line.asked[1].elicitationId ~= nil)
  end
  if expected.required then assert.equal(expected.required, line.data.elicitations[1].url) end
  local completed = 0
  for _, notification in ipairs(line.notifications) do
    if notification.method == COMPLETE then completed = completed + 1 end
  end
  assert.equal(expected.completed and era == "legacy" and 1 or 0, completed)
end

local function values(host, name, collection)
  local list = {}
  for i, row in ipairs(store.rows(host, name, collection)) do list[i] = row.value end
  return list
end

for name in pairs(CASES) do
  for transport, serve in pairs { HTTP = over_http, stdio = over_stdio } do
    for _, era in ipairs { "legacy", "modern" } do
      describe(("the examples in %s, over %s (%s),"):format(name, transport, era), function()
        if not shell.read(FOLDER .. "/node_modules/@modelcontextprotocol/client/package.json") then
          pending "need the client: run npm ci in spec/interop"
          return
        end

        local cases = cases_over(name, transport)
        local lines, host, remove

        setup(function()
          local ok
          ok, lines, host, remove = serve(name, era, cases)
          if not ok then remove() end
          assert(ok, lines)
        end)

        teardown(function() remove() end)

        for i, case in ipairs(cases) do
          it(("answer as they promise: %s, case %d"):format(case[1], i), function()
            check(case, era, assert(lines[i], "the client did not come that far"))
          end)
        end

        it("have stored what was agreed to, and no more", function()
          for collection, expected in pairs(STORED[name]) do
            assert.same(expected, values(host, name, collection))
          end
        end)
      end)
    end
  end
end
