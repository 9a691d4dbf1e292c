local script = require "support.script"

describe("the module cjson", function()
  after_each(script.clean)

  it("encodes and decodes, and has none of its setters", function()
    assert.equal("_NAME _VERSION decode encode null", script.eval [[
      local names = {}
      for name in pairs(require "cjson") do names[#names + 1] = name end
      table.sort(names)
      return table.concat(names, " ")
    ]])
    assert.equal('[1,2] 3.0', script.eval [[
      local cjson = require "cjson"
      return cjson.encode { 1, 2 } .. " " .. cjson.decode "[3]"[1]
    ]])
  end)

  it("has the same null as mcp", function()
    assert.equal("true", script.eval "return require('cjson').null == require('mcp').null")
  end)

  it("decodes 1 MiB, and not more", function()
    local decode = "return require('cjson').decode('\"' .. ('x'):rep(1024 * 1024 - %d) .. '\"')"
    assert.equal(1024 * 1024 - 2, #script.eval(decode:format(2)))
    assert.matches("longer than 1 MiB", script.failure(decode:format(1)))
  end)

  it("encodes 1 MiB, counting what it has to escape, and not more", function()
    local encode = "return #require('cjson').encode(('%s'):rep(%d))"
    assert.equal("1048002", script.eval(("return tostring(%s)"):format(
      encode:format("x", 1048000):sub(8))))
    assert.matches("longer than 1 MiB", script.failure(encode:format("x", 1048576)))
    assert.matches("longer than 1 MiB", script.failure(encode:format([[\1]], 180000)))
  end)

  it("does not take the time to write what is small to keep and endless to write", function()
    local why = script.failure [[
      local t = { 1, 1 }
      for _ = 1, 40 do t = { t, t } end
      require "cjson".encode(t)
    ]]
    assert.matches("x%.lua:3: bad argument #1 to 'encode' %(its text would be longer", why)
  end)

  it("tells its own errors", function()
    assert.matches("Cannot serialise function", script.failure "require('cjson').encode(print)")
    assert.matches("Cannot serialise, excessive nesting", script.failure [[
      local t = {}
      t[1] = t
      require "cjson".encode(t)
    ]])
    assert.matches("Expected value but found invalid token",
      script.failure "require('cjson').decode '[x]'")
  end)

  it("is not called where the heap has no room for what comes of it", function()
    assert.equal("false not enough memory, false not enough memory, [1]", script.eval([[
      local cjson = require "cjson"
      local list = "[" .. ("1,"):rep(100000) .. "1]"
      local decoded = { pcall(cjson.decode, list) }
      local most = ("x"):rep(925000)
      local encoded = { pcall(cjson.encode, most) }
      return ("%s %s, %s %s, %s"):format(decoded[1], decoded[2], encoded[1], encoded[2],
        cjson.encode { 1 })
    ]], { memory = 2176 * 1024 }))
  end)
end)
