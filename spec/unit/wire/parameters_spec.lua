local parameters = require("unit").parameters

describe("parameters", function()
  for text, json in pairs {
    [""] = "{}", ["&&"] = "{}", ["a"] = '{"a":""}', ["a="] = '{"a":""}', ["=b"] = '{"":"b"}',
    ["a=b"] = '{"a":"b"}', ["a=b&c=d"] = '{"a":"b","c":"d"}', ["a=b=c"] = '{"a":"b=c"}',
    ["a+b=c+d"] = '{"a b":"c d"}', ["%61=%C3%a9"] = '{"a":"\u{e9}"}', ["a=100%"] = '{"a":"100%"}',
    ["a=%4"] = '{"a":"%4"}', ["a=%zz"] = '{"a":"%zz"}', ["a=%41"] = '{"a":"A"}',
    ["a=%00b"] = '{"a":"%00b"}', ["%00=b"] = '{"%00":"b"}', ["a=%ff"] = '{"a":"\u{fffd}"}',
    ["a=%22%5C"] = '{"a":"\\"\\\\"}', ["1:a=b&a=c"] = '{"1:a":"b","a":"c"}',
  } do
    it("are read from '" .. text .. "'", function()
      assert.same({ json, false }, { parameters.decode(text) })
    end)
  end

  it("count the first time that they come", function()
    assert.equal('{"a":"1","b":"2"}', (parameters.decode("a=1&b=2&%61=3", "b=4")))
    assert.equal('{"a":"first"}', parameters.add("a", "first"))
  end)

  it("tell apart names that differ in nothing but how they were sent", function()
    assert.equal('{"12:":"x","2:":"y","":"z"}', (parameters.decode "12:=x&2:=y&=z"))
  end)

  it("are 64 at most, in 16 KiB", function()
    local list = {}
    for i = 1, 64 do list[i] = "p" .. i .. "=" .. i end
    assert.is_false((select(2, parameters.decode(table.concat(list, "&")))))
    assert.is_true((select(2, parameters.decode(table.concat(list, "&"), "more=1"))))
    assert.is_false((select(2, parameters.decode("a=" .. ("x"):rep(16378)))))
    assert.is_true((select(2, parameters.decode("a=" .. ("x"):rep(16379)))))
  end)
end)
