local log = require("unit").log

local LEVELS = { "emergency", "alert", "critical", "error", "warning", "notice", "info", "debug" }

describe("the log", function()
  it("writes a line with the time in UTC and the level", function()
    local line = log.line("info", "warning", "book_meeting: no")
    assert.matches("^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d%.%d%d%dZ warning book_meeting: no\n$",
      line)
  end)

  it("leaves out what is less severe than its level, and that only", function()
    for most, at in ipairs(LEVELS) do
      for i, level in ipairs(LEVELS) do
        local written = log.line(at, level, "x") ~= ""
        assert.equal(i <= most, written, level .. " in a log of " .. at)
      end
    end
  end)

  it("writes control characters so that nobody forges a line or drives a terminal", function()
    assert.matches(" info a\\x0ab\\x1b%[2J\\x7f\\x09c\n$",
      log.line("info", "info", "a\nb\27[2J\127\tc"))
  end)

  it("writes text in any language as it is", function()
    assert.matches(" info 日本 é\n$", log.line("info", "info", "日本 é"))
  end)

  it("cuts a line that is far too long", function()
    local line = log.line("info", "info", ("x"):rep(10000))
    assert.equal(4095, #line:match "x+")
    assert.equal("\n", line:sub(-1))
  end)

  it("may be missing", function()
    assert.has_no_error(function() log.line_to_nobody "x" end)
  end)

  it("knows its levels by name, and no other name", function()
    for _, name in ipairs(LEVELS) do assert.equal(name, log.level(name)) end
    for _, name in ipairs { "", "warn", "INFO", "debugging" } do assert.is_nil(log.level(name)) end
  end)
end)
