-- ctx:fetch: what a script gets from the servers it was granted, and that it reaches no other.

local cjson = require "cjson"
local modern = require "support.modern"
local process = require "support.process"
local shell = require "support.shell"
local web = require "support.web"

local TOOL = [[
local mcp = require "mcp"
local json = require "json"
mcp.tool { inputSchema = { type = "object" }, handler = function(args, ctx)
  local counted = args.counted
  args.counted = nil
  local response = ctx:fetch(args)
  if counted then response.body = #response.body end
  return json.encode(response)
end }
]]

describe("ctx:fetch", function()
  local host, server, folder, remove

  setup(function()
    folder, remove = shell.folder()
    server = web.start()
    local scripts = folder .. "/scripts"
    shell.capture { "mkdir", scripts }
    for _, name in ipairs { "literal", "name", "localname", "secure", "none" } do
      shell.write(("%s/%s.lua"):format(scripts, name), TOOL)
    end
    shell.write(scripts .. "/host.lua", ([[return { call_timeout = 2, grants = {
      literal = { http = { "http://127.0.0.1:PORT", "local http://localhost:PORT" } },
      name = { http = { "http://localhost:PORT", "*.example.com", "localhost" } },
      localname = { http = { "local http://localhost:PORT" } },
      secure = { http = { "127.0.0.1:PORT" } },
    } }]]):gsub("PORT", tostring(server.port)))
    host = process.start { scripts = scripts, env = {
      http_proxy = "http://127.0.0.1:1", ALL_PROXY = "http://127.0.0.1:1", HOME = folder,
    } }
    shell.write(folder .. "/.netrc", "machine 127.0.0.1 login someone password secret\n")
  end)

  teardown(function()
    process.close(host)
    server:close()
    remove()
  end)

  before_each(function()
    server:seen()
  end)

  local function call(script, options)
    return modern.connect(host):ask(script, options)
  end

  local function fetch(script, options)
    local reply = call(script, options)
    assert.is_falsy(reply.is_error, reply.text)
    return cjson.decode(reply.text)
  end

  -- Asserts that the call fails, and for which reason of the log or the reply, and that the server
  -- has seen `requests` of it.
  local function assert_refused(why, script, options, requests)
    local reply = call(script, options)
    assert.is_true(reply.is_error, reply.text)
    local reference = reply.text:match "reference (%x+)"
    local text = reference and host:stderr():match("reference " .. reference .. "%): ([^\n]*)")
      or reply.text
    assert.truthy(text:find(why, 1, true), text)
    assert.equal(requests or 0, server:seen(), options.url)
  end

  it("brings status, headers and body of the response", function()
    local response = fetch("literal", { url = server:url "echo?a=b" })
    assert.equal(200, response.status)
    assert.equal("1, 2", response.headers["x-twice"])
    assert.equal("a=1", response.headers["set-cookie"])
    assert.matches("^GET /echo%?a=b HTTP/1.1\n", response.body)
    assert.matches("\nHost: 127.0.0.1:" .. server.port .. "\n", response.body)
    assert.matches("\nUser%-Agent: lunask/", response.body)
    assert.equal(1, server:seen())
  end)

  it("sends method, headers and body as they are given", function()
    local body = fetch("literal", { url = server:url "echo", method = "PUT", body = "one\ntwo",
      headers = { ["X-Key"] = " k ", ["Content-Type"] = "text/plain", ["X-Empty"] = "" } }).body
    assert.matches("^PUT /echo HTTP/1.1\n", body)
    assert.matches("\nX%-Key: k\n", body)
    assert.matches("\nX%-Empty:\n", body)
    assert.matches("\nContent%-Type: text/plain\n", body)
    assert.matches("\n\none\ntwo$", body)
    body = fetch("literal", { url = server:url "echo", method = "POST" }).body
    assert.matches("\nContent%-Length: 0\n", body)
    assert.is_nil(body:find "Content%-Type")
    assert.equal("", fetch("literal", { url = server:url "echo", method = "HEAD" }).body)
    assert.matches("^DELETE ", fetch("literal", { url = server:url "x", method = "DELETE" }).body)
  end)

  it("sends no credentials and no cookies that the script did not give", function()
    fetch("literal", { url = server:url "echo" })
    local body = fetch("literal", { url = server:url "echo" }).body
    assert.is_nil(body:lower():find("authorization", 1, true))
    assert.is_nil(body:lower():find("cookie", 1, true))
  end)

  it("reaches nothing that was not granted, and tells the line that is missing", function()
    assert_refused("none may not fetch from http://127.0.0.1:" .. server.port .. "; add to "
      .. 'host.lua: grants = { none = { http = { "http://127.0.0.1:' .. server.port .. '" } } }',
      "none", { url = server:url "echo" })
  end)

  it("reaches no other port, scheme or host than those granted", function()
    for url, origin in pairs {
      ["http://127.0.0.1:1/"] = "http://127.0.0.1:1", ["http://127.0.0.1/"] = "http://127.0.0.1",
      ["https://127.0.0.1:" .. server.port] = "https://127.0.0.1:" .. server.port,
      ["http://127.0.0.2:" .. server.port] = "http://127.0.0.2:" .. server.port,
      ["http://[::1]:" .. server.port] = "http://[::1]:" .. server.port,
      ["http://[::ffff:127.0.0.1]:" .. server.port] = "http://[::ffff:7f00:1]:" .. server.port,
      ["http://localhost.:" .. server.port] = "http://localhost.:" .. server.port,
      ["http://169.254.169.254/latest"] = "http://169.254.169.254",
    } do
      assert_refused("literal may not fetch from " .. origin .. ";", "literal", { url = url })
    end
  end)

  it("knows an address in any spelling", function()
    for _, host_name in ipairs { "2130706433", "0x7f.1", "017700000001", "127.1", "0" } do
      assert_refused("none may not fetch from http://", "none",
        { url = ("http://%s:%d/"):format(host_name, server.port) })
    end
    assert.equal(200, fetch("literal", { url = ("http://2130706433:%d/"):format(server.port) })
      .status)
  end)

  it("takes nothing but http and https, and no user in a URL", function()
    for _, url in ipairs {
      "file:///etc/passwd", "gopher://127.0.0.1/x", "ftp://127.0.0.1/", "dict://127.0.0.1:1/",
      "http://user@127.0.0.1:" .. server.port .. "/", "127.0.0.1:" .. server.port,
      "http://u:p@127.0.0.1:" .. server.port .. "/", "//127.0.0.1/", "", "http://",
      ("http://localhost:%d@evil.example/"):format(server.port),
      server:url "a b", server:url "\r\nX: y",
      "http://127.0.0.1:" .. server.port .. "\\@evil.example/", "http://ex\u{e4}mple.com/",
    } do
      assert_refused("", "literal", { url = url })
    end
  end)

  it("connects to no address that is not public because a name leads there", function()
    assert_refused("the name leads to an address that is not public", "name",
      { url = ("http://localhost:%d/"):format(server.port) })
    assert.equal(200, fetch("localname", { url = ("http://localhost:%d/"):format(server.port) })
      .status)
  end)

  it("speaks TLS where no plain http was granted", function()
    assert_refused("secure may not fetch from http://127.0.0.1", "secure",
      { url = server:url "echo" })
    local reply = call("secure", { url = ("https://127.0.0.1:%d/"):format(server.port) })
    assert.is_true(reply.is_error)
    assert.matches("^ctx:fetch: ", reply.text)
  end)

  it("follows a redirect to what is granted, three times at most", function()
    local path = "/echo"
    for times = 1, 4 do
      path = "/redirect?302," .. path
      local response = fetch("literal", { url = server:url(path:sub(2)) })
      assert.equal(times <= 3 and 200 or 302, response.status)
      if times <= 3 then assert.matches("^GET /echo", response.body) end
      assert.equal(times <= 3 and times + 1 or 4, server:seen())
    end
  end)

  it("gives back a redirect to what is not granted, and does not follow it", function()
    for _, to in ipairs {
      "http://127.0.0.1:1/", "http://169.254.169.254/", "file:///etc/passwd", "gopher://127.0.0.1/",
      "http://u:p@127.0.0.1:" .. server.port .. "/", "http://[::ffff:127.0.0.1]/",
    } do
      local response = fetch("literal", { url = server:url("redirect?302," .. to) })
      assert.equal(302, response.status, to)
      assert.equal("moved", response.body)
      assert.equal(1, server:seen())
    end
    -- A name that may not lead to loopback does not do so by a redirect either.
    local response = fetch("localname",
      { url = ("http://localhost:%d/redirect?302,%s"):format(server.port, server:url "echo") })
    assert.equal(302, response.status)
  end)

  it("sends a body once, and secrets to one server only", function()
    local to = ("http://localhost:%d/echo"):format(server.port)
    local options = { method = "POST", body = "secret", headers = {
      Authorization = "secret", ["X-Key"] = "secret", Accept = "text/plain" } }
    for status, method in pairs { [302] = "GET", [303] = "GET", [307] = "POST" } do
      options.url = server:url("redirect?" .. status .. "," .. to)
      local body = fetch("literal", options).body
      assert.matches("^" .. method .. " /echo", body)
      assert.matches("\nAccept: text/plain\n", body)
      assert.is_nil(body:find "Authorization")
      assert.is_nil(body:find "X%-Key")
      assert.equal(method == "POST", body:find "secret" ~= nil)
    end
    options.method, options.url = "PUT", server:url("redirect?302," .. server:url "echo")
    assert.equal(302, fetch("literal", options).status)
  end)

  it("takes 4 MiB of a body and 64 KiB of headers, and no more", function()
    local most = 4 * 1024 * 1024
    assert.equal(most, fetch("literal", { url = server:url("large?" .. most), counted = true })
      .body)
    assert.equal(200, fetch("literal", { url = server:url "heads?60", counted = true }).status)
    server:seen()
    local why = "the response is larger than 4 MiB, or its head than 64 KiB"
    assert_refused(why, "literal", { url = server:url("large?" .. most + 1) }, 1)
    assert_refused(why, "literal", { url = server:url "heads?70" }, 1)
  end)

  it("refuses headers and methods that would make another request of it", function()
    for name, value in pairs {
      ["X\r\nY"] = "a", ["X:"] = "a", [""] = "a", ["X Y"] = "a", Host = "evil.example",
      ["Content-Length"] = "1", ["transfer-encoding"] = "chunked", ["Proxy-Authorization"] = "a",
      ["X-A"] = "a\r\nX-B: b", ["X-C"] = "a\nb", ["X-D"] = "a\0b", ["X-E"] = 1,
    } do
      assert_refused("ctx:fetch: ", "literal",
        { url = server:url "echo", headers = { [name] = value } })
    end
    for _, method in ipairs { "CONNECT", "TRACE", "get", "GET / HTTP/1.1\r\nX: y", "" } do
      assert_refused("method must be GET, HEAD", "literal",
        { url = server:url "echo", method = method })
    end
    assert_refused("a GET has no body", "literal", { url = server:url "echo", body = "x" })
  end)

  it("ends with a server that hangs up, and with the call's time over one that hangs", function()
    assert_refused("ctx:fetch: ", "literal", { url = server:url "close" }, 1)
    local reply = call("literal", { url = server:url "hang" })
    assert.is_true(reply.is_error)
    assert.equal(200, fetch("literal", { url = server:url "echo" }).status)
  end)

  it("is told what is wrong with its options", function()
    assert_refused("ctx:fetch: url is missing", "literal", { method = "GET" })
    assert_refused("ctx:fetch: unknown field 'ulr' (did you mean 'url'?)", "literal",
      { ulr = server:url "echo" })
  end)
end)
