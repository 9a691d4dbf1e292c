-- How the host ends: in good order with work in hand, and at once when it cannot start.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local store = require "support.store"

local SECONDS = 10

-- Less than the host grants requests that are still coming in.
local AT_ONCE = 3

describe("a host that is told to end", function()
  local host

  before_each(function()
    host = process.start()
  end)

  after_each(function()
    process.close(host)
  end)

  for _, signal in ipairs { "TERM", "INT" } do
    it("by SIG" .. signal .. " ends with code 0", function()
      assert.equal("book_meeting", modern.connect(host):tools()[1].name)
      host:signal(signal)
      assert.equal(0, host:exit_code(SECONDS))
    end)
  end

  it("ends the stream of a call that waits for a person, and books nothing", function()
    local booked = store.bookings_from_now(host)
    local call = legacy.connect(host):ask("book_meeting", { topic = "cut off" })
    host:signal "TERM"
    call:advance()
    assert.is_nil(call.question)
    assert.is_nil(call.result)
    assert.is_true(call.ended_silently or call.error ~= nil)
    assert.equal(0, host:exit_code(SECONDS))
    assert.same({}, booked())
  end)

  it("ends a listening client's stream", function()
    local stream = legacy.connect(host):listen()
    assert.equal("", stream:event(SECONDS).data) -- the first one, which has an id only
    host:signal "TERM"
    -- Nothing but the event that opens the stream, whose data is empty (2025-11-25).
    for event in function() return stream:event(SECONDS) end do
      assert.equal("", event.data)
    end
    stream:close()
    assert.equal(0, host:exit_code(SECONDS))
  end)

  it("does not wait for clients that keep a connection open, or half a request", function()
    local idle, half = http.connect(host), http.connect(host)
    half:send "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le"
    host:signal "TERM"
    assert.equal(0, host:exit_code(SECONDS))
    idle:close()
    half:close()
  end)

  -- Many of them, as it matters whether the end arrives together with the last bytes.
  it("does not wait for clients that left in the middle of a body", function()
    local prepared = modern.connect(host):prepare "tools/list"
    local text = http.render(host, modern.http_request(prepared))
    for _ = 1, 50 do
      local connection = http.connect(host)
      connection:send(text:sub(1, -10))
      connection:close()
    end
    host:signal "TERM"
    assert.equal(0, host:exit_code(AT_ONCE))
  end)

  it("has stored what it said it booked", function()
    local booked = store.bookings_from_now(host)
    local call = modern.connect(host):ask("book_meeting", { topic = "just in time" })
    call:answer { action = "accept", content = { approved = true } }
    host:signal "KILL"
    host:exit_code(SECONDS)
    assert.same({ { topic = "just in time", time = "09:00" } }, booked())
  end)
end)

describe("a host that cannot have its port", function()
  local host

  setup(function()
    host = process.start()
  end)

  teardown(function()
    process.close(host)
  end)

  it("ends with code 1 and one line that names the address", function()
    local address = "127.0.0.1:" .. host.port
    local ran = process.run {
      "serve", "--scripts", process.scripts, "--listen", address, "--store", "memory:",
    }
    assert.equal(1, ran.code)
    local lines = 0
    for line in ran.err:gmatch "[^\n]+" do
      if line:find(address, 1, true) then
        lines = lines + 1
      end
    end
    assert.equal(1, lines, ran.err)
    assert.equal("book_meeting", modern.connect(host):tools()[1].name)
  end)
end)
