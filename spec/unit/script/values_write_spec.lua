local script = require "support.script"
local unit = require "unit"

local function write(expression)
  return script.eval("local json = require 'json'; local array = json.array; local null = json.null"
    .. " return json.encode(" .. expression .. ")")
end

local function refused(expression)
  local problem = script.failure(
    "local json = require 'json'; local array = json.array; local null = json.null "
    .. "local deep = function(n) local t = {} for _ = 2, n do t = { t } end return t end "
    .. "return json.encode(" .. expression .. ", array, null, deep)")
  return (problem:gsub("^scripts/x.lua:1: ", ""))
end

-- The members and the _meta of what the chunk returns; or nil and the error.
local function members(chunk)
  local folder = script.folder { ["x.lua"] = chunk }
  local vm = assert(unit.vm.new { name = "x", folder = folder })
  return unit.values_write.members(vm, folder .. "/x.lua")
end

describe("Lua written as JSON", function()
  after_each(script.clean)

  it("has the text that each kind of value should have", function()
    local texts = {
      ["true"] = "true",
      ["false"] = "false",
      ["null"] = "null",
      ["0"] = "0",
      ["-0.0"] = "-0.0",
      ["1.0"] = "1.0",
      ["1e300"] = "1e+300",
      ["math.maxinteger"] = "9223372036854775807",
      ["math.mininteger"] = "-9223372036854775808",
      ["2.0 ^ 63"] = "9.223372036854776e+18",
      ["'a\"b'"] = [["a\"b"]],
      ["{}"] = "{}",
      ["array()"] = "[]",
      ["array {}"] = "[]",
      ["array { 1, 2 }"] = "[1,2]",
      ["{ 1, 2 }"] = "[1,2]",
      ["{ { } }"] = "[{}]",
      ["{ a = 1 }"] = '{"a":1}',
      ["{ a = { b = { 1 } } }"] = '{"a":{"b":[1]}}',
      ["{ ['1'] = 'x' }"] = '{"1":"x"}',
      ["{ null, null }"] = "[null,null]",
    }
    for expression, text in pairs(texts) do assert.equal(text, write(expression), expression) end
  end)

  it("has its members in the order that mcp.ordered gives them, wherever it is", function()
    local ordered = "require('mcp').ordered"
    assert.equal('{"a":{"z":1,"b":{"y":2,"x":3},"a":4}}', write("{ a = " .. ordered
      .. " { { 'z', 1 }, { 'b', " .. ordered .. " { { 'y', 2 }, { 'x', 3 } } }, { 'a', 4 } } }"))
    assert.equal("{}", write(ordered .. " {}"))
    -- Later changes: what is gone is left out, what was added comes last, by name.
    assert.equal('{"z":5,"b":3,"c":4}', script.eval(([[
      local t = %s { { 'z', 1 }, { 'a', 2 }, { 'b', 3 } }
      t.a, t.c, t.z = nil, 4, t.z + 4
      return require "json".encode(t)]]):format(ordered)))
  end)

  it("has its members in the order of their names", function()
    assert.equal('{"":1,"A":2,"a":3,"aa":4,"b":5,"ä":6}',
      write "{ b = 5, aa = 4, ['ä'] = 6, a = 3, A = 2, [''] = 1 }")
    local many, sorted = {}, {}
    for i = 999, 900, -1 do many[#many + 1] = ("k%d = %d"):format(i, i) end
    for i = 900, 999 do sorted[#sorted + 1] = ('"k%d":%d'):format(i, i) end
    assert.equal("{" .. table.concat(sorted, ",") .. "}",
      write("{" .. table.concat(many, ",") .. "}"))
  end)

  it("never calls a metamethod", function()
    assert.equal("[1] {}", script.eval [[
      local function trap() error "called" end
      local mt = { __index = trap, __len = trap, __pairs = trap, __tostring = trap, __eq = trap }
      local encode = require "json".encode
      return encode(setmetatable({ 1 }, mt)) .. " " .. encode(setmetatable({}, mt))
    ]])
  end)

  it("names what can't be JSON", function()
    assert.equal("a function can't be JSON", refused "print")
    assert.equal("nil can't be JSON", refused "nil")
    assert.equal("inf or nan can't be JSON", refused "0/0")
    assert.equal("inf or nan can't be JSON", refused "math.huge")
    assert.equal("inf or nan can't be JSON", refused "-math.huge")
    assert.equal("a string that is not valid UTF-8 can't be JSON", refused [["a\xff"]])
  end)

  it("names the place of what can't be JSON", function()
    assert.equal("a function can't be JSON (at content[1].text)",
      refused "{ content = { { text = print } } }")
    assert.equal("inf or nan can't be JSON (at [2])", refused "{ 1, 0/0 }")
    assert.equal("nil can't be JSON (at a[2])", refused "{ a = array { 1, nil, 3 } }")
    assert.equal("a string that is not valid UTF-8 can't be JSON (at a.b)",
      refused [[{ a = { b = "\xc3" } }]])
  end)

  it("refuses a name that is not valid UTF-8, at the object it is in", function()
    assert.equal("a name that is not valid UTF-8 can't be JSON", refused [[{ ["\xff"] = 1 }]])
    assert.equal("a name that is not valid UTF-8 can't be JSON (at a[1])",
      refused [[{ a = { { ["\xff"] = 1 } } }]])
  end)

  it("refuses tables that are neither an array nor an object", function()
    local mixed = "a table with both names and numbers as keys, or gaps, can't be JSON (at t)"
    assert.equal(mixed, refused "{ t = { 1, x = 2 } }")
    assert.equal(mixed, refused "{ t = { [2] = 1 } }")
    assert.equal(mixed, refused "{ t = { [0] = 1 } }")
    assert.equal(mixed, refused "{ t = { [1.5] = 1 } }")
    assert.equal(mixed, refused "{ t = { [true] = 1 } }")
    assert.equal("nil can't be JSON (at t[2])", refused "{ t = { 1, nil, 3, x = 2 } }")
    local gaps = "an array with gaps or other keys than 1 to n can't be JSON (at t)"
    assert.equal(gaps, refused "{ t = array { x = 1 } }")
    assert.equal(gaps, refused "{ t = array { 1, x = 1 } }")
    assert.equal(gaps, refused "{ t = array { [3] = 1 } }")
  end)

  it("is nested 64 deep, and not 65", function()
    assert.equal(("["):rep(63) .. "{}" .. ("]"):rep(63), script.eval [[
      local t = {}
      for _ = 2, 64 do t = { t } end
      return require "json".encode(t)
    ]])
    assert.equal("a table more than 64 deep, or inside itself, can't be JSON (at "
      .. ("[1]"):rep(64) .. ")", refused "deep(65)")
  end)

  it("refuses a table that holds itself", function()
    assert.matches("^a table more than 64 deep, or inside itself, can't be JSON %(at a%.a%.a",
      (script.failure "local t = {} t.a = t require 'json'.encode(t)"
        :gsub("^scripts/x.lua:1: ", "")))
  end)

  it("has 10,000 members in an object, and not 10,001", function()
    local fill = "local t = {} for i = 1, %d do t['k' .. i] = i end "
    assert.equal("10000", script.eval(fill:format(10000)
      .. "local _, n = require 'json'.encode(t):gsub(':', ''); return tostring(n)"))
    assert.matches("an object of more than 10000 members can't be JSON %(at t%)$",
      script.failure(fill:format(10001) .. "require 'json'.encode { t = t }"))
  end)

  it("has 4 MiB of text, and not more", function()
    local length = "return tostring(#require 'json'.encode(('x'):rep(4 * 1024 * 1024 - %d)))"
    assert.equal(tostring(4 * 1024 * 1024), script.eval(length:format(2)))
    assert.matches("a value of more than 4 MiB can't be JSON$", script.failure(length:format(1)))
    assert.matches("a value of more than 4 MiB can't be JSON$",
      script.failure [[require "json".encode(("\1"):rep(1024 * 1024))]])
    assert.matches("a value of more than 4 MiB can't be JSON %(at %[%d+%]%)$", script.failure [[
      local mebibyte, t = ("x"):rep(1024 * 1024), {}
      for i = 1, 100 do t[i] = mebibyte end
      require "json".encode(t)
    ]])
    assert.matches("a value of more than 4 MiB can't be JSON$",
      script.failure [[require "json".encode { [("x"):rep(5 * 1024 * 1024)] = 1 }]])
  end)
end)

describe("the members of a Lua table", function()
  after_each(script.clean)

  it("are written without braces, and _meta apart", function()
    local fields, meta = members "return { b = 2, _meta = { z = 1, y = {} }, a = { _meta = {} } }"
    assert.equal('"a":{"_meta":{}},"b":2', fields)
    assert.equal('{"y":{},"z":1}', meta)
  end)

  it("may be none", function()
    local fields, meta = members "return {}"
    assert.equal("", fields)
    assert.equal("", meta)
    fields, meta = members "return { _meta = {} }"
    assert.equal("", fields)
    assert.equal("{}", meta)
  end)

  it("have no _meta that is anything but an object", function()
    for _, meta in ipairs {
      "'x'", "1", "{ 1 }", "require('mcp').array {}", "require('mcp').null",
    } do
      local fields, why = members("return { _meta = " .. meta .. " }")
      assert.is_nil(fields)
      assert.equal("_meta must be a table with string keys", why)
    end
  end)

  it("name the place of what can't be JSON, also in _meta", function()
    local fields, why = members "return { a = { b = print } }"
    assert.is_nil(fields)
    assert.equal("a function can't be JSON (at a.b)", why)
    fields, why = members "return { _meta = { b = print } }"
    assert.is_nil(fields)
    assert.equal("a function can't be JSON (at _meta.b)", why)
  end)

  it("are not those of a list", function()
    local fields, why = members "return { 1 }"
    assert.is_nil(fields)
    assert.equal("a list where an object is needed can't be JSON", why)
  end)

  it("count as one table of the depth", function()
    local chunk = "local t = {} for _ = 2, %d do t = { t } end return { a = t }"
    assert.is_string((members(chunk:format(63))))
    local fields, why = members(chunk:format(64))
    assert.is_nil(fields)
    assert.matches("^a table more than 64 deep", why)
  end)
end)
