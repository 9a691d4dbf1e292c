local patterns = require("unit").patterns
local script = require "support.script"

local ours = patterns.open()

describe("an attack", function()
  local function assert_ends(attack, bytes)
    local ok, text = pcall(attack)
    local most = patterns.STEPS + patterns.STEPS_A_BYTE * math.min(bytes, patterns.BYTES)
    assert.is_false(ok)
    assert.matches(("pattern matching took more than %d steps; "):format(most)
      .. "anchor the pattern or use a simpler one", text, 1, true)
  end

  it("by exponential backtracking ends with an error", function()
    assert_ends(function()
      ours.find(("a"):rep(30), ("a?"):rep(30) .. ("a"):rep(30) .. "b")
    end, 30)
  end)

  it("by polynomial backtracking ends with an error", function()
    assert_ends(function()
      ours.find(("a"):rep(5000), (".-"):rep(5) .. "b")
    end, 5000)
  end)

  it("by many matches of one gsub ends with an error", function()
    assert_ends(function()
      ours.gsub(("x"):rep(20000), ".-.-.-y", "")
    end, 20000)
    assert_ends(function()
      ours.gsub(("(" .. ("a"):rep(99)):rep(400), "%b()", "")
    end, 40000)
    assert_ends(function()
      ours.gsub(("x" .. (" "):rep(40)):rep(1000) .. "y", "%f[ ].*%f[%d]", "")
    end, 41001)
  end)

  it("with a subject longer than any message gains no steps by that", function()
    assert_ends(function()
      ours.find(("a"):rep(5 << 20), ".-.-b")
    end, 5 << 20)
  end)

  it("by greedy items and frontiers ends with an error", function()
    assert_ends(function()
      for _ in ours.gmatch((" a"):rep(150000), "%f[%w].*%f[%z]%.") do
        error("matched")
      end
    end, 300000)
  end)

  it("by long plain texts that nearly match takes time that grows with their length", function()
    local subject, text = ("a"):rep(4000000), ("a"):rep(2000000) .. "b"
    for _ = 1, 5 do
      assert.is_nil(ours.find(subject, text, 1, true))
      assert.is_nil(ours.find(subject, text))
    end
  end)

  it("is stopped by the host before its steps are used up", function()
    local stopped = patterns.open(true)
    assert.has_error(function()
      stopped.find(("a"):rep(5000), (".-"):rep(5) .. "b")
    end, "pattern matching was stopped by the host")
  end)

  it("lets the count hook have its turns", function()
    local turns = 0
    debug.sethook(function(event)
      if event == "count" then turns = turns + 1 end
    end, "", 1 << 30)
    ours.gsub(("ab"):rep(50000), "[^b]", "")
    debug.sethook(function() error("no time left") end, "", 1 << 30)
    local ok, text = pcall(ours.gsub, ("ab"):rep(50000), "[^b]", "")
    debug.sethook()
    assert.is_true(turns > 3)
    assert.is_false(ok)
    assert.matches("no time left", text)
  end)
end)

describe("honest work", function()
  it("on a long text takes no more steps than there are", function()
    local line = "2024-05-17 12:00:00 INFO  request handled in 12 ms, 200 OK\n"
    local text = line:rep((4 << 20) // #line)
    assert.equal(#text // #line * 10, select(2, ours.gsub(text, "%s+", " ")))
    assert.equal(#text // #line, select(2, ours.gsub(text, "(%d+) ms", "%1 s")))
    assert.equal(#text // #line, select(2, ours.gsub(text, "[^\n]*\n", "")))
    assert.equal(text, ours.match(text, "^%s*(.*)$"))
    assert.equal(#text, ours.match(text, "^.*()\n"))
  end)
end)

describe("a script", function()
  after_each(script.clean)

  local COSTLY = {
    find = "('a'):rep(5000), ('.-'):rep(4) .. 'b'",
    match = "('a'):rep(5000), ('.-'):rep(4) .. 'b'",
    gsub = "('a'):rep(5000), ('.-'):rep(4) .. 'b', ''",
  }

  for name, arguments in pairs(COSTLY) do
    it("has a bound " .. name .. " in string and as a method", function()
      for _, call in ipairs({ "string." .. name, "('').".. name }) do
        assert.matches("x.lua:1: pattern matching took more than 4020000 steps; anchor the pattern "
          .. "or use a simpler one", script.failure(("return %s(%s)"):format(call, arguments)), 1,
          true)
      end
    end)
  end

  it("has a bound gmatch in string and as a method", function()
    for _, call in ipairs({ "string.gmatch", "('').gmatch" }) do
      assert.matches("pattern matching took more than", script.failure(
        ("for _ in %s(('a'):rep(5000), ('.-'):rep(4) .. 'b') do end"):format(call)))
    end
  end)

  local ENDLESS = {
    ["searches that are costly"] = "pcall(string.find, ('a'):rep(5000), ('.-'):rep(4) .. 'b')",
    ["searches that are not"] = "pcall(string.find, ('a'):rep(9000), 'a-b', -4000)",
    ["searches for plain text"] = "string.find(text, text:sub(2, -3) .. 'x', 1, true)",
    ["one gsub of many matches"] = "pcall(string.gsub, text, '%b()', {})",
  }

  for what, call in pairs(ENDLESS) do
    it("that goes on and on with " .. what .. " runs out of CPU time soon", function()
      local before = os.clock()
      local run = script.handle(("local text = ('(a)'):rep(300000) while true do %s end"):format(
        call), {}, {}, { cpu_us = 50000 })
      assert.equal("x was stopped: CPU time used up (vm_cpu)", (run:failure()))
      assert.is_true(os.clock() - before < 5)
    end)
  end
end)
