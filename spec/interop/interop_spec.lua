-- The official TypeScript client against the host. Run `npm ci` in this folder first.

local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local store = require "support.store"
local wait = require "support.wait"

local FOLDER = process.root .. "/spec/interop"

-- Runs the client against `target`, a list of words, and returns what it printed, by step.
local function drive(era, target)
  local words = {
    "timeout", "-s", "KILL", tostring(wait.SECONDS * 2),
    "node", FOLDER .. "/client.mjs", era,
  }
  table.move(target, 1, #target, #words + 1, words)
  local steps = {}
  for line in shell.capture(words):gmatch "[^\n]+" do
    local facts = rpc.decode(line)
    steps[facts.step] = facts
  end
  return steps
end

-- Each returns what the client told and what was booked meanwhile.
local TRANSPORTS = {
  HTTP = function(era)
    local host = process.start()
    local booked = store.bookings_from_now(host)
    local ok, steps = pcall(drive, era, { host.url })
    local bookings = ok and booked()
    process.close(host)
    assert(ok, steps)
    return steps, bookings
  end,
  stdio = function(era)
    local folder, remove = shell.folder()
    local host = { store = folder .. "/store.db" }
    local ok, steps = pcall(drive, era, {
      process.binary, "stdio", "--scripts", process.scripts, "--store", host.store,
    })
    local bookings = ok and store.bookings(host)
    remove()
    assert(ok, steps)
    return steps, bookings
  end,
}

local ERAS = { legacy = "2025-11-25", modern = "2026-07-28" }

local function describe_client(transport, era, version)
  describe(("the official client over %s in the %s era"):format(transport, era), function()
    if not shell.read(FOLDER .. "/node_modules/@modelcontextprotocol/client/package.json") then
      pending "needs the client: run npm ci in spec/interop"
      return
    end

    local steps, bookings

    setup(function()
      steps, bookings = TRANSPORTS[transport](era)
    end)

    it("connects, speaks the newest version of its era, and reaches the end", function()
      assert.equal(era, steps.connect.era)
      assert.equal(version, steps.connect.version)
      assert.same({ "elicitation-server", "0.1.0" }, {
        steps.connect.server.name,
        steps.connect.server.version,
      })
      assert.is_table(steps["end"])
    end)

    it("lists one tool with a string topic", function()
      assert.equal(1, #steps.list.tools)
      assert.equal("book_meeting", steps.list.tools[1].name)
      assert.equal("string", steps.list.tools[1].inputSchema.properties.topic.type)
    end)

    it("books what the person accepted, asking once with the topic as a field", function()
      assert.equal("Booked: meeting about 'Q3 roadmap' at 14:30.", steps.accept.text)
      assert.equal(1, #steps.accept.asked)
      local question = steps.accept.asked[1]
      assert.equal("Q3 roadmap", question.requestedSchema.properties.topic.default)
      assert.is_nil(question.message:find("Q3", 1, true))
    end)

    it("books the topic that was corrected in the form", function()
      assert.equal("Booked: meeting about 'Q4 budget' at 14:30.", steps.edited.text)
    end)

    it("tells apart a form left unapproved, a decline and a cancel", function()
      assert.equal(
        "Not booked: user did not approve the meeting about 'Unapproved'.",
        steps.unapproved.text
      )
      assert.equal("Not booked: user declined the meeting about 'Declined'.", steps.decline.text)
      assert.equal(
        "Not booked: user cancelled the request to book 'Cancelled'.",
        steps.cancel.text
      )
      for _, step in ipairs { "accept", "edited", "unapproved", "decline", "cancel" } do
        assert.is_false(steps[step].isError, step)
      end
    end)

    it("gets a tool error for a topic with quotes, without being asked", function()
      assert.is_true(steps.rejected.isError)
      assert.same({}, steps.rejected.asked)
    end)

    it("gets a protocol error for an unknown tool", function()
      assert.equal(-32602, steps.unknown.code)
      assert.truthy(steps.unknown.error:lower():find("not found", 1, true))
    end)

    it("stored exactly what was accepted", function()
      assert.same({
        { topic = "Q3 roadmap", time = "14:30" },
        { topic = "Q4 budget", time = "14:30" },
      }, bookings)
    end)
  end)
end

for transport in pairs(TRANSPORTS) do
  for era, version in pairs(ERAS) do
    describe_client(transport, era, version)
  end
end
