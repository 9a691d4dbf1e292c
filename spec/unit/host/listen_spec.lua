local listen = require("unit").listen

describe("an address to listen on", function()
  for text, expected in pairs {
    ["3000"] = { "127.0.0.1", 3000 },
    ["0"] = { "127.0.0.1", 0 },
    ["127.0.0.1:3000"] = { "127.0.0.1", 3000 },
    ["0.0.0.0:80"] = { "0.0.0.0", 80 },
    ["localhost:65535"] = { "localhost", 65535 },
    ["mcp.example.com:443"] = { "mcp.example.com", 443 },
    ["[::1]:3000"] = { "::1", 3000 },
    ["[::]:0"] = { "::", 0 },
    ["[fe80::1%eth0]:80"] = { "fe80::1%eth0", 80 },
    ["00080"] = { "127.0.0.1", 80 },
  } do
    it("may be written as " .. text, function()
      local host, port = listen.read(text)
      assert.same(expected, { host, port })
    end)
  end

  for _, text in ipairs {
    "", ":", ":3000", "localhost", "localhost:", "localhost:http", "localhost:65536",
    "localhost:-1", "localhost:+1", "localhost:3000 ", " 3000", "localhost:999999",
    "localhost:1e3", "[::1]", "[::1]:", "[]:80", "[::1:80", "::1]:80", "::1", "::1:3000",
    "fe80::1:80", "a:b:80", "[127.0.0.1:80", "http://localhost:3000", "local host:80",
    "localhost:3000/mcp", "[::1] :80", "[localhost]:80",
  } do
    it(("may not be written as '%s'"):format(text), function()
      local host, why, kept = listen.read(text)
      assert.is_nil(host)
      assert.truthy(why:find("listen: '" .. text .. "' is not HOST:PORT", 1, true), why)
      assert.matches("127%.0%.0%.1:3000", why)
      assert.equal("before", kept)
    end)
  end

  for _, host in ipairs {
    "localhost", "LocalHost", "127.0.0.1", "127.0.0.2", "127.255.255.254", "::1",
    "0:0:0:0:0:0:0:1",
  } do
    it(("reaches this machine alone at %s"):format(host), function()
      assert.is_true(listen.is_loopback(host))
    end)
  end

  for _, host in ipairs {
    "0.0.0.0", "::", "10.0.0.1", "128.0.0.1", "127.example.com", "127.0.0.1.example.com", "127.",
    "localhost.example.com", "example.com", "::2", "fe80::1", "", "::ffff:10.0.0.1",
  } do
    it(("is open to others at '%s'"):format(host), function()
      assert.is_false(listen.is_loopback(host))
    end)
  end
end)
