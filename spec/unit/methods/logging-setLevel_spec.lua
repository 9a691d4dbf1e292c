local inside = require "support.inside"

describe("logging/setLevel", function()
  local host

  setup(function()
    host = inside.start { scripts = { s = [[
      require "mcp".tool { handler = function(_, ctx) ctx:log("warning", "w") return "done" end }
    ]] } }
  end)
  teardown(function() inside.close(host) end)

  local function heard(session)
    return #session:call("s"):events() > 0
  end

  it("is answered with an empty object, and holds for its session alone", function()
    local loud, quiet = host:initialize(), host:initialize()
    local reply = loud:request("logging/setLevel", { level = "debug" })
    assert.truthy(reply:told().body:find('"result":{}', 1, true))
    assert.is_true(heard(loud))
    assert.is_false(heard(quiet))
  end)

  it("refuses what is none of the eight levels, and keeps the one there was", function()
    local session = host:initialize()
    session:request("logging/setLevel", { level = "warning" })
    for _, params in ipairs { {}, { level = "loud" }, { level = 3 }, { level = "WARNING" } } do
      local refusal = session:request("logging/setLevel", params):error()
      assert.equal(-32602, refusal.code)
      assert.truthy(refusal.message:find("emergency", 1, true))
    end
    assert.is_true(heard(session))
  end)

  it("is not there in the modern era", function()
    assert.equal(-32601, host:modern("logging/setLevel", { level = "debug" }):error().code)
  end)
end)
