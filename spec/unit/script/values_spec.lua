local script = require "support.script"

-- What the chunk makes of the JSON text, which it has as `v`.
local function read(json, chunk)
  return script.eval(("local json = require 'json'; local v = json.decode %q; %s")
    :format(json, chunk))
end

local function unreadable(json)
  return script.eval(("local _, why = pcall(require('json').decode, %q); return why"):format(json))
end

local function there_and_back(json)
  return read(json, "return json.encode(v)")
end

describe("JSON read into Lua", function()
  after_each(script.clean)

  it("keeps an integer of 64 bits an integer", function()
    for _, number in ipairs {
      "0", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808",
    } do
      assert.equal("integer " .. number, read(number, "return math.type(v) .. ' ' .. v"))
    end
  end)

  it("makes a float of an integer that has more than 64 bits", function()
    assert.equal("float", read("9223372036854775808", "return math.type(v)"))
    assert.equal("true", read("9223372036854775808", "return v == 2.0 ^ 63"))
    assert.equal("true", read("-9223372036854775809", "return v == -2.0 ^ 63"))
  end)

  it("makes a float of what is written with a fraction or an exponent", function()
    for _, number in ipairs { "1.0", "1e2", "-0.0", "0.5", "1E-7" } do
      assert.equal("float", read(number, "return math.type(v)"), number)
    end
  end)

  it("makes null the one value mcp.null", function()
    assert.equal("userdata true true", read('[null, {"a": null}]', [[
      local mcp = require "mcp"
      return type(v[1]) .. " " .. tostring(v[1] == mcp.null) .. " " .. tostring(v[2].a == mcp.null)
    ]]))
  end)

  it("keeps true, false and strings as they are", function()
    assert.equal("true", read("[true,false,\"\"]",
      "return v[1] == true and v[2] == false and v[3] == ''"))
    assert.equal("a\0b€", read([["a\u0000b\u20ac"]], "return v"))
  end)

  it("gives arrays their elements from 1 on", function()
    assert.equal("3 a b c", read('["a","b","c"]', "return #v .. ' ' .. table.concat(v, ' ')"))
  end)

  it("refuses what is no JSON, and says where", function()
    for _, text in ipairs { "", "{", "[1,]", "nul", "'a'", "01", '{"a":1,"a":2}', "1 2" } do
      assert.matches("not JSON: .+ at byte %d+$", unreadable(text))
    end
  end)

  it("refuses what is nested more than 64 deep", function()
    assert.equal("table", read(("["):rep(64) .. ("]"):rep(64), "return type(v)"))
    assert.matches("not JSON: .+ at byte 64$", unreadable(("["):rep(65) .. ("]"):rep(65)))
  end)

  it("refuses a number that would be an infinity, and says where it is", function()
    assert.matches("a%[1%]%.n must be a number up to 1%.8e308, not %-1e400$",
      unreadable '{"a":[0,{"n":-1e400}]}')
    assert.matches("the value must be a number up to 1%.8e308, not 1e309$", unreadable "1e309")
  end)

  it("runs out of memory like anything else that is too large for the VM", function()
    local problem = script.failure([[
      local row = ("1,"):rep(90000) .. "1"
      local keep = {}
      while true do keep[#keep + 1] = require "json".decode("[" .. row .. "]") end
    ]], { memory = 4 * 1024 * 1024 })
    assert.equal("scripts/x.lua: memory used up (vm_memory) while loading", problem)
  end)
end)

describe("JSON read and written again", function()
  after_each(script.clean)

  it("is the same text for everything that JSON has", function()
    for _, json in ipairs {
      "null", "true", "false", "0", "9223372036854775807", "-9223372036854775808", "0.5", '""',
      '"a"', "[]", "{}", "[[]]", "[{}]", '{"a":[]}', '{"a":{}}', "[null]", '[1,2.5,"x",null,true]',
      '{"a":{"b":[{"c":null}]}}',
    } do
      assert.equal(json, there_and_back(json))
    end
  end)

  it("stays a float if it was one", function()
    assert.equal("[1.0,100.0]", there_and_back "[1.0,1e2]")
  end)
end)

describe("the module json", function()
  after_each(script.clean)

  it("has encode, decode, array and null, and nothing else", function()
    assert.equal("array decode encode null", script.eval [[
      local names = {}
      for name in pairs(require "json") do names[#names + 1] = name end
      table.sort(names)
      return table.concat(names, " ")
    ]])
  end)

  it("makes arrays with the same mark as mcp.array", function()
    assert.equal("[] [] [1]", script.eval [[
      local json, mcp = require "json", require "mcp"
      return json.encode(json.array()) .. " " .. json.encode(mcp.array {}) .. " "
        .. json.encode(json.array { 1 })
    ]])
  end)

  it("tells wrong arguments at the script's line", function()
    assert.matches("^scripts/x.lua:2: bad argument #1 to 'decode'",
      script.failure "local json = require 'json'\njson.decode(nil)")
    assert.matches("^scripts/x.lua:2: bad argument #1 to 'array' %(table expected, got string%)",
      script.failure "local json = require 'json'\njson.array('x')")
    assert.matches("^scripts/x.lua:2: bad argument #1 to 'encode' %(value expected%)",
      script.failure "local json = require 'json'\njson.encode()")
    assert.matches("^scripts/x.lua:2: a function can't be JSON$",
      script.failure "local json = require 'json'\njson.encode(print)")
  end)
end)
