-- A handler that waits by ctx:sleep, and one that will not begin without a capability.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local socket = require "socket"
local store = require "support.store"

local SCRIPT = [[
local mcp = require "mcp"

mcp.tool { name = "sleep", handler = function(args, ctx)
  ctx.store:append("slept", args.seconds)
  ctx:sleep(args.seconds)
  return "awake"
end, inputSchema = { type = "object" } }

mcp.tool { name = "quick", inputSchema = { type = "object" }, handler = function()
  return "quick"
end }

mcp.tool { name = "asks", inputSchema = { type = "object" }, handler = function(_, ctx)
  ctx.store:append("slept", "asks")
  ctx:require "elicitation.form"
  return "able"
end }
]]

describe("ctx:sleep and ctx:require:", function()
  local host, client, folder, remove

  setup(function()
    folder, remove = shell.folder()
    shell.capture { "mkdir", folder .. "/scripts" }
    shell.write(folder .. "/scripts/naps.lua", SCRIPT)
    shell.write(folder .. "/scripts/host.lua", "return { call_timeout = 1 }\n")
    host = process.start { scripts = folder .. "/scripts" }
    client = modern.connect(host)
  end)

  teardown(function()
    process.close(host)
    remove()
  end)

  local function begin(seconds)
    local connection = http.connect(host)
    connection:send(http.render(host, modern.http_request(client:prepare("tools/call",
      { name = "sleep", arguments = { seconds = seconds } }))))
    return connection
  end

  it("a handler sleeps as long as it says, and others are answered meanwhile", function()
    local begun = socket.gettime()
    local sleeping = begin(0.5)
    assert.equal("quick", client:ask("quick", {}).text)
    assert.is_false(sleeping:is_readable())
    assert.equal("awake", rpc.text(rpc.open(sleeping:reply():read())))
    assert.is_true(socket.gettime() - begun >= 0.5)
    sleeping:close()
  end)

  it("what sleeps beyond call_timeout is ended, and keeps nothing", function()
    local before = #store.rows(host, "naps", "slept")
    local call = client:ask("sleep", { seconds = 30 })
    assert.is_true(call.is_error)
    assert.truthy(call.text:find("call_timeout", 1, true))
    assert.equal(before, #store.rows(host, "naps", "slept"))
  end)

  it("a sleeping call whose client leaves is forgotten, and keeps nothing", function()
    local before = #store.rows(host, "naps", "slept")
    begin(0.4):close()
    assert.equal("awake", client:ask("sleep", { seconds = 0.6 }).text)
    assert.equal(before + 1, #store.rows(host, "naps", "slept"))
  end)

  for _, seconds in ipairs { -1, 3601, "soon" } do
    it("no one sleeps for " .. seconds, function()
      local call = client:ask("sleep", { seconds = seconds })
      assert.is_true(call.is_error)
      assert.truthy(host:stderr():find("give it a number of seconds, 0 to 3600", 1, true))
    end)
  end

  it("a client that lacks what is required is told so, and nothing is kept", function()
    local before = #store.rows(host, "naps", "slept")
    local incapable = modern.connect(host, { capabilities = { roots = {} } })
    local reply = incapable:call("asks", {})
    assert.equal(400, reply.status)
    assert.equal(-32021, reply.error.code)
    assert.is_table(reply.error.data.requiredCapabilities.elicitation.form)
    local call = legacy.connect(host, { capabilities = { roots = {} } }):ask("asks", {})
    assert.is_true(call.is_error)
    assert.truthy(call.text:find("elicitation.form", 1, true))
    assert.equal(before, #store.rows(host, "naps", "slept"))
    assert.equal("able", client:ask("asks", {}).text)
  end)
end)
