-- book_meeting: adds a meeting to the calendar, but only on an explicit yes to the form shown.
local mcp = require "mcp"

local TOPIC_MAX = 120
local DEFAULT_TIME = "09:00"

-- Fixed prose: nothing the model wrote goes into it. The topic travels as a labelled field.
local CONSENT = "The book_meeting tool wants to add a meeting to your calendar. "
  .. "Review the topic it was given, choose a start time, and approve or reject."

local NOT_ALLOWED = "Not booked: the confirmed topic is empty, too long, or contains characters "
  .. "that are not allowed."

local INPUT = {
  type = "object",
  required = { "topic" },
  properties = {
    topic = {
      type = "string",
      minLength = 1,
      maxLength = TOPIC_MAX,
      description = "What the meeting is about, as the person will read it.",
    },
  },
}

local function form(topic)
  return {
    type = "object",
    required = { "approved" },
    properties = mcp.ordered {
      { "topic", {
        type = "string",
        title = "Meeting topic",
        description = "Topic requested by the model. Edit it if it is wrong.",
        minLength = 1,
        maxLength = TOPIC_MAX,
        default = topic,
      } },
      { "approved", {
        type = "boolean",
        title = "Approve",
        description = "Approve booking this meeting?",
      } },
      { "time", {
        type = "string",
        title = "Start time",
        description = "Preferred start time, e.g. 14:30",
        default = DEFAULT_TIME,
      } },
    },
  }
end

-- Code points that could reshape the dialog a topic is shown in: C0 and C1 controls, line and
-- paragraph separators, bidirectional marks.
local function is_control(code)
  return code <= 0x1F
    or (code >= 0x7F and code <= 0x9F)
    or code == 0x061C
    or (code >= 0x200E and code <= 0x200F)
    or (code >= 0x2028 and code <= 0x202E)
    or (code >= 0x2066 and code <= 0x2069)
end

-- Returns nil if the topic may be shown and booked, else what is wrong with it.
local function topic_problem(topic)
  if type(topic) ~= "string" then return "topic must be a string" end
  local length = utf8.len(topic)
  if not length or length < 1 or length > TOPIC_MAX then
    return ("topic must have 1 to %d characters"):format(TOPIC_MAX)
  end
  for _, code in utf8.codes(topic) do
    if is_control(code) then return "topic must not contain control characters" end
  end
  if topic:find "[\"'`]" then return "topic must not contain quote characters" end
end

mcp.tool {
  name = "book_meeting",
  title = "Book a meeting",
  description = "Book a meeting. The user is asked to confirm the topic and choose a time first.",
  inputSchema = INPUT,
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = false },

  check = function(args)
    return nil, topic_problem(args.topic)
  end,

  handler = function(args, ctx)
    -- The answer is taken as it came: an approval that is not exactly `true` is a no, not a reason
    -- to ask again.
    local answer = ctx:elicit {
      message = CONSENT,
      requestedSchema = form(args.topic),
      on_invalid = "return",
    }

    if answer.action == "decline" then
      return ("Not booked: user declined the meeting about '%s'."):format(args.topic)
    end
    if answer.action ~= "accept" then
      return ("Not booked: user cancelled the request to book '%s'."):format(args.topic)
    end
    local content = answer.content
    if content.approved ~= true then
      return ("Not booked: user did not approve the meeting about '%s'."):format(args.topic)
    end

    local topic = content.topic
    if topic == nil then topic = args.topic end
    if topic_problem(topic) then return NOT_ALLOWED end
    local time = type(content.time) == "string" and content.time or DEFAULT_TIME

    ctx.store:append("bookings", { topic = topic, time = time })
    return ("Booked: meeting about '%s' at %s."):format(topic, time)
  end,
}
