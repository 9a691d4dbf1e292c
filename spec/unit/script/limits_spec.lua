local script = require "support.script"

local CPU = "CPU time used up (vm_cpu)"
local MEMORY = "memory used up (vm_memory)"

-- Endless ways to spend CPU time: each must be stopped, whatever catches errors on the way.
local ENDLESS = {
  ["a loop"] = "while true do end",
  ["a jump"] = "::top:: goto top",
  ["recursion"] = "local function f() return f() end f()",
  ["pcall in a loop"] = "while true do pcall(function() while true do end end) end",
  ["pcall in pcall"] = "local function f() while true do pcall(f) end end f()",
  ["an xpcall with a handler that loops"] = [[
    while true do
      xpcall(function() while true do end end, function() while true do end end)
    end]],
  ["an xpcall with a handler that fails"] = [[
    while true do xpcall(function() while true do end end, function(e) error(e) end) end]],
  ["a comparator"] = [[
    table.sort({ 1, 2, 3 }, function()
      while true do pcall(function() while true do end end) end
    end)
  ]],
  ["a callback of gsub"] = "('x'):gsub('x', function() while true do end end)",
  ["a metamethod"] = [[
    local t = setmetatable({}, { __index = function() while true do end end })
    local _ = t.x]],
  ["__tostring"] = [[
    tostring(setmetatable({}, { __tostring = function() while true do end end }))]],
  ["an iterator"] = "for _ in function() return 1 end do end",
  ["long strings, one an instruction"] = "while true do local _ = ('x'):rep(4000000) end",
  ["a coroutine"] = "coroutine.wrap(function() while true do end end)()",
  ["coroutines, one after the other"] = [[
    while true do
      coroutine.wrap(function() for _ = 1, 1000 do end end)()
    end]],
  ["coroutines that are caught"] = [[
    while true do coroutine.resume(coroutine.create(function() while true do end end)) end]],
  ["a coroutine in a comparator"] = [[
    table.sort({ 1, 2, 3 }, coroutine.wrap(function() while true do end end))]],
}

describe("the CPU time of a script", function()
  after_each(script.clean)

  for what, code in pairs(ENDLESS) do
    it("ends " .. what .. " while it loads", function()
      assert.equal("scripts/x.lua: " .. CPU .. " while loading",
        script.failure(code, { cpu_us = 20000 }))
    end)

    it("ends " .. what .. " in a run", function()
      local run = script.handle(code, {}, {}, { cpu_us = 20000 })
      assert.equal("x was stopped: " .. CPU, (run:failure()))
      -- A step that is slow under sanitizers may be jumped out of; the log says which it was.
      assert.matches("^error x: tool x was stopped.*: CPU time used up", run:log()[1])
    end)
  end

  it("is not wasted on allocations that fail again and again: the memory is blamed", function()
    local code = [[
      local keep = {}
      for i = 1, 50000 do keep[i] = {} end
      while true do pcall(string.rep, "x", 1e9) end]]
    local memory = "memory used up (vm_memory)"
    assert.equal("x was stopped: " .. memory, (script.handle(code):failure()))
    assert.equal("scripts/x.lua: " .. memory .. " while loading", script.failure(code))
  end)

  it("is there anew for the next run, in the same VM", function()
    local vm = assert(script.vm([[
      require "mcp".tool { name = "x", inputSchema = { type = "object" }, handler = function(args)
        while args.loop do end
        local n = 0
        for i = 1, 100000 do n = n + i % 2 end
        return tostring(n)
      end }
    ]], { cpu_us = 50000 }))
    for _ = 1, 3 do
      assert.equal("x was stopped: " .. CPU, (script.run(vm, "x", { loop = true }):failure()))
      assert.equal("50000", script.run(vm, "x"):text())
    end
  end)

  it("is shared in turns, and none of them changes what a long search finds", function()
    local run = script.handle([[
      local text = ("a"):rep(500) .. "b"
      local found = 0
      for _ = 1, 200 do
        if text:match "^.-.-b" == text then found = found + 1 end
        if text:gsub(".-c", "") == text then found = found + 1 end
        for _ in text:gmatch ".-.-b" do found = found + 1 end
      end
      return tostring(found)
    ]], {}, {}, { cpu_us = 2000000 })
    assert.equal("600", run:text())
  end)

  -- A primitive that raises has the host's shield on: it must not stay on for what comes after.
  for catch, code in pairs {
    ["pcall"] = "pcall(json.decode, '[')",
    ["xpcall"] = "xpcall(json.decode, function() end, '[')",
    ["xpcall for want of memory"] = "xpcall(json.encode, print, ('x'):rep(3000000))",
    ["a coroutine"] = "coroutine.wrap(pcall)(coroutine.wrap(json.decode), '[')",
  } do
    it("ends one endless step after an error of the host's that was caught by " .. catch, function()
      local run = script.handle(([[
        local json = require "json"
        %s
        local t, colliding = {}, (1 << 17) - 1
        for i = 1, 65537 do t[i * colliding] = true end
      ]]):format(code), {}, {}, { cpu_us = 20000, memory = 6 * 1024 * 1024 })
      assert.equal("x was stopped: " .. CPU, (run:failure()))
    end)
  end

  local BUSY_AND = [[
    for round = 1, 12 do
      %s
      for i = 1, 60000 do local _ = i %% 7 end
    end
    return "done"
  ]]

  it("begins anew with each answer of a person", function()
    local run = script.handle(BUSY_AND:format [[
      ctx:elicit { message = "?", requestedSchema = { type = "object", properties = {} } }
      for i = 1, 100000 do local _ = i % 7 end
    ]], {}, {}, { cpu_us = 30000 })
    while run.state == "parked" do run:resume { action = "decline" } end
    assert.equal("done", run:text())
  end)

  it("goes on being used up through reads from the store", function()
    local run = script.handle([[
      while true do
        ctx.store:get("c", "k")
        for i = 1, 60000 do local _ = i % 7 end
      end
    ]], {}, {}, { cpu_us = 20000 })
    local reads = 0
    while run.state == "parked" do
      reads = reads + 1
      run:resume(1)
    end
    assert.equal("x was stopped: " .. CPU, (run:failure()))
    assert.is_true(reads > 1)
  end)
end)

describe("the memory of a script", function()
  after_each(script.clean)

  local FILLING = {
    ["a string that doubles"] = "local s = 'x' while true do s = s .. s end",
    ["a table that grows"] = "local t = {} while true do t[#t + 1] = {} end",
    ["one huge string"] = "local _ = ('x'):rep(1 << 30)",
    ["an error passed on"] = [[
      local ok, why = pcall(string.rep, "x", 1 << 30)
      error(why)]],
  }

  for what, code in pairs(FILLING) do
    it("ends " .. what .. " while it loads", function()
      assert.equal("scripts/x.lua: " .. MEMORY .. " while loading",
        script.failure(code, { memory = 2 * 1024 * 1024 }))
    end)

    it("ends " .. what .. " in a run, and is free again after it", function()
      local run = script.handle(code, {}, {}, { memory = 2 * 1024 * 1024 })
      assert.equal("x was stopped: " .. MEMORY, (run:failure()))
      assert.matches("^error x: tool x was stopped: memory", run:log()[1])
      run.native:close()
      for _ = 1, 3 do
        local again = script.run(run.owner, "x")
        assert.equal("x was stopped: " .. MEMORY, (again:failure()))
        again.native:close()
      end
    end)
  end

  it("ends endless recursion before the host's own stack does", function()
    local run = script.handle("local function f(n) return 1 + f(n + 1) end return f(1)", {}, {},
      { memory = 64 * 1024 * 1024 })
    assert.matches("stack overflow", run:reason())
  end)

  it("is not blamed when the collector has made room", function()
    local run = script.handle([[
      for i = 1, 300 do local _ = ("x"):rep(100000) .. i end
      error "of its own"
    ]], {}, {}, { memory = 1024 * 1024 })
    assert.matches("of its own$", run:reason())
  end)

  it("is not blamed when the script has gone on without", function()
    local run = script.handle [[
      pcall(string.rep, "x", 1 << 30)
      error "of its own"
    ]]
    assert.matches("of its own$", run:reason())
    assert.equal("scripts/x.lua:2: of its own",
      script.failure "pcall(string.rep, 'x', 1 << 30)\nerror 'of its own'")
  end)

  it("is used for what a script keeps, and tells the key to whoever comes then", function()
    local vm = assert(script.vm([[
      kept = {}
      require "mcp".tool { name = "x", handler = function()
        for i = 1, 1e9 do kept[i] = ("x"):rep(1000) .. i end
      end }
    ]], { memory = 1024 * 1024 }))
    local run = script.run(vm, "x")
    assert.equal("x was stopped: " .. MEMORY, (run:failure()))
    run.native:close()
    local native, why = require("unit").run.new(vm, "x", {}, {})
    if native then
      assert.equal("failed", native:start "{}")
      assert.equal("x was stopped: " .. MEMORY, (native:failure()))
    else
      assert.equal(MEMORY, why)
    end
  end)

  it("is there anew if a script has filled it for good, whether or not it was stopped", function()
    for _, fill in ipairs { "fill()", "pcall(fill)" } do
      local vm = assert(script.vm([[
        kept = {}
        local function fill() while true do kept[#kept + 1] = ("x"):rep(10000) .. #kept end end
        require "mcp".tool { name = "x", inputSchema = { type = "object" }, handler = function(args)
          if args.fill then ]] .. fill .. [[ end
          return tostring(#kept)
        end }
      ]], { memory = 1024 * 1024 }))
      local run = script.run(vm, "x", { fill = true })
      run.native:close()
      assert.matches("^error x: more than half of its memory", run:log()[#run:log()])
      assert.equal("0", script.run(vm, "x"):text())
    end
  end)

  it("stays as it is if a script was refused some and keeps little", function()
    local vm = assert(script.vm([[
      calls = 0
      require "mcp".tool { name = "x", inputSchema = { type = "object" }, handler = function(args)
        calls = calls + 1
        local _ = args.fill and ("x"):rep(1 << 30)
        return tostring(calls)
      end }
    ]], { memory = 1024 * 1024 }))
    local run = script.run(vm, "x", { fill = true })
    run.native:close()
    assert.equal("2", script.run(vm, "x"):text())
  end)

  it("counts what is freed as free", function()
    local vm = script.vm "for i = 1, 200 do local _ = ('x'):rep(100000) .. i end"
    assert.is_true(vm:used() < 8 * 1024 * 1024)
  end)
end)

describe("the texts that come out of a script", function()
  after_each(script.clean)

  it("are cut at 1 KiB in an error, and at 16 KiB where mcp.fail is for a person", function()
    local raised = script.handle "error(('E'):rep(3000000), 0)"
    assert.equal(("E"):rep(1024), raised:reason())
    assert.equal("scripts/x.lua:1: " .. ("E"):rep(1023 - 17),
      script.failure "error(('E'):rep(3000000))")
    local failed = script.handle "require('mcp').fail(('F'):rep(3000000))"
    assert.equal(("F"):rep(16 * 1024), (failed:failure()))
  end)

  it("are 4 MiB at most in a result", function()
    local body = "return ('r'):rep(4 * 1024 * 1024 + %d)"
    assert.equal(4 * 1024 * 1024, #script.handle(body:format(0)):text())
    assert.matches("the result is larger than 4 MiB$", script.handle(body:format(1)):reason())
  end)
end)
