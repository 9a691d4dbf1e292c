-- What is told of a folder of scripts without serving it: `lunask check` and `lunask tools`.

local process = require "support.process"
local shell = require "support.shell"

local TOOL = 'require("mcp").tool { name = "%s", %s handler = function() end }\n'

describe("a folder of scripts", function()
  local folder, remove, scripts

  local function write(name, text)
    shell.write(scripts .. "/" .. name, text)
  end

  before_each(function()
    folder, remove = shell.folder()
    scripts = folder .. "/scripts"
    shell.capture { "mkdir", "-p", scripts .. "/lib" }
  end)

  after_each(function()
    remove()
  end)

  local function check(...)
    return process.run { "check", scripts, ... }
  end

  -- Returns the lines that were printed, without the folder in front.
  local function lines(ran)
    local list = {}
    for line in ran.out:gmatch "[^\n]+" do
      list[#list + 1] = line:gsub("^" .. folder:gsub("%p", "%%%0") .. "/", "")
    end
    return list
  end

  describe("checked", function()
    it("has no findings if all is well", function()
      write("a.lua", TOOL:format("one", "") .. TOOL:format("two", ""))
      write("b.lua", TOOL:format("three", ""))
      local ran = check()
      assert.equal("2 scripts, 3 tools, no findings\n", ran.out)
      assert.equal("", ran.err)
      assert.equal(0, ran.code)
    end)

    it("has none as it is shipped", function()
      local ran = process.run { "check", process.scripts }
      assert.equal(0, ran.code, ran.out)
      assert.truthy(ran.out:find "^%d+ scripts?, %d+ tools?, no findings\n$", ran.out)
    end)

    it("names each mistake with its file and line, not only the first", function()
      write("a.lua", TOOL:format("same", ""))
      write("b.lua", "\n" .. TOOL:format("same", ""))
      write("c.lua", "local x =\n  = 3\n")
      write("d.lua", 'require "bad"')
      write("e.lua", 'require "bad"')
      write("f.lua", "\n\n" .. TOOL:format("f",
        'inputSchema = { type = "object", properties = { a = { minLength = -1 } } },'))
      write("lib/bad.lua", "local t\nreturn t.x\n")
      local ran = check()
      assert.same({
        "scripts/c.lua:2: unexpected symbol near '='",
        "scripts/lib/bad.lua:2: attempt to index a nil value (local 't')",
        "scripts/f.lua:3: mcp.tool f: inputSchema/properties/a/minLength: must be a non-negative "
          .. "integer",
        "scripts/b.lua:2: a tool is named \"same\" already, in scripts/a.lua:1",
        "4 errors",
      }, lines(ran))
      assert.equal(1, ran.code)
    end)

    it("names the mistakes of each tool in a script, and all of one tool", function()
      write("a.lua", [[
local mcp = require "mcp"
mcp.tool { name = "one", descripton = "x", title = 7, handler = function() end }
mcp.tool { name = "two words", handler = function() end }
mcp.tool { name = "three" }
mcp.tool { name = "four", inputSchema = { type = "objet" }, handler = function() end }
mcp.tool { name = "good", handler = function() end }
mcp.tool { name = "good", handler = function() end }
mcp.tool "five"
]])
      local ran = check()
      local found = lines(ran)
      assert.equal("7 errors", found[#found], ran.out)
      for i, start in ipairs {
        "2: mcp.tool: unknown field 'descripton' (did you mean 'description'?)",
        "2: mcp.tool: title must be a string, not a number",
        "3: mcp.tool: name must be 1 to 128 letters", "4: mcp.tool: handler is missing",
        '5: mcp.tool: inputSchema.type must be "object"', "7: mcp.tool good: ",
        "8: mcp.tool: give it a table: ",
      } do
        start = "scripts/a.lua:" .. start
        assert.equal(start, found[i]:sub(1, #start))
      end
      assert.equal(1, ran.code)
    end)

    it("is warned of what the host would take, and passes", function()
      write("a.lua", "\n" .. TOOL:format("a",
        'inputSchema = { type = "object", properties = { a = { maxlength = 1 } } },'))
      write("b.lua", "-- later\n")
      local ran = check()
      assert.same({
        "scripts/a.lua:2: warning: tool a: inputSchema/properties/a: unknown keyword "
          .. '"maxlength" (did you mean "maxLength"?)',
        "scripts/b.lua: warning: registers nothing (no mcp.tool, mcp.prompt or mcp.resource in it)",
        "2 scripts, 1 tool, 2 warnings",
      }, lines(ran))
      assert.equal(0, ran.code)
    end)

    it("is checked with its settings, whose mistakes do not hide the scripts'", function()
      write("host.lua", "return {\n  name = = 1 }")
      write("a.lua", "error 'no'")
      local ran = check()
      assert.same({
        "scripts/host.lua:2: unexpected symbol near '='", "scripts/a.lua:1: no", "2 errors",
      }, lines(ran))
      assert.equal(1, ran.code)
    end)

    it("names each mistake of the settings with its line", function()
      write("host.lua", [[
return {
  name = 7,
  call_timout = 1, -- call_timeout = 1
  rounds = 0,
  listen = "0.0.0.0:80",
  grants = { a = { env = "KEY" }, },
}
]])
      write("a.lua", TOOL:format("a", ""))
      local ran = check()
      local found = lines(ran)
      local last = table.remove(found)
      table.sort(found)
      assert.same({
        "refusing to listen on 0.0.0.0: anyone who reaches it could call the tools; set "
          .. "allow_unauthenticated = true in the config if that is meant",
        "scripts/host.lua:2: name must be a string",
        "scripts/host.lua:3: unknown key 'call_timout' (did you mean 'call_timeout'?)",
        "scripts/host.lua:4: rounds must be a whole number from 1 to 2147483647",
        'scripts/host.lua:6: grants.a.env: must be a list of strings',
      }, found)
      assert.equal("1 script, 1 tool, 5 errors", last)
      assert.equal(1, ran.code)
    end)

    it("is checked with the settings of --config", function()
      write("host.lua", "broken")
      write("a.lua", TOOL:format("a", ""))
      shell.write(folder .. "/other.lua", "return {}")
      assert.equal(0, check("--config", folder .. "/other.lua").code)
      shell.write(folder .. "/other.lua", "return { call_timout = 1 }")
      local ran = check("--config", folder .. "/other.lua")
      assert.same({
        "other.lua:1: unknown key 'call_timout' (did you mean 'call_timeout'?)",
        "1 script, 1 tool, 1 error",
      }, lines(ran))
      assert.equal(1, ran.code)
    end)

    it("is a mistake if it can't be read", function()
      local ran = process.run { "check", folder .. "/none" }
      assert.truthy(ran.out:find("can't read the scripts folder " .. folder .. "/none", 1, true))
      assert.equal(1, ran.code)
    end)

    it("is neither served nor given a store", function()
      write("host.lua", ('return { listen = "127.0.0.1:1", store = %q }'):format(folder .. "/db"))
      write("a.lua", TOOL:format("a", ""))
      assert.equal(0, check().code)
      assert.is_nil(shell.read(folder .. "/db"))
    end)
  end)

  describe("listed", function()
    it("shows name, file, annotations and the description's first line in columns", function()
      write("notes.lua", TOOL:format("note_list",
        'description = "Lists\\27 notes.\\nAll.", annotations = { readOnlyHint = true, '
        .. "idempotentHint = true },"))
      write("delete_all.lua", TOOL:format("wipe",
        'description = "Löscht.", annotations = { destructiveHint = true },'))
      write("x.lua", TOOL:format("x", ""))
      local ran = process.run { "tools", scripts }
      assert.same({
        "note_list  " .. scripts .. "/notes.lua       read-only, idempotent  Lists  notes.",
        "wipe       " .. scripts .. "/delete_all.lua  destructive            Löscht.",
        "x          " .. scripts .. "/x.lua           -",
      }, (function()
        local list = {}
        for line in ran.out:gmatch "[^\n]+" do
          list[#list + 1] = line
        end
        return list
      end)())
      assert.equal(0, ran.code)
    end)

    it("ends with what its scripts are granted", function()
      write("a.lua", TOOL:format("a", ""))
      write("b.lua", TOOL:format("b", ""))
      write("host.lua", [[return { grants = {
        a = { env = { "KEY" }, read = { "lib" } }, b = { store = { a = { rows = "write" } } } } }]])
      local ran = process.run { "tools", scripts }
      assert.equal("\n\na may use: env KEY, read lib\nb may use: store a/rows (write)\n",
        ran.out:match "b%.lua +%-(\n\n.*)$", ran.out)
      assert.equal(0, ran.code)
    end)

    it("is refused with the first mistake in it", function()
      write("x.lua", "\noops")
      local ran = process.run { "tools", scripts }
      assert.equal(1, ran.code)
      assert.equal("", ran.out)
      assert.truthy(ran.err:find("lunask tools: scripts/x.lua:2: ", 1, true), ran.err)
    end)
  end)

  for _, command in ipairs { "check", "tools" } do
    it("is not needed to learn what " .. command .. " does, or which flag was meant", function()
      local ran = process.run { command, "--help" }
      assert.equal(0, ran.code)
      assert.truthy(ran.out:find("usage: lunask " .. command .. " [FOLDER]", 1, true))
      ran = process.run { command, "--confg", "x" }
      assert.equal(1, ran.code)
      assert.equal(("lunask %s: unknown flag '--confg' (did you mean '--config'?)\n")
        :format(command), ran.err)
      ran = process.run { command, "one", "two" }
      assert.equal(1, ran.code)
    end)
  end
end)
