-- The official TypeScript client takes up streams that were closed or lost. Run `npm ci` in this
-- folder first.

local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local wait = require "support.wait"

local FOLDER = process.root .. "/spec/interop"

local SCRIPT = [[
local mcp = require "mcp"
local FORM = { type = "object", properties = { ok = { type = "boolean" } } }
local function ask(ctx)
  local answer = ctx:elicit { message = "?", requestedSchema = FORM }
  ctx.store:append("answers", answer.content)
  return answer.action
end
mcp.tool { name = "ask", handler = function(_, ctx) return ask(ctx) end }
mcp.tool { name = "poll", handler = function(_, ctx)
  return tostring(ctx:close_stream()) .. " " .. ask(ctx) .. " " .. tostring(ctx:close_stream())
end }
]]

describe("the official client", function()
  if not shell.read(FOLDER .. "/node_modules/@modelcontextprotocol/client/package.json") then
    pending "needs the client: run npm ci in spec/interop"
    return
  end

  local folder, remove, host

  setup(function()
    folder, remove = shell.folder()
    shell.write(folder .. "/s.lua", SCRIPT)
    host = process.start { scripts = folder }
  end)

  teardown(function()
    process.close(host)
    remove()
  end)

  it("takes up a call whose stream the script closed, and one whose connection was lost", function()
    local steps = {}
    local words = {
      "timeout", "-s", "KILL", tostring(wait.SECONDS * 2),
      "node", FOLDER .. "/resume.mjs", host.url,
    }
    for line in shell.capture(words):gmatch "[^\n]+" do
      local facts = rpc.decode(line)
      steps[facts.step] = facts
    end
    assert.equal("2025-11-25", steps.connect.version)
    assert.same({ "true accept true", 1 }, { steps.polled.text, steps.polled.asked })
    assert.same({ "accept", 1 }, { steps.lost.text, steps.lost.asked })
    assert.is_table(steps["end"])
  end)
end)
