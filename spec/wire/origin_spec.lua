-- Who may call from a browser: the Origin allowlist from the variable, the flag and the file, and
-- what an allowed page gets to see.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local store = require "support.store"

local REFUSAL = "Forbidden: Origin not allowed"

local function list_with_origin(host, origin)
  local request = modern.http_request(modern.connect(host):prepare "tools/list")
  request.headers.Origin = origin
  return http.exchange(host, request)
end

local function preflight(host, origin)
  return http.exchange(host, {
    method = "OPTIONS",
    headers = {
      Origin = origin,
      ["Access-Control-Request-Method"] = "POST",
      ["Access-Control-Request-Headers"] = "content-type,mcp-protocol-version,mcp-method",
    },
  })
end

local function assert_refused(reply)
  assert.equal(403, reply.status)
  assert.truthy(reply.headers["content-type"]:find("^text/plain"))
  assert.equal(REFUSAL, reply.body)
  assert.is_nil(reply.headers["access-control-allow-origin"])
end

describe("with an allowlist, a page", function()
  local host

  setup(function()
    host = process.start {
      env = { MCP_ALLOWED_ORIGINS = "https://app.example, HTTP://Other.Example:8080/path,,junk" },
    }
  end)

  teardown(function()
    process.close(host)
  end)

  for _, origin in ipairs {
    "https://app.example", "HTTPS://APP.example", "https://app.example:443",
    "http://other.example:8080",
  } do
    it("at " .. origin .. " is let through", function()
      assert.equal(200, list_with_origin(host, origin).status)
    end)
  end

  for _, origin in ipairs {
    "https://evil.example", "http://app.example", "https://app.example:8443",
    "https://app.example.evil", "https://sub.app.example",
    "http://other.example", "null", "junk", "", "file://", "https://",
    "https://app.example https://app.example", "https://user@app.example",
    "https://app.example/path", "http://localhost:3000",
  } do
    it(("at %q is refused and learns nothing"):format(origin), function()
      assert_refused(list_with_origin(host, origin))
    end)
  end

  it("is refused when the header comes twice, even if both are allowed", function()
    assert_refused(list_with_origin(host, { "https://app.example", "https://app.example" }))
  end)

  it("is refused before anything behind the check runs", function()
    local booked = store.bookings_from_now(host)
    local client = modern.connect(host)
    local call = client:ask("book_meeting", { topic = "from afar" })
    local yes = { action = "accept", content = { approved = true } }
    local reply = client:request("tools/call", {
      name = "book_meeting",
      arguments = { topic = "from afar" },
      requestState = call.state,
      inputResponses = { [call.key] = yes },
    }, function(prepared)
      prepared.headers.Origin = "https://evil.example"
    end)
    assert_refused(reply)
    assert.same({}, booked())
    call:answer(yes)
    assert.same({ { topic = "from afar", time = "09:00" } }, booked())
  end)

  it("is refused whatever the method is", function()
    for _, method in ipairs { "GET", "DELETE", "OPTIONS" } do
      assert_refused(http.exchange(host, {
        method = method,
        headers = { Origin = "https://evil.example", Accept = "text/event-stream" },
      }))
    end
  end)

  it("may ask beforehand and is told what it may send", function()
    local reply = preflight(host, "https://app.example")
    assert.equal(204, reply.status)
    assert.equal("https://app.example", reply.headers["access-control-allow-origin"])
    local methods = reply.headers["access-control-allow-methods"]
    for _, method in ipairs { "POST", "GET", "DELETE" } do
      assert.truthy(methods:find(method, 1, true), method)
    end
    local headers = reply.headers["access-control-allow-headers"]:lower()
    for _, name in ipairs {
      "content-type", "authorization", "mcp-protocol-version", "mcp-session-id", "mcp-method",
      "mcp-name", "last-event-id",
    } do
      assert.truthy(headers:find(name, 1, true), name)
    end
  end)

  it("is refused beforehand when it is not on the list", function()
    assert_refused(preflight(host, "https://evil.example"))
  end)

  it("may read the reply and the session's id", function()
    local request = legacy.connect(host):message("initialize", {
      protocolVersion = "2025-11-25",
      capabilities = {},
      clientInfo = { name = "page", version = "1" },
    })
    local reply = http.post(host, rpc.encode(request), { Origin = "https://app.example" })
    assert.equal(200, reply.status)
    assert.equal("https://app.example", reply.headers["access-control-allow-origin"])
    local exposed = reply.headers["access-control-expose-headers"]
    assert.truthy(exposed:lower():find("mcp-session-id", 1, true))
    assert.truthy((reply.headers.vary or ""):lower():find("origin", 1, true))
  end)

  it("may read an error's reply too", function()
    local request = modern.http_request(modern.connect(host):prepare "no/such")
    request.headers.Origin = "https://app.example"
    local reply = http.exchange(host, request)
    assert.equal(404, reply.status)
    assert.equal("https://app.example", reply.headers["access-control-allow-origin"])
  end)
end)

-- How the list may be set, and what then gets in.
local SOURCES = {
  {
    "nothing set",
    {},
    { "http://localhost:3000", "http://127.0.0.1:3000" },
    "http://localhost:3001",
  },
  {
    "a blank variable",
    { env = { MCP_ALLOWED_ORIGINS = " " } },
    { "http://localhost:3000" },
    "http://app.example",
  },
  {
    "a variable that is all junk",
    { env = { MCP_ALLOWED_ORIGINS = "junk,null,data:x" } },
    {},
    "http://localhost:3000",
  },
  {
    "the file",
    { config = { allowed_origins = { "https://file.example" } } },
    { "https://file.example" },
    "http://localhost:3000",
  },
  {
    "the variable over the file",
    {
      config = { allowed_origins = { "https://file.example" } },
      env = { MCP_ALLOWED_ORIGINS = "https://variable.example" },
    },
    { "https://variable.example" },
    "https://file.example",
  },
  {
    "the flag over the variable",
    {
      env = { MCP_ALLOWED_ORIGINS = "https://variable.example" },
      flags = { "--allowed-origins", "https://flag.example,https://b.example" },
    },
    { "https://flag.example", "https://b.example" },
    "https://variable.example",
  },
}

for _, case in ipairs(SOURCES) do
  local name, options, allowed, refused = table.unpack(case)
  describe("the allowlist from " .. name, function()
    local host

    setup(function()
      host = process.start(options)
    end)

    teardown(function()
      process.close(host)
    end)

    it("lets in what it names, refuses the rest, and passes who sends no origin", function()
      for _, origin in ipairs(allowed) do
        assert.equal(200, list_with_origin(host, origin).status, origin)
      end
      assert_refused(list_with_origin(host, refused))
      assert.equal(200, list_with_origin(host, nil).status)
    end)
  end)
end
