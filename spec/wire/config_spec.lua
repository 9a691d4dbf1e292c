-- The configuration: what the shipped file says, which file counts, and how a broken one is met.

local config = require "support.config"
local http = require "support.http"
local modern = require "support.modern"
local process = require "support.process"
local shell = require "support.shell"

describe("the shipped configuration, read as data,", function()
  local shipped = config.load(process.scripts .. "/host.lua")

  it("gives a call a whole, positive number of seconds: 30", function()
    assert.equal("integer", math.type(shipped.call_timeout))
    assert.is_true(shipped.call_timeout > 0)
    assert.equal(30, shipped.call_timeout)
  end)

  it("names the server", function()
    assert.equal("elicitation-server", shipped.name)
    assert.equal("0.1.0", shipped.version)
  end)
end)

describe("the configuration", function()
  local folder, remove, scripts, host

  before_each(function()
    folder, remove = shell.folder()
    scripts = folder .. "/scripts"
    shell.copy(process.scripts, scripts)
  end)

  after_each(function()
    process.close(host)
    host = nil
    remove()
  end)

  local function server_name()
    local info = modern.connect(host):request("server/discover").result._meta
    return info["io.modelcontextprotocol/serverInfo"].name
  end

  -- Starts a host that must fail and returns what it printed on standard error.
  local function failure(args)
    local words = { "serve", "--listen", "127.0.0.1:0", "--store", "memory:" }
    local ran = process.run(table.move(args, 1, #args, #words + 1, words))
    assert.equal(1, ran.code, ran.err)
    assert.equal("", ran.out)
    return ran.err
  end

  -- Writes `text` as a configuration and returns how the host fails over it.
  local function failure_over(text)
    local path = folder .. "/broken.lua"
    shell.write(path, text)
    return failure { "--scripts", scripts, "--config", path }
  end

  local function assert_has(text, part)
    assert.truthy(text:find(part, 1, true), text)
  end

  it("comes from host.lua in the scripts folder", function()
    config.write(scripts .. "/host.lua", process.scripts .. "/host.lua", { name = "renamed" })
    host = process.start { scripts = scripts }
    assert.equal("renamed", server_name())
  end)

  it("comes from the file of --config rather than from host.lua", function()
    config.write(scripts .. "/host.lua", process.scripts .. "/host.lua", { name = "renamed" })
    host = process.start { scripts = scripts, config = { name = "from elsewhere" } }
    assert.equal("from elsewhere", server_name())
  end)

  it("has a default for everything: the folder needs no host.lua", function()
    os.remove(scripts .. "/host.lua")
    host = process.start { scripts = scripts }
    assert.equal("book_meeting", modern.connect(host):tools()[1].name)
  end)

  it("hands the instructions to the client", function()
    host = process.start { config = { instructions = "Ask before you book." } }
    local result = modern.connect(host):request("server/discover").result
    assert.equal("Ask before you book.", result.instructions)
  end)

  it("that does not parse ends the host with file and line", function()
    assert_has(failure_over 'return {\n  name = "x",\n  version = = "1",\n}\n', "broken.lua:3:")
  end)

  it("that raises an error ends the host with file and line", function()
    assert_has(failure_over 'local x\n\nreturn { name = x.y }\n', "broken.lua:3:")
  end)

  it("with an unknown key ends the host with the file and the nearest key", function()
    local text = failure_over "return { call_timout = 30 }\n"
    assert_has(text, "broken.lua")
    assert_has(text, "call_timout")
    assert_has(text, "call_timeout")
  end)

  for key, value in pairs {
    call_timeout = '"30"',
    session_idle = "-1",
    body_limit = "0.5",
    allowed_origins = '"https://app.example"',
    name = "{}",
    state_keys = '{ "too short" }',
  } do
    it(("with %s = %s ends the host with the key's name"):format(key, value), function()
      local text = failure_over(("return { %s = %s }\n"):format(key, value))
      assert_has(text, "broken.lua")
      assert_has(text, key)
    end)
  end

  it("that never ends loading is given up", function()
    assert_has(failure_over "while true do end\n", "broken.lua")
  end)

  it("never shows a key it could not read", function()
    local secret = ("k"):rep(40)
    local text = failure_over(('return { state_keys = { "%s" } }\n'):format(secret))
    assert.is_nil(text:find(secret, 1, true))
  end)

  it("that is no table ends the host", function()
    assert_has(failure_over "return 7\n", "broken.lua")
  end)

  it("that is missing where --config says ends the host with the path", function()
    local path = folder .. "/missing.lua"
    assert_has(failure { "--scripts", scripts, "--config", path }, path)
  end)

  it("cannot make up for a scripts folder that is not there", function()
    local path = folder .. "/nowhere"
    assert_has(failure { "--scripts", path }, path)
  end)

  it("cannot make up for a script that does not parse: file and line are told", function()
    shell.write(scripts .. "/broken_tool.lua", 'local mcp = require "mcp"\n\nmcp.tool {{\n')
    assert.truthy(failure({ "--scripts", scripts }):find "broken_tool%.lua:[34]:")
  end)

  it("is refused as a flag that nobody knows", function()
    local ran = process.run { "serve", "--scripts", scripts, "--no-such-flag" }
    assert.not_equal(0, ran.code)
    assert_has(ran.err, "--no-such-flag")
  end)

  it("limits the size of a body", function()
    host = process.start { config = { body_limit = 2000 } }
    local request = modern.http_request(modern.connect(host):prepare "tools/list")
    request.body = request.body .. (" "):rep(2001 - #request.body)
    assert.equal(413, http.exchange(host, request).status)
  end)
end)
