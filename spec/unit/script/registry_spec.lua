local script = require "support.script"
local registry = require("unit").registry

local function tool(name, body)
  return ("require('mcp').tool { name = %q, inputSchema = { type = 'object' }, "
    .. "handler = function(args, ctx) %s end }\n"):format(name, body or "return 'ran'")
end

local function load(files, options)
  return registry.load(script.folder(files), options or {})
end

local function names(generation)
  local list = {}
  for i, entry in ipairs(generation:tools()) do list[i] = entry.name .. "@" .. entry.script end
  return table.concat(list, " ")
end

describe("a generation", function()
  after_each(script.clean)

  it("has the tools of all scripts in the order of the tools' names", function()
    local generation = assert(load {
      ["z.lua"] = tool "b" .. tool "a",
      ["y.lua"] = tool "c" .. tool "B",
    })
    assert.equal("B@y a@z b@z c@y", names(generation))
  end)

  it("finds a tool by its exact name", function()
    local generation = assert(load { ["x.lua"] = tool "one" .. tool "two" .. tool "three" })
    for _, name in ipairs { "one", "two", "three" } do
      assert.equal(name, generation:find(name).name)
    end
    for _, name in ipairs { "", "on", "One", "one ", "four", "one\0" } do
      assert.is_nil(generation:find(name))
    end
  end)

  it("loads the scripts in the order of their names", function()
    local generation = assert(load {
      ["b.lua"] = "print 'b'" .. tool "t1",
      ["a.lua"] = "print 'a'" .. tool "t2",
      ["c.lua"] = "print 'c'" .. tool "t3",
    })
    assert.same({ "info a: a", "info b: b", "info c: c" }, script.lines(generation:log()))
  end)

  it("has nothing of host.lua, of other files and of sub-folders", function()
    local generation = assert(load {
      ["host.lua"] = "return {" ,
      ["notes.txt"] = "not Lua",
      ["x.lua.bak"] = "not Lua",
      [".lua"] = "not Lua",
      [".hidden.lua"] = "not Lua",
      ["lib/m.lua"] = "not Lua",
      ["examples/y.lua"] = tool "elsewhere",
      ["folder.lua/z.lua"] = tool "elsewhere",
      ["x.lua"] = tool "here",
    })
    assert.equal("here@x", names(generation))
    assert.equal("", generation:log())
  end)

  it("may be empty", function()
    local generation = assert(load {})
    assert.same({}, generation:tools())
    assert.is_nil(generation:find "x")
  end)

  it("warns of a script that registers nothing", function()
    local generation = assert(load { ["x.lua"] = tool "here", ["idle.lua"] = "local x" })
    assert.equal("here@x", names(generation))
    assert.same({ "warning scripts/idle.lua: registers nothing "
      .. "(no mcp.tool, mcp.prompt or mcp.resource in it)" },
      script.lines(generation:log()))
  end)

  it("is not loaded with two tools of one name", function()
    local generation, why = load { ["b.lua"] = tool "same", ["a.lua"] = tool "x" .. tool "same" }
    assert.is_nil(generation)
    assert.equal('scripts/b.lua:1: a tool is named "same" already, in scripts/a.lua:2', why)
  end)

  it("is not loaded with a mistake in any script, and names file and line", function()
    local generation, why = load { ["a.lua"] = tool "fine", ["b.lua"] = "local x =\n\nend" }
    assert.is_nil(generation)
    assert.equal("scripts/b.lua:3: unexpected symbol near 'end'", why)
  end)

  it("tells each thing that is wrong once, with its place, when asked for findings", function()
    local unknown = "require('mcp').tool {\n\n  inputSchema = { type = 'object', "
      .. "properties = { a = { maxlength = 1 } } }, handler = function() end }\n"
    local generation, why, _, findings = load({
      ["a.lua"] = "\n" .. tool "same" .. tool "only",
      ["b.lua"] = "require 'bad'",
      ["c.lua"] = "require 'bad'",
      ["d.lua"] = unknown,
      ["e.lua"] = "error({})",
      ["f.lua"] = "-- nothing",
      ["g.lua"] = tool "same" .. "error('see x.lua: no', 0)",
      ["lib/bad.lua"] = "\nreturn = 1",
    }, { findings = true })
    assert.is_nil(generation)
    assert.equal("scripts/lib/bad.lua:2: unexpected symbol near '='", why)
    assert.same({
      "scripts/lib/bad.lua:2: unexpected symbol near '='",
      "scripts/d.lua:1: warning: tool d: inputSchema/properties/a: unknown keyword \"maxlength\" "
        .. "(did you mean \"maxLength\"?)",
      "scripts/e.lua: an error that is a table, not a text",
      "scripts/f.lua: warning: registers nothing (no mcp.tool, mcp.prompt or mcp.resource in it)",
      "scripts/g.lua: see x.lua: no",
      'scripts/g.lua:1: a tool is named "same" already, in scripts/a.lua:2',
    }, findings)
  end)

  it("is loaded in spite of warnings when asked for findings", function()
    local generation, findings = load({ ["x.lua"] = "" }, { findings = true })
    assert.equal("", generation:log())
    assert.same({ "scripts/x.lua: warning: registers nothing "
      .. "(no mcp.tool, mcp.prompt or mcp.resource in it)" },
      findings)
  end)

  it("is not loaded from a folder that can't be read", function()
    local folder = script.folder { ["x.lua"] = "" }
    for path, reason in pairs {
      [folder .. "/none"] = "No such file or directory",
      [folder .. "/x.lua"] = "Not a directory",
    } do
      local generation, why = registry.load(path, {})
      assert.is_nil(generation)
      assert.equal(("can't read the scripts folder %s: %s (is it the folder of the scripts?)")
        :format(path, reason), why)
    end
  end)

  it("gives every script a VM, and a copy of a shared module, of its own", function()
    local counting = [[
      local counter = require "counter"
      require("mcp").tool { name = "%s", handler = function()
        counter.n = counter.n + 1
        seen = (seen or 0) + 1
        return counter.n .. " " .. seen
      end }
    ]]
    local generation = assert(load {
      ["a.lua"] = counting:format "a",
      ["b.lua"] = counting:format "b",
      ["lib/counter.lua"] = "return { n = 0 }",
    })
    assert.equal("1 1", script.run(generation, "a"):text())
    assert.equal("2 2", script.run(generation, "a"):text())
    assert.equal("1 1", script.run(generation, "b"):text())
  end)

  it("holds its scripts to the limits that it was given", function()
    local looping = { ["x.lua"] = "while true do end" }
    local _, why = load(looping, { cpu_us = 10000 })
    assert.equal("scripts/x.lua: CPU time used up (vm_cpu) while loading", why)
    local filling = { ["x.lua"] = "local t = {} for i = 1, 1e6 do t[i] = {} end" }
    _, why = load(filling, { memory = 1024 * 1024 })
    assert.equal("scripts/x.lua: memory used up (vm_memory) while loading", why)
    _, why = load({ ["x.lua"] = "" }, { memory = 1000 })
    assert.equal("scripts/x.lua: memory used up (vm_memory) before the script was loaded", why)
  end)

  it("runs on another thread than it was loaded on, held by the clock of that one", function()
    local generation = assert(load({
      ["x.lua"] = tool "quick" .. tool("slow", "while true do end"),
    }, { elsewhere = true, cpu_us = 20000 }))
    assert.equal("ran", script.run(generation, "quick"):text())
    assert.error_matches(function() script.run(generation, "slow"):text() end, "vm_cpu")
    assert.equal("ran", script.run(generation, "quick"):text())
  end)

  it("is held to its limits while it is loaded on another thread", function()
    local generation, why = load({ ["x.lua"] = "while true do end" },
      { elsewhere = true, cpu_us = 10000 })
    assert.is_nil(generation)
    assert.equal("scripts/x.lua: CPU time used up (vm_cpu) while loading", why)
  end)

  it("is not loaded if somebody cuts the load short, which is no script's mistake", function()
    local generation, why, log, findings = load({ ["x.lua"] = "print 'read'" .. tool "here" },
      { cut = true, findings = true })
    assert.is_nil(generation)
    assert.equal("the load was cut short", why)
    assert.equal("", log)
    assert.same({}, findings)
  end)

  it("lives until its last holder lets go", function()
    local generation = assert(load { ["x.lua"] = tool "here" })
    generation:hold()
    generation:drop()
    assert.equal("ran", script.run(generation, "here"):text())
    assert.equal("here", generation:find "here".name)
  end)
end)
