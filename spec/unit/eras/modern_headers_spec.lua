-- The headers that repeat the body: each must be there and say the same.

local inside = require "support.inside"

local SCRIPT = [[
local mcp = require "mcp"
local function handler(_, ctx) ctx.store:append("c", 1) return "ran" end
mcp.tool { name = "plain", handler = handler }
]]

describe("the headers of a modern request", function()
  local host

  before_each(function()
    host = inside.start { settle = true, scripts = { s = SCRIPT } }
  end)

  after_each(function()
    inside.close(host)
  end)

  local function call(changes, name)
    return host:call(name or "plain", nil, { spoil = function(_, headers)
      for header, value in pairs(changes) do headers[header] = value or nil end
    end })
  end

  it("that match let it pass", function()
    assert.equal("ran", call({}):text())
    assert.same(1, #host:rows("s", "c"))
  end)

  for _, case in ipairs {
    { "MCP-Protocol-Version", false, "MCP-Protocol-Version is missing; the body says "
      .. "'2026-07-28'" },
    { "MCP-Protocol-Version", "", "MCP-Protocol-Version does not match the body, which says "
      .. "'2026-07-28'" },
    { "MCP-Protocol-Version", "2026-07-28 ", "MCP-Protocol-Version does not match" },
    { "Mcp-Method", false, "Mcp-Method is missing; the body says 'tools/call'" },
    { "Mcp-Method", "", "Mcp-Method does not match the body, which says 'tools/call'" },
    { "Mcp-Method", "tools/list", "Mcp-Method does not match" },
    { "Mcp-Method", "Tools/Call", "Mcp-Method does not match" },
    { "Mcp-Method", "=?base64?dG9vbHMvY2FsbA==?=", "Mcp-Method does not match" },
    { "Mcp-Name", false, "Mcp-Name is missing; the body says 'plain'" },
    { "Mcp-Name", "", "Mcp-Name does not match the body, which says 'plain'" },
    { "Mcp-Name", "Plain", "Mcp-Name does not match" },
    { "Mcp-Name", "plai", "Mcp-Name does not match" },
    { "Mcp-Name", "=?base64?b3RoZXI=?=", "Mcp-Name does not match" },
    { "Mcp-Name", "=?base64?plain?=", "Mcp-Name does not match" },
  } do
    local header, value, message = table.unpack(case)
    local shown = value and ("of '" .. value .. "'") or "that is missing"
    it(("are refused for %s %s"):format(header, shown), function()
      local visit = call { [header] = value }
      assert.equal(400, visit:status())
      assert.equal(-32020, visit:error().code)
      assert.equal("Header mismatch: " .. message,
        visit:error().message:sub(1, #"Header mismatch: " + #message))
      assert.equal(host.last_id, visit:message().id)
      assert.same({}, host:rows("s", "c"))
    end)
  end

  it("may say the name in base64", function()
    assert.equal("ran", call({ ["Mcp-Name"] = "=?base64?cGxhaW4=?=" }):text())
  end)

  it("may be written in any case", function()
    assert.equal("ran", call({ ["Mcp-Method"] = false, ["mcp-METHOD"] = "tools/call" }):text())
  end)

  it("are compared before the tool is looked for", function()
    local visit = call({ ["Mcp-Name"] = "plain" }, "no such tool")
    assert.equal(-32020, visit:error().code)
  end)

  it("name the resource by its uri", function()
    local visit = host:modern("resources/read", { uri = "file:///a" },
      { spoil = function(_, headers) headers["Mcp-Name"] = "file:///b" end })
    assert.equal(-32020, visit:error().code)
    visit = host:modern("resources/read", { uri = "file:///a" })
    assert.equal(-32602, visit:error().code)
  end)

  it("need no name where the method has none", function()
    assert.equal(200, host:modern("tools/list"):status())
  end)
end)
