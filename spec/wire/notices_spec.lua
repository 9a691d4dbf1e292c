-- Progress and log messages on a real connection: they come while the call still runs.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"

local SCRIPT = [[
require "mcp".tool { name = "work", inputSchema = { type = "object" },
  handler = function(_, ctx)
    ctx:progress(1, 2, "half")
    ctx:log("notice", { step = 1 })
    for i = 1, 1e7 do local _ = i end
    ctx:progress(2, 2)
    return "done"
  end }
]]

describe("a call that tells how far it is", function()
  local host, remove

  setup(function()
    local folder
    folder, remove = shell.folder()
    shell.write(folder .. "/work.lua", SCRIPT)
    host = process.start { scripts = folder }
  end)

  teardown(function()
    process.close(host)
    remove()
  end)

  local function read_all(request)
    local stream = http.open(host, request)
    local messages = {}
    assert.truthy(stream.headers["content-type"]:find "^text/event%-stream")
    for event in function() return stream:event() end do
      if event.data and event.data ~= "" then messages[#messages + 1] = rpc.decode(event.data) end
    end
    stream:close()
    return messages
  end

  local function check(messages)
    assert.same({ progressToken = 7, progress = 1, total = 2, message = "half" },
      messages[1].params)
    assert.same({ level = "notice", logger = "work", data = { step = 1 } }, messages[2].params)
    assert.same({ progressToken = 7, progress = 2, total = 2 }, messages[3].params)
    assert.equal("done", rpc.text(messages[4]))
    assert.equal(4, #messages)
  end

  it("does so on its own stream in a legacy session", function()
    local client = legacy.connect(host)
    assert.equal(200, client:request("logging/setLevel", { level = "info" }).status)
    check(read_all(client:http_request(client:message("tools/call",
      { name = "work", _meta = { progressToken = 7 } }))))
  end)

  it("does so on its own stream in the modern era", function()
    local client = modern.connect(host)
    local prepared = client:prepare("tools/call", { name = "work" })
    prepared.message.params._meta.progressToken = 7
    prepared.message.params._meta["io.modelcontextprotocol/logLevel"] = "info"
    check(read_all(modern.http_request(prepared)))
  end)
end)
