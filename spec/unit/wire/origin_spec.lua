local origin = require("unit").origin

local APP = "https://app.example"

local function reduces(cases)
  for url, expected in pairs(cases) do
    assert.equal(expected, origin.reduce(url), "for " .. url)
  end
end

local function refuses(urls)
  for _, url in ipairs(urls) do
    assert.is_nil(origin.reduce(url), "for " .. url)
  end
end

describe("origin_reduce", function()
  it("lower-cases scheme and host", function()
    reduces { ["HTTPS://APP.example"] = APP, ["Http://A_b-C.D"] = "http://a_b-c.d" }
  end)

  it("drops the default port of the scheme and keeps any other", function()
    reduces {
      ["http://a.example:80"] = "http://a.example", ["https://a.example:443"] = "https://a.example",
      ["http://a.example:443"] = "http://a.example:443",
      ["https://a.example:80"] = "https://a.example:80",
      ["http://a.example:00080"] = "http://a.example",
      ["http://a.example:08080"] = "http://a.example:8080",
      ["http://a.example:"] = "http://a.example",
      ["http://a.example:65535"] = "http://a.example:65535",
      ["http://a.example:0"] = "http://a.example:0",
    }
  end)

  it("refuses a port that is no port", function()
    refuses { "http://a.example:65536", "http://a.example:-1", "http://a.example:+80",
      "http://a.example:8a",
      "http://a.example:8 0", "http://a.example:99999999999999999999", "http://a.example:80:80" }
  end)

  it("drops everything around the authority", function()
    reduces {
      [APP .. "/"] = APP, [APP .. "/api/mcp"] = APP, [APP .. "?q=1"] = APP, [APP .. "#top"] = APP,
      [APP .. "/a,b;c"] = APP, ["https://user@app.example"] = APP,
      ["https://u:p@app.example:443/x"] = APP,
      ["https:/app.example"] = APP, ["https:///app.example"] = APP,
    }
  end)

  it("turns IDN hosts into punycode", function()
    reduces {
      ["http://Bücher.example/x"] = "http://xn--bcher-kva.example",
      ["http://b%C3%BCcher.example"] = "http://xn--bcher-kva.example",
      ["http://XN--BCHER-KVA.example"] = "http://xn--bcher-kva.example",
      ["http://faß.example"] = "http://xn--fa-hia.example",
      ["http://會議.example:3000"] = "http://xn--2ovu42f.example:3000",
      ["http://ＡＰＰ。example"] = "http://app.example",
      ["http://a\u{AD}b.example"] = "http://ab.example",
    }
  end)

  it("refuses hosts that are no IDN", function()
    refuses { "http://\255.example", "http://a\u{202E}b.example", "http://xn--ü.example",
      "http://a／b",
      "http://a：80", "http://a＠b" }
  end)

  it("decodes a percent-encoded host, unless it hides a delimiter", function()
    reduces { ["http://%61pp.example"] = "http://app.example" }
    refuses { "http://a%2fb", "http://a%00b", "http://a%20b", "http://a%40b", "http://a%3a80",
      "http://a%25b",
      "http://%", "http://a%zz" }
  end)

  it("writes an IPv4 address in its usual spelling", function()
    reduces {
      ["http://0x7f.1"] = "http://127.0.0.1", ["http://127.1:80"] = "http://127.0.0.1",
      ["http://2130706433"] = "http://127.0.0.1", ["http://0177.0.0.1"] = "http://127.0.0.1",
      ["http://0"] = "http://0.0.0.0", ["http://127.0.0.1:3000"] = "http://127.0.0.1:3000",
      ["http://１２７.0.0.1"] = "http://127.0.0.1",
    }
  end)

  it("refuses a host that ends in a number and is no IPv4 address", function()
    refuses { "http://1.2.3.256", "http://1.2.3.4.5", "http://4294967296", "http://a.1",
      "http://a.0x1f",
      "http://0x", "http://08.1.1.1", "http://127.0.0.1." }
  end)

  it("writes an IPv6 address as browsers do", function()
    reduces {
      ["http://[::1]:3000"] = "http://[::1]:3000", ["http://[::1]:80"] = "http://[::1]",
      ["http://[0:0:0:0:0:0:0:1]"] = "http://[::1]", ["http://[FE80::00A]"] = "http://[fe80::a]",
      ["http://[::]"] = "http://[::]", ["http://[::ffff:127.0.0.1]"] = "http://[::ffff:7f00:1]",
      ["http://[::FFFF:7f00:1]"] = "http://[::ffff:7f00:1]",
      ["http://[::1.2.0.0]"] = "http://[::102:0]",
      ["http://[1:0:0:2:0:0:0:3]"] = "http://[1:0:0:2::3]",
    }
  end)

  it("refuses a broken IPv6 address, and one with a zone", function()
    refuses { "http://[::1", "http://[::1]x", "http://[]", "http://[a]", "http://[1::2::3]",
      "http://::1",
      "http://[fe80::1%25eth0]", "http://[fe80::1%eth0]", "http://[127.0.0.1]",
      "http://[::1].example" }
  end)

  it("keeps a trailing dot, which makes another origin", function()
    reduces { ["http://a.example."] = "http://a.example." }
  end)

  it("refuses a host with an empty or overlong label, or overlong as a whole", function()
    local label = ("a"):rep(63)
    local longest = table.concat({ label, label, label, ("a"):rep(61) }, ".")
    reduces { ["http://" .. longest] = "http://" .. longest,
      ["http://" .. label] = "http://" .. label }
    refuses { "http://", "http://.", "http://..", "http://a..b", "http://.a", "http://a..",
      "http://:80",
      "http://a" .. label, "http://a" .. longest }
  end)

  it("refuses what is no URL, and every other scheme", function()
    refuses { "", "null", "app.example", "//app.example", "://app.example", "http:app.example",
      "http:\\\\app",
      "ftp://a.example", "file:///etc/passwd", "data:text/plain,x", "about:blank", "ws://a.example",
      "chrome-extension://abcdef", "httpss://a", "http ://a", "javascript:alert(1)" }
  end)

  it("refuses spaces, control characters and foreign delimiters in the host", function()
    refuses { "http://a b", "http://a\tb", "http://a\nb", "http://a\0", "http://a\0.example",
      "http://a\\b",
      "http://a,b", "http://a;b", "http://a<b", "http://a|b", "http://a^b", "http://*.example",
      "http://a!b",
      "http://a~b", " http://a", "http://a " }
  end)

  it("refuses a text over 4096 bytes", function()
    local path = ("x"):rep(4096 - #APP - 1)
    reduces { [APP .. "/" .. path] = APP }
    refuses { APP .. "/" .. path .. "x", ("a"):rep(1 << 20) }
  end)

  it("changes nothing more the second time", function()
    for _, url in ipairs { "HTTP://Bücher.example:80/x", "http://[::ffff:1.2.3.4]:1",
      "https://0x7f.1:443",
      "http://a.example.:0" } do
      local once = origin.reduce(url)
      assert.equal(once, origin.reduce(once))
    end
  end)
end)

describe("origin_list", function()
  local DEFAULT = { "http://localhost:3000", "http://127.0.0.1:3000" }

  it("has its default when unset or blank", function()
    assert.same(DEFAULT, origin.list(nil))
    assert.same(DEFAULT, origin.list(""))
    assert.same(DEFAULT, origin.list(" \t\r\n"))
  end)

  it("splits at commas, trims and reduces", function()
    assert.same({ APP, "http://b.example:8080" },
      origin.list(" HTTPS://APP.example:443/path ,\thttp://b.example:8080\n"))
  end)

  it("drops junk and opaque entries", function()
    local junk = "nonsense,,null,ftp://a.example,*,https://*.example,file:///x"
    assert.same({ APP }, origin.list(junk .. "," .. APP .. "," .. junk))
  end)

  it("drops duplicates, also those that only the reduction makes equal", function()
    assert.same({ APP, "http://a.example" },
      origin.list(APP .. ",HTTPS://APP.example:443/,http://a.example," .. APP))
  end)

  it("is empty, not the default, when all entries are junk", function()
    assert.same({}, origin.list("nonsense"))
    assert.same({}, origin.list(","))
    assert.same({}, origin.list("*"))
    assert.same({}, origin.list("null, about:blank"))
  end)
end)

describe("origin_allowed", function()
  it("lets through what is on the list, as written or after reduction", function()
    for _, value in ipairs { APP, "HTTPS://APP.example", "https://app.example:443",
      "https://app.example:",
      "https://%61pp.example" } do
      assert.is_true(origin.allowed(APP, value), "for " .. value)
    end
    assert.is_true(origin.allowed("http://bücher.example", "http://xn--bcher-kva.example"))
    assert.is_true(origin.allowed("http://xn--bcher-kva.example", "http://bücher.example"))
    assert.is_true(origin.allowed("http://[0:0::1]:3000", "http://[::1]:3000"))
    assert.is_true(origin.allowed("https://other.example," .. APP, APP))
  end)

  it("lets the default list through when nothing is configured", function()
    assert.is_true(origin.allowed(nil, "http://localhost:3000"))
    assert.is_true(origin.allowed("", "http://127.0.0.1:3000"))
    assert.is_false(origin.allowed(nil, "http://localhost:3001"))
  end)

  it("refuses another scheme, host or port", function()
    for _, value in ipairs { "http://app.example", "https://app.example:8443",
      "https://app.example:80",
      "https://evil.example", "https://app.example.evil.example", "https://sub.app.example",
      "https://app.example.", "https://xapp.example", "https://app.exampl" } do
      assert.is_false(origin.allowed(APP, value), "for " .. value)
    end
  end)

  it("refuses null and what does not parse", function()
    for _, value in ipairs { "", "null", "NULL", "app.example", "https://", "https:app.example",
      "https:/app.example",
      "https:///app.example", "https://app.example:65536", "\255", "https://app.example\0" } do
      assert.is_false(origin.allowed(APP .. ",null", value), "for " .. value)
    end
    assert.is_false(origin.allowed(APP, nil))
  end)

  it("refuses a value that is more than an origin", function()
    for _, value in ipairs { APP .. "/", APP .. "/path", APP .. "?", APP .. "?q", APP .. "#",
      APP .. "#f",
      "https://user@app.example", "https://@app.example", "https://evil.example@app.example",
      "https://app.example\\", "https://app.example\\@evil.example", APP .. "," .. APP,
      APP .. ", " .. APP,
      APP .. " " .. APP, APP .. " ", " " .. APP, "https://app .example", APP .. "\t",
      APP .. "\n" } do
      assert.is_false(origin.allowed(APP, value), "for " .. value)
    end
  end)

  it("refuses everything when the list is empty", function()
    for _, value in ipairs { "", "null", APP, "http://localhost:3000", "nonsense" } do
      assert.is_false(origin.allowed("nonsense", value), "for " .. value)
    end
  end)

  it("refuses a very long value", function()
    assert.is_false(origin.allowed(APP, "https://" .. ("a"):rep(1 << 20)))
    assert.is_false(origin.allowed(APP, "https://" .. ("a."):rep(2000) .. "example"))
  end)
end)

describe("origin_host_allowed", function()
  local function passes(names, hosts, expected)
    for _, host in ipairs(hosts) do
      assert.equal(expected, origin.host_allowed(host, names), "for " .. host)
    end
  end

  it("passes the loopback names on any port", function()
    passes(nil, { "localhost", "localhost:3000", "LocalHost:1", "127.0.0.1", "127.0.0.1:65535",
      "[::1]",
      "[::1]:80" }, true)
  end)

  it("refuses any other name while none is configured", function()
    passes(nil, { "evil.com", "localhost.evil.com", "127.0.0.1.evil.com", "evil.com:3000",
      "localhost.",
      "127.0.0.2", "127.1", "::1", "[::2]", "0.0.0.0", "xlocalhost", "localhos" }, false)
  end)

  it("refuses a malformed value even if it begins with a loopback name", function()
    passes(nil, { "", " ", "localhost:abc", "localhost:", "localhost:80:80", "localhost:65536",
      "localhost:000080",
      "localhost:-1", "localhost 80", " localhost", "localhost ", "localhost/",
      "localhost@evil.com",
      "evil.com@localhost", "localhost,evil.com", "localhost\0", "localhost:80\0", "[::1",
      "[::1]x", "[::1]80",
      "[::1]:", "[]", "[", ":80", "localhost:1e1" }, false)
  end)

  it("refuses an absent value", function()
    assert.is_false(origin.host_allowed(nil, { "mcp.example" }))
  end)

  it("passes a configured name on any port, in any case", function()
    local names = { "other.example", "Mcp.example" }
    passes(names, { "mcp.example", "MCP.EXAMPLE:8443", "other.example:1", "localhost" }, true)
    passes(names, { "sub.mcp.example", "mcp.example.evil.com", "mcp.exampl", "mcp.example:x" },
      false)
  end)

  it("passes a name configured with a port on that port only", function()
    local names = { "mcp.example:8443", "[fe80::1]:8080" }
    passes(names, { "mcp.example:8443", "mcp.example:08443", "[FE80::1]:8080" }, true)
    passes(names, { "mcp.example", "mcp.example:443", "mcp.example:84430", "[fe80::1]",
      "[fe80::1]:80" }, false)
  end)

  it("knows that a Host without a port is on a default one", function()
    passes({ "mcp.example:443" }, { "mcp.example", "mcp.example:443" }, true)
    passes({ "mcp.example:80" }, { "mcp.example", "mcp.example:80" }, true)
    passes({ "mcp.example:443" }, { "mcp.example:80" }, false)
  end)

  it("skips a configured name that is malformed", function()
    passes({ "", "*", "mcp.example:x", "mcp.example" }, { "mcp.example:1" }, true)
    passes({ "", "*", "mcp.example:x" }, { "mcp.example", "*", "" }, false)
  end)
end)
