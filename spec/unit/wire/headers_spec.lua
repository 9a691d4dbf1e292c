local headers = require("unit").headers

local JSON, SSE = "application/json", "text/event-stream"

local function each(values, expected, check)
  for _, value in ipairs(values) do
    assert.equal(expected, check(value), "for " .. value)
  end
end

describe("headers.is_json", function()
  it("takes application/json in any case, with or without parameters", function()
    each({
      "application/json", "Application/JSON", " application/json ", "application/json;",
      "application/json; charset=utf-8", "application/json;charset=UTF-8",
      'application/json; charset="utf-8"', "application/json ; Charset = Utf-8",
      'application/json; v="a;charset=latin1"', [[application/json; v="a\";charset=latin1"]],
      "application/json;; profile=x;",
    }, true, headers.is_json)
  end)

  it("refuses any other type", function()
    each({
      "", " ", ";", "text/plain", "application/json-rpc", "application/jsonp", "application/jso",
      "application/vnd.api+json", "text/plain; x=application/json", "application / json",
      "application/json, application/json", "application/json application/json", "*/*",
      "application/json\0",
    }, false, headers.is_json)
  end)

  it("refuses a charset other than utf-8, wherever it stands", function()
    each({
      "application/json; charset=latin1", "application/json; charset=utf-16",
      "application/json; charset=", "application/json; charset", 'application/json; charset="utf-8',
      "application/json; charset=utf-8; charset=latin1", "application/json; a=b; CHARSET=ascii",
    }, false, headers.is_json)
  end)

  it("refuses an absent header", function()
    assert.is_false(headers.is_json(nil))
  end)
end)

describe("headers.accepts", function()
  it("admits everything when the header is absent or blank", function()
    assert.is_true(headers.accepts(nil, SSE))
    assert.is_true(headers.accepts("", SSE))
    assert.is_true(headers.accepts(" \t", SSE))
  end)

  it("admits a type by its name, in any case and with any spacing", function()
    local accept = "application/json,\tText/Event-Stream ; q=0.5"
    assert.is_true(headers.accepts(accept, JSON))
    assert.is_true(headers.accepts(accept, SSE))
    assert.is_false(headers.accepts(accept, "text/html"))
  end)

  it("admits a type by the wildcard of its family", function()
    assert.is_true(headers.accepts("text/*", SSE))
    assert.is_false(headers.accepts("text/*", JSON))
    assert.is_false(headers.accepts("tex/*", SSE))
    assert.is_false(headers.accepts("text/event-stream/*", SSE))
  end)

  it("admits every type by a full wildcard", function()
    each({ "*/*", "*/*;q=0.1", "*", "text/html, */*", "text/html, *; q=.2, */*; q=.2" }, true,
      function(accept) return headers.accepts(accept, SSE) end)
  end)

  it("takes q=0, however it is written, as a refusal", function()
    each({ "text/event-stream;q=0", "text/event-stream; q=0.0", "text/event-stream; Q=0.000",
      "text/event-stream;q=0." }, false, function(accept) return headers.accepts(accept, SSE) end)
  end)

  it("takes any other weight as consent", function()
    each({ "text/event-stream;q=0.001", "text/event-stream;q=1", "text/event-stream;q=1.000",
      "text/event-stream;q=x", "text/event-stream;q=", "text/event-stream;q" }, true,
      function(accept) return headers.accepts(accept, SSE) end)
  end)

  it("lets the most specific range decide, in whatever order", function()
    assert.is_false(headers.accepts("*/*, text/event-stream;q=0", SSE))
    assert.is_false(headers.accepts("text/event-stream;q=0, text/*, */*", SSE))
    assert.is_true(headers.accepts("text/*;q=0, text/event-stream", SSE))
    assert.is_false(headers.accepts("*/*, text/*;q=0", SSE))
    assert.is_true(headers.accepts("*/*;q=0, application/json", JSON))
    assert.is_false(headers.accepts("*/*;q=0, application/json", SSE))
  end)

  it("lets the friendlier of two equal ranges win", function()
    assert.is_true(headers.accepts("text/event-stream;q=0, text/event-stream", SSE))
    assert.is_true(headers.accepts("text/event-stream, text/event-stream;q=0", SSE))
  end)

  it("reads a range with parameters as consent to the plain type, never as its refusal", function()
    assert.is_true(headers.accepts("application/json; charset=utf-8, text/event-stream", JSON))
    assert.is_true(headers.accepts("application/json;profile=x;q=0, application/json", JSON))
    assert.is_true(headers.accepts("application/json;profile=x;q=0, */*;q=0.1", JSON))
    assert.is_false(headers.accepts("application/json;q=0, application/json;profile=x", JSON))
    assert.is_false(headers.accepts("application/json;profile=x;q=0", JSON))
  end)

  it("does not look for separators inside quoted strings", function()
    assert.is_false(headers.accepts('text/html;a="x, text/event-stream"', SSE))
    assert.is_true(headers.accepts([[text/html;a="\", x", text/event-stream]], SSE))
    assert.is_true(headers.accepts('text/event-stream;a="x;q=0"', SSE))
    assert.is_false(headers.accepts('text/html;a="x, text/event-stream', SSE))
  end)

  it("skips empty and malformed elements", function()
    assert.is_true(headers.accepts(",, text/event-stream,", SSE))
    assert.is_false(headers.accepts(",", SSE))
    assert.is_false(headers.accepts(";q=1, /, */event-stream, text, text/, text /event-stream",
      SSE))
  end)
end)

describe("headers.decode_value", function()
  local function decoded(value)
    local ok, text = headers.decode(value)
    assert.is_true(ok, "for " .. value)
    return text
  end

  it("takes plain text for itself", function()
    each({ "book_meeting", "", "a b\tc", "~!\"\\", "=?base64?=", "=?base64?YQ==", "YQ==?=",
      "=?BASE64?YQ==?=", " =?base64?YQ==?=" }, true,
      function(value) return decoded(value) == "<" .. value end)
  end)

  it("decodes base64 of UTF-8", function()
    assert.equal("<Hello, 世界", decoded("=?base64?SGVsbG8sIOS4lueVjA==?="))
    assert.equal("< padded ", decoded("=?base64?IHBhZGRlZCA=?="))
    assert.equal("<line1\nline2", decoded("=?base64?bGluZTEKbGluZTI=?="))
    assert.equal("<=?base64?literal?=", decoded("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="))
    assert.equal("<", decoded("=?base64??="))
  end)

  it("refuses what is no visible ASCII, and adds nothing", function()
    for _, value in ipairs { "é", "a\nb", "a\rb", "\0", "\127", "\27[1m", "\255" } do
      local ok, text = headers.decode(value)
      assert.is_false(ok)
      assert.equal("<", text)
    end
  end)

  it("refuses base64 that is not canonical, and adds nothing", function()
    for _, payload in ipairs { "YQ", "YQ=", "YQ===", "YR==", "Y", "YQ==YQ==", "Y Q==", "%%%",
      "YQ==\n",
      "_-8=", "=", "====", "YWE=YQ==" } do
      local ok, text = headers.decode("=?base64?" .. payload .. "?=")
      assert.is_false(ok, "for " .. payload)
      assert.equal("<", text)
    end
  end)

  it("refuses base64 of what is no UTF-8, and adds nothing", function()
    local ok, text = headers.decode("=?base64?//4=?=")
    assert.is_false(ok)
    assert.equal("<", text)
  end)
end)
