local script = require "support.script"

-- Runs `body` in a handler and returns what it returns.
local function in_run(body, options)
  return script.handle(body, {}, {}, options):text()
end

-- What a script has, to the last name: an addition is a decision (see the table in stdlib.c).
local SURFACE = {
  globals = "_VERSION assert coroutine error getmetatable ipairs math next os pairs pcall print "
    .. "rawequal rawget rawlen rawset require select setmetatable string table tonumber tostring "
    .. "type utf8 xpcall",
  coroutine = "create isyieldable resume status wrap yield",
  string = "byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack "
    .. "upper",
  table = "concat insert move pack remove sort unpack",
  math = "abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger "
    .. "modf pi rad random sin sqrt tan tointeger type ult",
  utf8 = "char charpattern codepoint codes len offset",
  os = "date difftime time",
}

local NAMES_OF = [[
  local list = {}
  for name in pairs(%s) do list[#list + 1] = name end
  table.sort(list)
  return table.concat(list, " ")
]]

describe("the library of a script", function()
  after_each(script.clean)

  for name, list in pairs(SURFACE) do
    it("has nothing in " .. name .. " but what is decided", function()
      -- The globals have no name in a script, but its main function's upvalue does.
      local of = name == "globals" and "_ENV" or name
      assert.equal(list, script.eval(NAMES_OF:format(of)))
    end)
  end

  it("is the same inside a run", function()
    assert.equal(SURFACE.globals, in_run(NAMES_OF:format "_ENV"))
  end)

  it("has no way to code, files, processes, the collector or the host's coroutines", function()
    for _, name in ipairs {
      "load", "loadfile", "loadstring", "dofile", "collectgarbage", "_G", "io", "debug", "package",
      "coroutine.close", "coroutine.running", "string.dump", "os.execute", "os.exit", "os.getenv",
      "os.remove", "os.rename",
      "os.tmpname", "os.setlocale", "os.clock", "math.randomseed", "('').dump",
    } do
      assert.equal("nil", script.eval("return type(" .. name .. ")"), name)
    end
  end)

  describe("for strings", function()
    it("has its methods also after the script has overwritten string", function()
      assert.equal("X 1 xx a", script.eval [[
        string = {}
        return ("x"):upper() .. " " .. ("x"):len() .. " " .. ("x"):rep(2) .. " " .. ("ab"):match "a"
      ]])
      assert.equal("X", script.eval "string.upper = nil; return ('x'):upper()")
    end)

    it("keeps the same methods for the prelude", function()
      local problem = script.failure [[
        string.format, string.match, table.sort, type, error, pairs = nil, nil, nil, nil, nil, nil
        require "mcp".tool { nam = "x" }
      ]]
      assert.equal("scripts/x.lua:2: mcp.tool: unknown field 'nam' (did you mean 'name'?)", problem)
    end)

    it("does not repeat nothing for ever", function()
      assert.equal("0 0 0", script.eval [[
        return #(""):rep(1 << 60) .. " " .. #string.rep("", 1 << 60, "") .. " " .. #(""):rep(1e18)
      ]])
      assert.equal("a-a-a  ", script.eval [[
        return ("a"):rep(3, "-") .. ("a"):rep(0) .. ("a"):rep(-1) .. (""):rep(3, " ")
      ]])
      assert.equal("scripts/x.lua:1: resulting string too large",
        script.failure "local _ = ('ab'):rep(1 << 62)")
      assert.equal("scripts/x.lua:1: bad argument #2 to 'rep' (number expected, got no value)",
        script.failure "local _ = string.rep('')")
    end)
  end)

  describe("for errors", function()
    it("has an xpcall that hands the error and the results on", function()
      assert.equal("false <scripts/x.lua:1: x> 2 true 1 2", script.eval [[
        local function wrap(e) return "<" .. e .. ">" end
        local failed = table.pack(xpcall(function() error "x" end, wrap))
        local fine = table.pack(xpcall(function(...) return ... end, print, 1, 2))
        return ("%s %s %d %s %d %d"):format(failed[1], (failed[2]:gsub(":%d:", ":1:")), failed.n,
          table.unpack(fine))
      ]])
    end)

    it("has an xpcall that wants a function as handler", function()
      assert.equal("scripts/x.lua:1: bad argument #2 to 'xpcall' "
        .. "(function expected, got no value)", script.failure "xpcall(print)")
    end)
  end)

  describe("for the time", function()
    local NOON = 1700000000

    it("tells the start of the call, however late it is", function()
      assert.equal(tostring(NOON), in_run("return tostring(os.time())",
        { started_ms = NOON * 1000 + 999 }))
      assert.equal("2023-11-14 22:13:20", in_run("return os.date('!%Y-%m-%d %H:%M:%S')",
        { started_ms = NOON * 1000 }))
      assert.equal("2023", in_run("return tostring(os.date('!*t').year)",
        { started_ms = NOON * 1000 }))
    end)

    it("tells the same for a format that is left out as for its own default", function()
      assert.equal("true", in_run("return tostring(os.date() == os.date('%c')"
        .. " and os.date(nil) == os.date('%c'))", { started_ms = NOON * 1000 }))
    end)

    it("tells other times when it is given them", function()
      assert.equal("1970-01-01", in_run("return os.date('!%Y-%m-%d', 0)"))
      assert.equal("86400", in_run [[
        local day = { year = 2020, month = 1, day = 1 }
        local next_day = { year = 2020, month = 1, day = 2 }
        return ("%d"):format(os.difftime(os.time(next_day), os.time(day)))
      ]])
    end)

    it("is the real time while the script loads", function()
      local before = os.time()
      local told = tonumber(script.eval "return tostring(os.time())")
      assert.is_true(told >= before and told <= os.time())
    end)

    it("tells mistakes at the script's line", function()
      assert.equal("scripts/x.lua:1: field 'day' missing in date table",
        script.failure "os.time { year = 2020, month = 1 }")
      assert.matches("^scripts/x%.lua:1: bad argument #1 to 'date' %(invalid conversion",
        script.failure "os.date '%Ez'")
      assert.matches("^scripts/x%.lua:1: bad argument #2 to 'date' %(number expected",
        script.failure "os.date('%c', 'x')")
    end)
  end)

  describe("for chance", function()
    local DRAW = [[
      local list = {}
      for i = 1, 20 do list[i] = math.random(1000000) end
      return table.concat(list, " ")
    ]]

    it("draws the same in every run of a call, and otherwise in another call", function()
      local first = in_run(DRAW, { seed = "0123456789abcdef" })
      assert.equal(first, in_run(DRAW, { seed = "0123456789abcdef" }))
      assert.not_equal(first, in_run(DRAW, { seed = "0123456789abcdeg" }))
      assert.not_equal(first, in_run(DRAW, { seed = "1123456789abcdef" }))
    end)

    it("draws otherwise each time that a script is loaded", function()
      assert.not_equal(script.eval(DRAW), script.eval(DRAW))
    end)

    it("keeps within the bounds that it is given", function()
      assert.equal("ok", in_run [[
        local seen = {}
        for _ = 1, 1000 do
          local f, n, m, k = math.random(), math.random(3), math.random(-1, 1), math.random(5, 5)
          assert(f >= 0 and f < 1 and math.type(f) == "float")
          assert(n >= 1 and n <= 3 and m >= -1 and m <= 1 and k == 5)
          assert(math.type(n) == "integer")
          seen[n], seen[m + 10] = true, true
        end
        for _, n in ipairs { 1, 2, 3, 9, 10, 11 } do assert(seen[n], n) end
        return "ok"
      ]])
    end)

    it("draws from the whole range of integers", function()
      assert.equal("ok", in_run [[
        local low, high, zero = false, false, false
        for _ = 1, 200 do
          local n = math.random(math.mininteger, math.maxinteger)
          low, high = low or n < 0, high or n > 0
          zero = zero or math.random(0) < 0
        end
        assert(low and high and zero)
        return "ok"
      ]])
    end)

    it("tells the manual's errors at the script's line", function()
      for call, text in pairs {
        ["math.random(2, 1)"] = "bad argument #2 to 'random' (interval is empty)",
        ["math.random(-1)"] = "bad argument #1 to 'random' (interval is empty)",
        ["math.random(1.5)"] = "bad argument #1 to 'random' "
          .. "(number has no integer representation)",
        ["math.random('x')"] = "bad argument #1 to 'random' (number expected, got string)",
        ["math.random(1, 2, 3)"] = "wrong number of arguments",
      } do
        assert.equal("scripts/x.lua:1: " .. text, script.failure(call))
      end
    end)
  end)

  describe("print", function()
    it("writes a line to the log, with what would break it escaped", function()
      local vm = script.vm [[
        print()
        print("a", 1, nil, true)
        print("two\nlines\27[31m\r")
        print(setmetatable({}, { __tostring = function() return "told" end }))
      ]]
      assert.same({
        "info x: ", "info x: a\\x091\\x09nil\\x09true", "info x: two\\x0alines\\x1b[31m\\x0d",
        "info x: told",
      }, script.lines(vm:log()))
    end)

    it("does so in a run as well", function()
      local run = script.handle "print 'here' return ''"
      assert.same({ "info x: here" }, run:log())
    end)
  end)
end)
