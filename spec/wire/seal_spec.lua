-- The requestState of the modern era in the hands of an attacker, and across restarts. After every
-- attack the store is looked at, and the genuine state is shown to have been good all along.

local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local socket = require "socket"
local store = require "support.store"
local wait = require "support.wait"

local REFUSAL = "Invalid or expired requestState"
local YES = { action = "accept", content = { approved = true, time = "14:30" } }
local ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

-- Two keys of 32 bytes, as base64url.
local KEY_ONE = ("A"):rep(42) .. "E"
local KEY_TWO = ("B"):rep(42) .. "E"

-- Returns `text` with one bit of the value of its base64url character at `at` changed.
local function flip(text, at, bit)
  local value = ALPHABET:find(text:sub(at, at), 1, true) - 1
  local other = (value ~ bit) + 1
  return text:sub(1, at - 1) .. ALPHABET:sub(other, other) .. text:sub(at + 1)
end

local function parts_of(state)
  local parts = {}
  for part in state:gmatch "[^.]+" do
    parts[#parts + 1] = part
  end
  return parts
end

-- Returns `state` with part number `i` put through `change`.
local function with_part(state, i, change)
  local parts = parts_of(state)
  parts[i] = change(parts[i])
  return table.concat(parts, ".")
end

-- What an attacker does to a state. Each must be met with one and the same refusal.
local ATTACKS = {
  {
    "a bit of the version flipped",
    function(state)
      return string.char(state:byte(1)) .. string.char(state:byte(2) ~ 1) .. state:sub(3)
    end,
  },
  {
    "another version",
    function(state)
      return "v2" .. state:sub(3)
    end,
  },
  {
    "the last character gone",
    function(state)
      return state:sub(1, -2)
    end,
  },
  {
    "the second half gone",
    function(state)
      return state:sub(1, #state // 2)
    end,
  },
  {
    "the ciphertext gone",
    function(state)
      return with_part(state, 4, function()
        return ""
      end)
    end,
  },
  {
    "a character more",
    function(state)
      return state .. "A"
    end,
  },
  {
    "padding",
    function(state)
      return state .. "="
    end,
  },
  {
    "a space behind it",
    function(state)
      return state .. " "
    end,
  },
  {
    "a fifth part",
    function(state)
      return state .. ".AAAA"
    end,
  },
  {
    "over 64 KiB",
    function(state)
      return state .. ("A"):rep(64 * 1024)
    end,
  },
  {
    "nothing in it",
    function()
      return ""
    end,
  },
  {
    "something else altogether",
    function()
      return '{"approved":true}'
    end,
  },
  {
    -- Eight bytes are eleven characters, and two bits of the last one are spare.
    "spare bits set in the key's id",
    function(state)
      return with_part(state, 2, function(part)
        return flip(part, #part, 1)
      end)
    end,
  },
}

for i, name in ipairs { false, "the key's id", "the nonce", "the ciphertext" } do
  for place, at in pairs { first = 1, middle = 0, last = -1 } do
    if name then
      ATTACKS[#ATTACKS + 1] = {
        ("a bit of the %s character of %s flipped"):format(place, name),
        function(state)
          return with_part(state, i, function(part)
            local index = at == 0 and #part // 2 or at > 0 and at or #part
            return flip(part, index, 32)
          end)
        end,
      }
    end
  end
end

describe("a requestState", function()
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

  local function assert_refused(reply)
    assert.equal(-32602, reply.error and reply.error.code, reply.body)
    assert.equal(REFUSAL, reply.error.message)
    assert.is_nil(reply.error.data)
    assert.same({}, booked())
  end

  it("has four parts, each base64url without padding, and shows no word of the call", function()
    local state = client:ask("book_meeting", { topic = "Zebra" }).state
    local parts = parts_of(state)
    assert.equal(4, #parts)
    assert.equal("v1", parts[1])
    for i = 2, 4 do
      assert.truthy(parts[i]:find "^[%w_-]+$")
    end
    assert.is_nil(state:find("Zebra", 1, true))
  end)

  it("never comes twice, even for the same call", function()
    local one = client:ask("book_meeting", { topic = "Q3" }).state
    local two = client:ask("book_meeting", { topic = "Q3" }).state
    assert.not_equal(parts_of(one)[3], parts_of(two)[3])
  end)

  for _, attack in ipairs(ATTACKS) do
    local name, spoil = table.unpack(attack)
    it("with " .. name .. " is refused, and good when it is whole", function()
      local call = client:ask("book_meeting", { topic = "Q3" })
      local spoilt = spoil(call.state)
      assert.not_equal(call.state, spoilt)
      assert_refused(call:retry(YES, spoilt))
      call:answer(YES)
      assert.same({ { topic = "Q3", time = "14:30" } }, booked())
    end)
  end

  for name, value in pairs { ["a number"] = 1, ["an object"] = { v = 1 } } do
    it("that is " .. name .. " is refused", function()
      local call = client:ask("book_meeting", { topic = "Q3" })
      local reply = call:retry(YES, value)
      assert.equal(-32602, reply.error and reply.error.code, reply.body)
      assert.same({}, booked())
    end)
  end

  it("of one call does not fit other arguments", function()
    local call = client:ask("book_meeting", { topic = "harmless" })
    local function call_with(arguments)
      return client:call("book_meeting", arguments, {
        inputResponses = { [call.key] = YES },
        requestState = call.state,
      })
    end
    assert_refused(call_with { topic = "another" })
    assert_refused(call_with { topic = "harmless", extra = 1 })
    call:answer(YES)
    assert.same({ { topic = "harmless", time = "14:30" } }, booked())
  end)

  it("does not care how the same arguments are written", function()
    local call = client:ask("book_meeting", { topic = "written" })
    local reply = client:request("tools/call", {}, function(prepared)
      prepared.headers["Mcp-Name"] = "book_meeting"
      local params = prepared.message.params
      params.name, params.arguments = "book_meeting", "ARGUMENTS"
      params.requestState, params.inputResponses = call.state, { [call.key] = YES }
      local rewritten = [[{ "topic" : "\u0077ritten" }]]
      prepared.body = rpc.encode(prepared.message):gsub('"ARGUMENTS"', rewritten)
    end)
    assert.equal("Booked: meeting about 'written' at 14:30.", rpc.text(reply))
    assert.same({ { topic = "written", time = "14:30" } }, booked())
  end)
end)

describe("a requestState and another tool", function()
  local host, scripts, remove

  -- The same script under another name: tool, arguments and question are alike but for that.
  setup(function()
    local folder
    folder, remove = shell.folder()
    scripts = folder .. "/scripts"
    shell.copy(process.scripts, scripts)
    local source = shell.read(scripts .. "/book_meeting.lua")
    shell.write(
      scripts .. "/book_other.lua",
      (source:gsub('name%s*=%s*"book_meeting"', 'name = "book_other"'))
    )
    host = process.start { scripts = scripts }
  end)

  teardown(function()
    process.close(host)
    remove()
  end)

  it("do not go together", function()
    local booked = store.bookings_from_now(host)
    local booked_other = store.bookings_from_now(host, "book_other")
    local client = modern.connect(host)
    local call = client:ask("book_meeting", { topic = "Q3" })
    local reply = client:call("book_other", { topic = "Q3" }, {
      inputResponses = { [call.key] = YES },
      requestState = call.state,
    })
    assert.equal(REFUSAL, reply.error and reply.error.message, reply.body)
    assert.same({}, booked())
    assert.same({}, booked_other())
    call:answer(YES)
    assert.same({ { topic = "Q3", time = "14:30" } }, booked())
    assert.same({}, booked_other())
  end)
end)

describe("a requestState across a restart", function()
  local host, client, booked, call

  local function start(changes)
    local options = { config = { state_keys = { KEY_ONE } } }
    for key, value in pairs(changes or {}) do
      options.config[key] = value
    end
    return options
  end

  before_each(function()
    host = process.start(start())
    client = modern.connect(host)
    booked = store.bookings_from_now(host)
    call = client:ask("book_meeting", { topic = "patience" })
  end)

  after_each(function()
    process.close(host)
  end)

  local function assert_refused()
    local reply = call:retry(YES)
    assert.equal(-32602, reply.error and reply.error.code, reply.body)
    assert.equal(REFUSAL, reply.error.message)
    assert.same({}, booked())
  end

  local function assert_booked()
    call:answer(YES)
    assert.equal("Booked: meeting about 'patience' at 14:30.", call.text)
    assert.same({ { topic = "patience", time = "14:30" } }, booked())
  end

  it("is as good as before, and the booking is there after another", function()
    host:restart(start())
    assert_booked()
    host:restart(start())
    assert.same({ { topic = "patience", time = "14:30" } }, booked())
    local again = call:retry(YES)
    assert.equal("Booked: meeting about 'patience' at 14:30.", rpc.text(again))
    assert.same({ { topic = "patience", time = "14:30" } }, booked())
  end)

  it("is refused when the keys are others", function()
    host:restart(start { state_keys = { KEY_TWO } })
    assert_refused()
  end)

  it("is as good as before when its key has moved to the second place", function()
    host:restart(start { state_keys = { KEY_TWO, KEY_ONE } })
    assert_booked()
  end)

  it("is as good as before when a key of lunask keys new has come first", function()
    local made = process.run { "keys", "new" }
    assert.equal(0, made.code)
    assert.truthy(made.err:find("state_keys", 1, true))
    local key = made.out:match "^([%w_-]+)\n$"
    assert.equal(43, #key)
    host:restart(start { state_keys = { key, KEY_ONE } })
    assert_booked()
    call = modern.connect(host):ask("book_meeting", { topic = "patience" })
    host:restart(start { state_keys = { key } })
    assert.equal("Booked: meeting about 'patience' at 14:30.", rpc.text(call:retry(YES)))
  end)

  it("is refused when the server has another name", function()
    host:restart(start { name = "another-server" })
    assert_refused()
    host:restart(start())
    assert_booked()
  end)

  it("is refused once it has expired", function()
    host:restart(start { state_ttl = 1 })
    call = modern.connect(host):ask("book_meeting", { topic = "patience" })
    wait.for_clock(socket.gettime() + 1.1)
    assert_refused()
  end)
end)

describe("a requestState without keys in the configuration", function()
  local host

  setup(function()
    host = process.start()
  end)

  teardown(function()
    process.close(host)
  end)

  it("survives a restart on the same store", function()
    local booked = store.bookings_from_now(host)
    local call = modern.connect(host):ask("book_meeting", { topic = "kept" })
    host:restart()
    call:answer(YES)
    assert.same({ { topic = "kept", time = "14:30" } }, booked())
  end)
end)

describe("a script that is edited while a person thinks", function()
  local host, scripts, remove

  setup(function()
    local folder
    folder, remove = shell.folder()
    scripts = folder .. "/scripts"
    shell.copy(process.scripts, scripts)
    host = process.start { scripts = scripts }
  end)

  teardown(function()
    process.close(host)
    remove()
  end)

  it("asks again when its question is another, and the old yes books nothing", function()
    local booked = store.bookings_from_now(host)
    local call = modern.connect(host):ask("book_meeting", { topic = "edited" })
    local path = scripts .. "/book_meeting.lua"
    local source, edits = shell.read(path):gsub("Review the topic", "Delete the topic")
    assert.equal(1, edits)
    shell.write(path, source)
    host:restart { scripts = scripts }

    local old = call.question.message
    call:answer(YES)
    assert.is_table(call.question)
    assert.not_equal(old, call.question.message)
    assert.truthy(call.question.message:find("Delete the topic", 1, true))
    assert.same({}, booked())

    call:answer(YES)
    assert.equal("Booked: meeting about 'edited' at 14:30.", call.text)
    assert.same({ { topic = "edited", time = "14:30" } }, booked())
  end)
end)
