-- The HTTP around the messages: paths, methods, content types, sizes, and how a connection ends.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local wait = require "support.wait"

local BODY_LIMIT = 65536

local function list_request(host)
  return modern.http_request(modern.connect(host):prepare "tools/list")
end

-- A tools/list of exactly `size` bytes: JSON may end in white space.
local function padded_request(host, size)
  local request = list_request(host)
  request.body = request.body .. (" "):rep(size - #request.body)
  return request
end

describe("the endpoint", function()
  local host

  setup(function()
    host = process.start { config = { body_limit = BODY_LIMIT } }
  end)

  teardown(function()
    process.close(host)
  end)

  local function exchange(change)
    local request = list_request(host)
    change(request)
    return http.exchange(host, request)
  end

  it("answers at /mcp and at /api/mcp, in both eras", function()
    for _, path in ipairs { "/mcp", "/api/mcp" } do
      assert.equal("book_meeting", modern.connect(host, { path = path }):tools()[1].name)
      assert.equal("book_meeting", legacy.connect(host, { path = path }):tools()[1].name)
    end
  end)

  it("serves an era to each request, side by side on one connection", function()
    local old = legacy.connect(host)
    local connection = http.connect(host)
    for _ = 1, 3 do
      connection:send(http.render(host, list_request(host)))
      assert.equal("complete", rpc.open(connection:reply():read()).result.resultType)
      connection:send(http.render(host, old:http_request(old:message "tools/list")))
      assert.is_nil(rpc.open(connection:reply():read()).result.resultType)
    end
    connection:close()
  end)

  it("answers requests that were sent without waiting, in their order", function()
    local client = modern.connect(host)
    local connection = http.connect(host)
    local texts = {}
    for i = 1, 5 do
      texts[i] = http.render(host, modern.http_request(client:prepare "tools/list"))
    end
    connection:send(table.concat(texts))
    for i = 1, 5 do
      assert.equal(i, rpc.open(connection:reply():read()).json.id)
    end
    connection:close()
  end)

  for _, path in ipairs { "/", "/mcp/", "/mcpx", "/api", "/MCP", "/../mcp" } do
    it("is not at " .. path, function()
      assert.equal(404, exchange(function(request)
        request.path = path
      end).status)
    end)
  end

  for _, method in ipairs { "PUT", "PATCH", "TRACE", "BREW" } do
    it("does not take " .. method, function()
      local reply = exchange(function(request)
        request.method = method
      end)
      assert.equal(405, reply.status)
      for _, allowed in ipairs { "POST", "GET", "DELETE", "OPTIONS" } do
        assert.truthy((reply.headers.allow or ""):find(allowed, 1, true), allowed)
      end
    end)
  end

  for _, content_type in ipairs {
    "text/plain", "application/x-www-form-urlencoded", "application/jsonx",
    "application/json; charset=utf-16", "",
  } do
    it(("does not take a body of type %q"):format(content_type), function()
      assert.equal(415, exchange(function(request)
        request.headers["Content-Type"] = content_type
      end).status)
    end)
  end

  it("does not take a body of no type", function()
    assert.equal(415, exchange(function(request)
      request.headers["Content-Type"] = nil
    end).status)
  end)

  for _, content_type in ipairs {
    "application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"',
  } do
    it("takes a body of type " .. content_type, function()
      assert.equal(200, exchange(function(request)
        request.headers["Content-Type"] = content_type
      end).status)
    end)
  end

  for _, accept in ipairs {
    "text/html", "image/*, text/plain", "application/json;q=0, text/event-stream;q=0",
  } do
    it("has nothing for a client that accepts " .. accept, function()
      assert.equal(406, exchange(function(request)
        request.headers.Accept = accept
      end).status)
    end)
  end

  for _, accept in ipairs { "application/json", "*/*", "application/*;q=0.1" } do
    it("has JSON for a client that accepts " .. accept, function()
      assert.equal(200, exchange(function(request)
        request.headers.Accept = accept
      end).status)
    end)
  end

  it("has JSON for a client that does not say what it accepts", function()
    assert.equal(200, exchange(function(request)
      request.headers.Accept = nil
    end).status)
  end)

  it("takes a body of exactly the limit", function()
    assert.equal(200, http.exchange(host, padded_request(host, BODY_LIMIT)).status)
  end)

  it("refuses a larger body by its announced length, before any of it was sent", function()
    local request = padded_request(host, BODY_LIMIT + 1)
    request.headers["Content-Length"] = #request.body
    request.body = ""
    local reply = http.exchange(host, request)
    assert.equal(413, reply.status)
  end)

  it("refuses a larger body to a client that asks before sending it", function()
    local request = padded_request(host, BODY_LIMIT + 1)
    request.headers["Content-Length"] = #request.body
    request.headers.Expect = "100-continue"
    request.body = ""
    assert.equal(413, http.exchange(host, request).status)
  end)

  it("lets a client that asks first send a body within the limit", function()
    local request = list_request(host)
    local body = request.body
    request.headers["Content-Length"] = #body
    request.headers.Expect = "100-continue"
    request.body = ""
    local connection = http.connect(host)
    connection:send(http.render(host, request))
    wait.for_condition("the interim reply", function()
      return connection:is_readable()
    end)
    connection:send(body)
    assert.equal(200, connection:reply().status)
    connection:close()
  end)

  it("takes a body in chunks", function()
    local request = list_request(host)
    request.headers["Transfer-Encoding"] = "chunked"
    request.headers["Content-Length"] = false
    local parts = {}
    for piece in request.body:gmatch("." .. (".?"):rep(6)) do
      parts[#parts + 1] = ("%x\r\n%s\r\n"):format(#piece, piece)
    end
    request.body = table.concat(parts) .. "0\r\n\r\n"
    assert.equal(200, http.exchange(host, request).status)
  end)

  it("refuses a body in chunks as soon as they pass the limit", function()
    local request = list_request(host)
    request.headers["Transfer-Encoding"] = "chunked"
    request.headers["Content-Length"] = false
    request.body = nil
    local connection = http.connect(host)
    connection:send(http.render(host, request))
    local chunk = ("%x\r\n%s\r\n"):format(4096, (" "):rep(4096))
    for _ = 1, BODY_LIMIT // 4096 + 1 do
      connection:send(chunk)
    end
    assert.equal(413, connection:reply().status)
    connection:close()
  end)

  it("refuses request headers over 32 KiB", function()
    local reply = exchange(function(request)
      request.headers["X-Filler"] = ("x"):rep(33 * 1024)
    end)
    assert.equal(431, reply.status)
  end)

  it("takes request headers of 24 KiB", function()
    local reply = exchange(function(request)
      request.headers["X-Filler"] = ("x"):rep(24 * 1024)
    end)
    assert.equal(200, reply.status)
  end)

  for _, name in ipairs { "localhost", "127.0.0.1", "[::1]", "LOCALHOST" } do
    it("answers to the name " .. name, function()
      local reply = exchange(function(request)
        request.headers.Host = name .. ":" .. host.port
      end)
      assert.equal(200, reply.status)
    end)
  end

  for _, name in ipairs {
    "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "",
  } do
    it(("refuses the name %q and says which key to change"):format(name), function()
      local reply = exchange(function(request)
        request.headers.Host = name
      end)
      assert.equal(403, reply.status)
      assert.truthy(reply.body:find("allowed_hosts", 1, true), reply.body)
    end)
  end

  it("is still there after clients that left at every point", function()
    local text = http.render(host, list_request(host))
    for cut = 0, #text, 37 do
      local connection = http.connect(host)
      connection:send(text:sub(1, cut))
      connection:close()
    end
    for _ = 1, 20 do
      local connection = http.connect(host)
      connection:send(text)
      connection:close()
    end
    assert.equal("book_meeting", modern.connect(host):tools()[1].name)
  end)
end)

describe("the endpoint as shipped", function()
  local host

  setup(function()
    host = process.start { config = { allowed_hosts = { "tools.example" } } }
  end)

  teardown(function()
    process.close(host)
  end)

  it("takes 4 MiB and not a byte more", function()
    local size = 4 * 1024 * 1024
    assert.equal(200, http.exchange(host, padded_request(host, size)).status)
    local request = list_request(host)
    request.body = ""
    request.headers["Content-Length"] = size + 1
    assert.equal(413, http.exchange(host, request).status)
  end)

  it("answers to a name on allowed_hosts, on any port", function()
    for _, name in ipairs { "tools.example", "Tools.Example:8443" } do
      local request = list_request(host)
      request.headers.Host = name
      assert.equal(200, http.exchange(host, request).status)
    end
  end)
end)
