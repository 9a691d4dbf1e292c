local script = require "support.script"
local unit = require "unit"

local ASK = 'ctx:elicit { message = "?", requestedSchema = { type = "object", properties = {} } }'

describe("a run", function()
  after_each(script.clean)

  it("ends with what the handler returns", function()
    local run = script.handle("return 'it is ' .. args.a", { a = "here" })
    assert.equal("done", run.state)
    local result, meta, is_error = run:result()
    assert.same({ content = { { type = "text", text = "it is here" } } }, result)
    assert.equal("", meta)
    assert.is_false(is_error)
  end)

  it("hands the arguments over as they were sent", function()
    local run = script.handle("return require 'json'.encode(args)",
      '{"n":9223372036854775807,"f":1.0,"l":[],"o":{},"z":null}')
    assert.equal('{"f":1.0,"l":[],"n":9223372036854775807,"o":{},"z":null}', run:text())
  end)

  it("parks where the script asks, and goes on there with the answer", function()
    local asked
    local run = script.handle("local answer = " .. ASK .. " return answer.action", {}, {
      ask = function(...) asked = { ... } end,
    })
    assert.equal("parked", run.state)
    assert.equal("elicitation/create", asked[2])
    assert.equal("done", run:resume { action = "decline" })
    assert.equal("decline", run:text())
  end)

  it("does not park for what the host knows", function()
    local run = script.handle("return " .. ASK .. ".action", {}, {
      ask = function() return "answer", '{"action":"decline"}' end,
    })
    assert.equal("done", run.state)
    assert.equal("decline", run:text())
  end)

  it("raises in the script what the host refuses, at once or later", function()
    local body = "local ok, why = pcall(function() " .. ASK .. " end) return tostring(ok) .. ' ' "
      .. ".. tostring(why)"
    local at_once = script.handle(body, {}, { ask = function() return "refuse", "no way" end })
    assert.equal("false no way", at_once:text())
    local later = script.handle(body)
    assert.equal("done", later:resume(nil, "nobody came"))
    assert.equal("false nobody came", later:text())
  end)

  it("fails with the text of what nobody caught", function()
    local run = script.handle(ASK)
    assert.equal("failed", run:resume(nil, "Nobody answered."))
    assert.same({ "Nobody answered.", "" }, { run:failure() })
    assert.same({}, run:log())
  end)

  it("fails with the capability that the client lacks, unless the script catches it", function()
    local host = { ask = function(_, _, capability) return "unsupported", capability end }
    local run = script.handle(ASK, {}, host)
    local text, capability = run:failure()
    assert.equal("The client does not support elicitation.form.", text)
    assert.equal("elicitation.form", capability)
    run = script.handle("local ok, why = pcall(function() " .. ASK .. " end) "
      .. "return why.text .. ' ' .. why.capability .. ' ' .. tostring(why)", {}, host)
    assert.equal("The client does not support elicitation.form. elicitation.form "
      .. "The client does not support elicitation.form.", run:text())
    run = script.handle("local _, why = pcall(function() " .. ASK .. " end) error(why)", {}, host)
    assert.equal("elicitation.form", select(2, run:failure()))
  end)

  it("keeps an error after the answer within the pcall around the question", function()
    local run = script.handle("local ok, why = pcall(function() local a = " .. ASK
      .. " error('after ' .. a.action, 0) end) return tostring(ok) .. ' ' .. why")
    run:resume { action = "decline" }
    assert.equal("false after decline", run:text())
  end)

  it("gives the user a reference, and the log the reason and the place", function()
    local run = script.handle "\nlocal function inner() error 'secret' end\ninner()"
    local text, capability = run:failure()
    assert.matches("^x failed %(reference %x%x%x%x%x%x%); the reason is in the host's log$", text)
    assert.equal("", capability)
    assert.equal("scripts/x.lua:2: secret", run:reason())
    local log = table.concat(run:log(), "\n")
    assert.matches("error x: stack traceback:", log)
    assert.matches("scripts/x%.lua:2: in .*inner", log)
    assert.matches("scripts/x%.lua:3: in ", log)
  end)

  it("gives every failure a reference of its own", function()
    local first = script.handle "error 'x'":failure()
    assert.not_equal(first, (script.handle "error 'x'":failure()))
  end)

  it("lets no error forge a line of the log", function()
    local run = script.handle [[error("a\n2026-01-01T00:00:00.000Z error forged\27[31m", 0)]]
    assert.equal("a\\x0a2026-01-01T00:00:00.000Z error forged\\x1b[31m", run:reason())
  end)

  it("names the type of an error that is no text", function()
    assert.equal("an error that is a table, not a text", script.handle "error {}":reason())
    assert.equal("an error that is a nil, not a text", script.handle "error()":reason())
    assert.equal("an error that is a boolean, not a text", script.handle "error(false)":reason())
    assert.equal("an error that is a function, not a text", script.handle "error(print)":reason())
    assert.equal("an error that is a table, not a text", script.handle [[
      error(setmetatable({}, { __tostring = function() error "again" end }))
    ]]:reason())
  end)

  it("shows the user what mcp.fail says, and no traceback anyone", function()
    local run = script.handle "require 'mcp'.fail 'The room is taken.'"
    assert.same({ "The room is taken.", "" }, { run:failure() })
    assert.same({}, run:log())
  end)

  it("fails when the result can't be JSON", function()
    assert.equal("the result: a function can't be JSON (at content[1].text2)",
      script.handle "return { type = 'text', text = '', text2 = print }":reason())
    assert.equal("the result is not valid UTF-8", script.handle [[return "a\xff"]]:reason())
  end)

  it("keeps isError and _meta apart from the fields", function()
    local run = script.handle [[
      return { content = { { type = "text", text = "t" } }, isError = true, _meta = { a = 1 } }
    ]]
    local result, meta, is_error = run:result()
    assert.same({ content = { { type = "text", text = "t" } }, isError = true }, result)
    assert.equal('{"a":1}', meta)
    assert.is_true(is_error)
  end)

  it("may be dropped while it is parked, and runs no more of the script", function()
    local run = script.handle("pcall(function() " .. ASK .. " end) ctx.store:put('c', 'k', 1)",
      {}, { write = function() error "written" end })
    assert.equal("parked", run.state)
    run.native:close()
    local next_run = script.run(run.owner, "x")
    assert.equal("parked", next_run.state)
  end)

  it("keeps to itself while others of its VM wait", function()
    local vm = assert(script.vm [[
      local input = { type = "object" }
      require "mcp".tool { name = "x", inputSchema = input, handler = function(args, ctx)
        local seen = {}
        for i = 1, 3 do seen[i] = args.name .. ctx.store:get("c", "k") end
        return table.concat(seen, " ")
      end }
    ]])
    local one, two = script.run(vm, "x", { name = "a" }), script.run(vm, "x", { name = "b" })
    for i = 1, 3 do
      one:resume_text(tostring(i))
      two:resume_text(tostring(i * 10))
    end
    assert.equal("a1 a2 a3", one:text())
    assert.equal("b10 b20 b30", two:text())
  end)

  it("goes on through pcall, xpcall, metamethods and iterators", function()
    local run = script.handle [[
      local function get() return ctx.store:get("c", "k") end
      local t = setmetatable({}, { __index = get, __call = get, __add = get })
      local seen = {}
      seen[1] = select(2, pcall(get))
      seen[2] = select(2, xpcall(get, print))
      seen[3], seen[4], seen[5] = t.x, t(), t + 1
      for value in get do
        if value == 7 then break end
        seen[#seen + 1] = value
      end
      return table.concat(seen, " ")
    ]]
    for i = 1, 7 do run:resume(i) end
    assert.equal("1 2 3 4 5 6", (run:text():gsub("%.0", "")))
  end)

  it("goes on in a callback of gsub, however long its text grows", function()
    local run = script.handle [[
      local n = 0
      local text, count = ("ab"):rep(300):gsub("(a)(b)", function(a, b)
        local got = ctx.store:get("c", "k")
        n = n + 1
        if n % 3 == 0 then return nil end
        return a .. got .. b:rep(20)
      end)
      return { mcp.text(text), mcp.text(tostring(count)) }
    ]]
    local expected = {}
    for i = 1, 300 do
      run:resume(("v%d"):format(i))
      expected[i] = i % 3 == 0 and "ab" or ("av%d"):format(i) .. ("b"):rep(20)
    end
    local content = run:result().content
    assert.equal(table.concat(expected), content[1].text)
    assert.equal("300", content[2].text)
  end)

  it("goes on in gsub within gsub, with a limit, an anchor and an error that is caught", function()
    local run = script.handle [[
      local function get() return ctx.store:get("c", "k") end
      local inner = function(w) return (w:gsub(".", get, 2)) end
      local seen = { (("abc de"):gsub("%a+", inner)), (("aaa"):gsub("^a", get)) }
      seen[3] = select(2, pcall(string.gsub, "x", "x", function() error(get(), 0) end))
      seen[4] = select(2, pcall(string.gsub, "x", "x", function() get() return {} end))
      seen[5] = ("x"):gsub("x", function() return get() and false end)
      return table.concat(seen, "|")
    ]]
    for i = 1, 8 do run:resume(tostring(i)) end
    assert.equal("12c 34|5aa|6|invalid replacement value (a table)|x", run:text())
  end)

  it("goes on in a __tostring, which must give a text all the same", function()
    local run = script.handle [[
      local mine = setmetatable({}, { __tostring = function() return ctx.store:get("c", "k") end })
      return tostring(mine) .. "|" .. select(2, pcall(tostring, mine))
    ]]
    run:resume "one"
    run:resume { "a table" }
    assert.equal("one|'__tostring' must return a string", run:text())
  end)

  it("says so when a call can't wait where the script stands", function()
    local wait = "ctx.store:get('c', 'k')"
    local module = { files = { ["lib/m.lua"] = "shared()" } }
    for place, body in pairs {
      ["a comparator"] = "table.sort({ 2, 1 }, function() return " .. wait .. " end)",
      ["a metamethod called from C"] = "('%s'):format(setmetatable({}, { __tostring = function() "
        .. "return " .. wait .. " end }))",
      ["a module"] = "shared = function() return " .. wait .. " end require 'm'",
    } do
      local run = script.handle("\n" .. body, {}, {}, module)
      assert.matches("^scripts/%S+%.lua:%d: a call can't wait here: inside a comparator",
        run:reason(), place)
    end
    local asking = script.handle("table.sort({ 2, 1 }, function() return " .. ASK .. " end)", {}, {
      ask = function() error "asked" end,
    })
    assert.matches("a call can't wait here", asking:reason())
  end)

  it("is made in a VM that is full as long as there is a reserve", function()
    local vm = assert(script.vm([[
      require "mcp".tool { name = "x", handler = function() end }
      local keep = {}
      pcall(function() for i = 1, 1e9 do keep = { keep } end end)
      held = keep
    ]], { memory = 512 * 1024 }))
    local runs, why = {}, nil
    while not why do runs[#runs + 1], why = unit.run.new(vm, "x", {}, {}) end
    assert.equal("memory used up (vm_memory)", why)
    assert.is_true(#runs > 10) -- out of the reserve
  end)

  it("frees what it used", function()
    local vm = assert(script.vm [[
      require "mcp".tool { name = "x", handler = function(_, ctx)
        ctx.store:get("c", "k")
        return ("x"):rep(1000)
      end }
    ]])
    local function many()
      for i = 1, 2000 do
        local run = script.run(vm, "x")
        if i % 2 == 0 then run:resume_text(nil) end
        run.native:close()
      end
      return vm:used()
    end
    local first = many()
    assert.is_true(many() < first + 2 * 1024 * 1024)
    assert.equal(0, vm:height())
  end)
end)
