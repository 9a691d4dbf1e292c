local host_table = require("unit").host_table
local script = require "support.script"

local function read(text, name)
  local folder = script.folder { [name or "host.lua"] = text }
  return host_table.read(folder .. "/" .. (name or "host.lua"))
end

local function refused(text)
  local json, why = read(text)
  assert.is_nil(json)
  return why
end

describe("the configuration file", function()
  after_each(script.clean)

  it("gives the table that it returns as JSON", function()
    assert.equal('{"limits":{"depth":8},"name":"me","origins":[]}', (read [[
      local mcp = require "mcp"
      return { name = "me", limits = { depth = 2 * 4 }, origins = mcp.array {} }
    ]]))
  end)

  it("is told where it went wrong", function()
    assert.equal("scripts/host.lua:2: '}' expected (to close '{' at line 1) near <eof>",
      refused "return {\n name = 'me'")
    assert.equal("scripts/host.lua:2: no way", refused "\nerror 'no way'")
  end)

  it("must return a table", function()
    for _, text in ipairs { "", "return 1", "return 'x'", "return nil, {}", "return print" } do
      assert.matches("/scripts/host%.lua: must return a table of settings$", refused(text))
    end
  end)

  it("is told which setting can't be one", function()
    assert.matches("/scripts/host%.lua: a function can't be JSON %(at limits%.depth%)$",
      refused "return { limits = { depth = print } }")
    assert.matches("/scripts/host%.lua: a table more than 64 deep, or inside itself, can't be JSON",
      refused "local t = {} t.t = t return t")
  end)

  it("can't run for ever, nor fill the memory", function()
    assert.equal("scripts/host.lua: CPU time used up (vm_cpu) while loading",
      refused "while true do end")
    assert.equal("scripts/host.lua: memory used up (vm_memory) while loading",
      refused "local s = 'x' while true do s = s .. s end")
  end)

  it("is named when it is not there", function()
    local folder = script.folder {}
    assert.same({ nil, folder .. "/host.lua: No such file or directory" },
      { host_table.read(folder .. "/host.lua") })
  end)

  it("is found by a name without a folder", function()
    local json, why = host_table.read "no-such-host-file.lua"
    assert.is_nil(json)
    assert.equal("no-such-host-file.lua: No such file or directory", why)
  end)
end)
