local trace = require("unit").trace

local ID, SPAN = "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"
local PARENT = "00-" .. ID .. "-" .. SPAN .. "-01"

local function good(what, values)
  for _, value in ipairs(values) do assert.is_true(trace.is(what, value), value) end
end

local function bad(what, values)
  for _, value in ipairs(values) do assert.is_false(trace.is(what, value), value) end
end

describe("a trace context", function()
  it("has a traceparent of version, trace, span and flags", function()
    good("parent", { PARENT, "cc-" .. ID .. "-" .. SPAN .. "-00",
      "cc-" .. ID .. "-" .. SPAN .. "-00-more" })
    bad("parent", { "", "00", PARENT:sub(1, -2), PARENT .. "0", PARENT .. "-more",
      PARENT:upper(), "ff" .. PARENT:sub(3), "0g" .. PARENT:sub(3), (PARENT:gsub("-", "_")),
      "00-" .. ("0"):rep(32) .. "-" .. SPAN .. "-01",
      "00-" .. ID .. "-" .. ("0"):rep(16) .. "-01", PARENT:sub(1, -2) .. " ",
      "cc-" .. ID .. "-" .. SPAN .. "-00.more" })
  end)

  it("has a tracestate of members, 32 at most", function()
    good("state", { "", "a=1", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "a=1 , b=2", "a@b=c,,",
      ("a=1,"):rep(32) })
    bad("state", { "a", "=1", "a=", "A=1", "a b=1", "a=1=2", "a=\1", "é=1", ("a=1,"):rep(33),
      ("a"):rep(257) .. "=1", "a=" .. ("1"):rep(257) })
  end)

  it("has baggage of names, values and properties", function()
    good("baggage", { "a=1", "a=1;p;q=2 , b = 2", "user=al%20ice", "a=" })
    bad("baggage", { "", "a", "=1", "a b=1", "a=1 2", 'a="x"', "a=1,", "a=\\", "a=é", "a=1;p p",
      "a=" .. ("1"):rep(8191) })
  end)

  it("is told to the log by its ids alone", function()
    local text, faults = trace.read(('{"traceparent":"%s","tracestate":"a=1","baggage":"b=2"}')
      :format(PARENT))
    assert.equal((" (trace %s span %s)"):format(ID, SPAN), text)
    assert.equal(0, faults)
  end)

  it("is ignored where it is malformed or missing, one part without the others", function()
    assert.same({ "", 0 }, { trace.read "{}" })
    assert.same({ "", 0 }, { trace.read "no JSON" })
    assert.same({ "", 7 }, { trace.read '{"traceparent":1,"tracestate":"A","baggage":null}' })
    local text, faults = trace.read(('{"traceparent":"%s","tracestate":"A=1"}'):format(PARENT))
    assert.matches(ID, text)
    assert.equal(2, faults)
  end)
end)
