-- The servers that scripts may fetch from: how they are written, and what they cover.

local http = require("unit").grants_http

describe("a granted server", function()
  it("is kept as an origin, with https where no scheme is given", function()
    for text, kept in pairs {
      ["api.example.com"] = "https://api.example.com",
      ["API.Example.com:443"] = "https://api.example.com",
      ["https://api.example.com:8443"] = "https://api.example.com:8443",
      ["http://api.example.com"] = "http://api.example.com",
      ["http://api.example.com:80"] = "http://api.example.com",
      ["*.example.com"] = "https://*.example.com",
      ["http://*.example.com:81"] = "http://*.example.com:81",
      ["127.0.0.1:8080"] = "https://127.0.0.1:8080",
      ["http://0x7f.1"] = "http://127.0.0.1",
      ["http://[0:0::1]:81"] = "http://[::1]:81",
      ["local wiki.corp"] = "local https://wiki.corp",
      ["local http://localhost:81"] = "local http://localhost:81",
    } do
      assert.equal(kept, http.read(text), text)
    end
  end)

  it("is nothing but scheme, host and port", function()
    for _, text in ipairs {
      "", "*", "*.", "*.com", "*.*.example.com", "a.*.com", "*example.com", "a b", "a/b", "a/",
      "https://a/b", "user@a.example", "a.example?x", "a.example#x", "ftp://a.example",
      "file:///etc", "https://https://a", "local ", "local local a.example",
      "Local a.example", "a.example:0x50", "a.example:99999", "a:1:2", "*.127.0.0.1", "*.[::1]",
      "a.example, b.example", "a\\b", "a%2eb", "http:/a", "//a.example", "a\0b",
    } do
      local kept, why = http.read(text)
      assert.is_nil(kept, text)
      assert.truthy(why:find("is no server: write it as", 1, true) or text:find "%z", why)
    end
  end)

  it("covers its own origin and no other", function()
    local function assert_covers(expected, kept, ...)
      for _, origin in ipairs { ... } do
        assert.equal(expected, http.covers(kept, origin), kept .. " " .. origin)
      end
    end
    assert_covers(true, "https://a.com", "https://a.com")
    assert_covers(false, "https://a.com", "http://a.com", "https://a.com:81", "https://b.a.com",
      "https://a.com.evil.example", "https://aa.com", "https://a.co", "https://a.com.")
    assert_covers(true, "https://*.a.com", "https://b.a.com", "https://c.b.a.com")
    assert_covers(false, "https://*.a.com", "https://a.com", "https://ba.com", "http://b.a.com",
      "https://b.a.com:81", "https://b.a.com.evil.example", "https://.a.com")
    assert_covers(true, "http://*.a.com:81", "http://b.a.com:81")
    assert_covers(false, "http://*.a.com:81", "http://b.a.com", "https://b.a.com:81")
    assert_covers(true, "local https://a.com", "https://a.com")
  end)

  it("is for any address if it is one itself, or says local", function()
    for kept, expected in pairs {
      ["https://a.com"] = false, ["https://*.a.com"] = false, ["http://a.com:81"] = false,
      ["https://localhost"] = false, ["https://127.0.0.1:81"] = true, ["http://10.0.0.1"] = true,
      ["https://[::1]:81"] = true, ["https://[::1]"] = true, ["local https://a.com"] = true,
    } do
      assert.equal(expected, http.any_address(kept), kept)
    end
  end)
end)

describe("the origin of a URL", function()
  it("is that of whom libcurl would connect to", function()
    for url, origin in pairs {
      ["https://a.com/x?y#z"] = "https://a.com", ["HTTP://A.com:80"] = "http://a.com",
      ["http://2130706433/"] = "http://127.0.0.1", ["http://0177.1/"] = "http://127.0.0.1",
      ["https://a.com/@b.com"] = "https://a.com", ["https://a.com?@b.com"] = "https://a.com",
      ["https://a.com#@b.com"] = "https://a.com", ["https://[::ffff:127.0.0.1]/"] =
        "https://[::ffff:7f00:1]",
    } do
      assert.equal(origin, http.origin(url), url)
    end
  end)

  it("is none where it could be taken for another", function()
    for _, url in ipairs {
      "", "a.com", "//a.com", "https://", "file:///a", "ftp://a.com", "gopher://a.com",
      "https://u@a.com", "https://u:p@a.com", "https://@a.com", "https://a.com\\@b.com",
      "https://a.com /", "https://a.com/\r\n", "https://a.com/\0", "https://\u{e4}.com/",
      "https://a.com%2fb.com/", "https://a.com%00.b.com/", "https://[::1%25eth0]/",
      "https://a..com",
    } do
      assert.is_nil((http.origin(url)), url)
    end
  end)
end)
