-- The shipped tool, in each era. Every case also says what is stored afterwards.

local eras = require "support.eras"
local process = require "support.process"
local rpc = require "support.rpc"
local store = require "support.store"

local MESSAGE = "The book_meeting tool wants to add a meeting to your calendar. "
  .. "Review the topic it was given, choose a start time, and approve or reject."
local OUT_OF_BOUNDS = "Not booked: the confirmed topic is empty, too long, "
  .. "or contains characters that are not allowed."

local CONTROL = "topic must not contain control characters"
local QUOTE = "topic must not contain quote characters"

local REJECTED = {
  { "a newline", "a\nb", CONTROL },
  { "a carriage return", "a\rb", CONTROL },
  { "a tab", "a\tb", CONTROL },
  { "an escape", "a\27b", CONTROL },
  { "a delete", "a\127b", CONTROL },
  { "a next line (U+0085)", "a\u{85}b", CONTROL },
  { "a NUL", "a\0b", CONTROL },
  { "a double quote", 'a"b', QUOTE },
  { "a single quote", "a'b", QUOTE },
  { "a backtick", "a`b", QUOTE },
  { "a line separator (U+2028)", "a\u{2028}b" },
  { "a paragraph separator (U+2029)", "a\u{2029}b" },
  { "a right-to-left override (U+202E)", "a\u{202E}b" },
  { "a bidi isolate (U+2066)", "a\u{2066}b" },
  { "a right-to-left mark (U+200F)", "a\u{200F}b" },
  { "an Arabic letter mark (U+061C)", "a\u{61C}b" },
  { "nothing at all", "" },
  { "121 characters", ("x"):rep(121) },
}

local ACCEPTED = {
  { "120 characters", ("x"):rep(120) },
  { "120 emoji, 480 bytes", ("🎉"):rep(120) },
  { "letters beyond ASCII", "Q3 – Überblick 会議" },
}

local NOT_APPROVED = "Not booked: user did not approve the meeting about 'Q3 roadmap'."
local DECLINED = "Not booked: user declined the meeting about 'Q3 roadmap'."
local CANCELLED = "Not booked: user cancelled the request to book 'Q3 roadmap'."

local function accept(content)
  return { action = "accept", content = content }
end

local function approve(topic)
  return accept { approved = true, topic = topic }
end

local YES = { approved = true }

-- Answers that book nothing, and what the caller is told about a meeting on "Q3 roadmap".
local REFUSALS = {
  { "approved is false", accept { approved = false }, NOT_APPROVED },
  { "approved is missing", accept { time = "14:30" }, NOT_APPROVED },
  { 'approved is the string "true"', accept { approved = "true" }, NOT_APPROVED },
  { "approved is 1", accept { approved = 1 }, NOT_APPROVED },
  { "content is null", accept(rpc.null), NOT_APPROVED },
  { "content is missing", accept(), NOT_APPROVED },
  { "the person declines", { action = "decline" }, DECLINED },
  { "a decline has content null", { action = "decline", content = rpc.null }, DECLINED },
  { "a decline carries an approval", { action = "decline", content = YES }, DECLINED },
  { "the person cancels", { action = "cancel" }, CANCELLED },
  { "a cancel carries an approval", { action = "cancel", content = YES }, CANCELLED },
  { "the confirmed topic has an escape", approve("bad\27topic"), OUT_OF_BOUNDS },
  { "the confirmed topic is empty", approve(""), OUT_OF_BOUNDS },
  { "the confirmed topic has 121 characters", approve(("x"):rep(121)), OUT_OF_BOUNDS },
  { "the confirmed topic has a quote", approve("it's"), OUT_OF_BOUNDS },
  { "the confirmed topic hides U+202E", approve("a\u{202E}b"), OUT_OF_BOUNDS },
}

for _, era in ipairs(eras) do
  describe("book_meeting in the " .. era.name .. " era", function()
    local host, client, booked

    setup(function()
      host = process.start()
      client = era.connect(host)
    end)

    teardown(function()
      process.close(host)
    end)

    before_each(function()
      booked = store.bookings_from_now(host)
    end)

    local function ask(topic)
      return client:ask("book_meeting", { topic = topic })
    end

    local function assert_refused_unasked(call)
      assert.is_true(call.is_error)
      assert.same({}, call.questions)
      assert.same({}, booked())
    end

    it("is the only tool, takes a string topic, and owns up to writing", function()
      local tools = client:tools()
      assert.equal(1, #tools)
      assert.equal("book_meeting", tools[1].name)
      assert.equal("object", tools[1].inputSchema.type)
      assert.equal("string", tools[1].inputSchema.properties.topic.type)
      assert.same({ "topic" }, tools[1].inputSchema.required)
      local annotations = tools[1].annotations
      assert.is_false(annotations.readOnlyHint)
      assert.is_false(annotations.destructiveHint)
      assert.is_false(annotations.idempotentHint)
    end)

    it("asks once, with a flat form whose topic is a field", function()
      local call = ask "Q3 roadmap"
      assert.same({
        type = "object",
        required = { "approved" },
        properties = {
          topic = {
            type = "string",
            title = "Meeting topic",
            description = "Topic requested by the model. Edit it if it is wrong.",
            minLength = 1,
            maxLength = 120,
            default = "Q3 roadmap",
          },
          approved = {
            type = "boolean",
            title = "Approve",
            description = "Approve booking this meeting?",
          },
          time = {
            type = "string",
            title = "Start time",
            description = "Preferred start time, e.g. 14:30",
            default = "09:00",
          },
        },
      }, call.question.requestedSchema)
      assert.same({}, booked())
      call:answer { action = "accept", content = { approved = true, time = "14:30" } }
      assert.equal(1, #call.questions)
      assert.equal("Booked: meeting about 'Q3 roadmap' at 14:30.", call.text)
      assert.is_false(call.is_error)
      assert.same({ { topic = "Q3 roadmap", time = "14:30" } }, booked())
    end)

    it("asks with fixed prose that holds no word of the model", function()
      local call = ask "Zebra crossing"
      assert.equal(MESSAGE, call.question.message)
      call:answer { action = "cancel" }
      assert.same({}, booked())
    end)

    it("books the topic that was corrected in the form", function()
      local call = ask "Q3 roadmap"
      call:answer {
        action = "accept",
        content = { approved = true, time = "14:30", topic = "Q4 roadmap" },
      }
      assert.equal("Booked: meeting about 'Q4 roadmap' at 14:30.", call.text)
      assert.same({ { topic = "Q4 roadmap", time = "14:30" } }, booked())
    end)

    it("books at 09:00 when the form left out the time", function()
      local call = ask "Q3 roadmap"
      call:answer { action = "accept", content = { approved = true } }
      assert.equal("Booked: meeting about 'Q3 roadmap' at 09:00.", call.text)
      assert.same({ { topic = "Q3 roadmap", time = "09:00" } }, booked())
    end)

    it("books at 09:00 when the time is a number", function()
      local call = ask "Q3 roadmap"
      call:answer { action = "accept", content = { approved = true, time = 42 } }
      assert.equal("Booked: meeting about 'Q3 roadmap' at 09:00.", call.text)
      assert.same({ { topic = "Q3 roadmap", time = "09:00" } }, booked())
    end)

    for _, case in ipairs(REFUSALS) do
      local name, answer, text = table.unpack(case)
      it("books nothing when " .. name, function()
        local call = ask "Q3 roadmap"
        call:answer(answer)
        assert.equal(text, call.text)
        assert.is_false(call.is_error)
        assert.equal(1, #call.questions)
        assert.same({}, booked())
      end)
    end

    for _, action in ipairs { "postpone", "ACCEPT", "" } do
      it(("never takes the action %q for a yes"):format(action), function()
        local call = ask "Q3 roadmap"
        call:answer { action = action, content = { approved = true } }
        assert.equal(CANCELLED, call.text)
        assert.is_false(call.is_error)
        assert.same({}, booked())
      end)
    end

    it("never takes an answer without an action for a yes", function()
      local call = ask "Q3 roadmap"
      call:answer { content = { approved = true } }
      assert.equal(CANCELLED, call.text)
      assert.same({}, booked())
    end)

    it("refuses a topic that is a number", function()
      assert_refused_unasked(ask(42))
    end)

    it("refuses a call without a topic", function()
      assert_refused_unasked(ask(nil))
    end)

    it("refuses a topic that is null", function()
      assert_refused_unasked(ask(rpc.null))
    end)

    for _, case in ipairs(REJECTED) do
      local name, topic, reason = table.unpack(case)
      it("refuses a topic with " .. name .. " before anything is asked", function()
        local call = ask(topic)
        assert_refused_unasked(call)
        if reason then
          assert.truthy(call.text:find(reason, 1, true), call.text)
        end
      end)
    end

    for _, case in ipairs(ACCEPTED) do
      local name, topic = table.unpack(case)
      it("lets a topic with " .. name .. " through", function()
        local call = ask(topic)
        assert.equal(topic, call.question.requestedSchema.properties.topic.default)
        call:answer { action = "accept", content = { approved = true, time = "14:30" } }
        assert.equal(("Booked: meeting about '%s' at 14:30."):format(topic), call.text)
        assert.equal(1, #call.questions)
        assert.same({ { topic = topic, time = "14:30" } }, booked())
      end)
    end

    it("lets an unknown tool be a protocol error", function()
      local call = client:ask("nope", {})
      assert.equal(-32602, call.error.code)
      assert.truthy(call.error.message:lower():find("not found", 1, true))
      assert.same({}, booked())
    end)
  end)
end
