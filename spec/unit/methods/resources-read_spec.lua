local inside = require "support.inside"

local SCRIPT = [[
local mcp = require "mcp"
mcp.resource { uri = "docs://readme", mimeType = "text/plain", text = "read me" }
mcp.resource { uri = "docs://logo", blob = mcp.base64 "\0\1\2", mimeType = "image/png" }
mcp.resource { uri = "docs://all", handler = function(_, ctx)
  ctx.store:append("c", ctx.uri)
  return { { uri = "docs://1", text = "one", mimeType = "text/x" }, { blob = "AAE=" } }
end }
mcp.resource_template { uriTemplate = "docs://pages/{page}{?lang}", mimeType = "text/markdown",
  handler = function(args, ctx)
    ctx.store:append("c", args.page)
    if args.page == "gone" then return nil end
    if args.page == "moved" then return nil, "it has moved" end
    if args.page == "bug" then error "broken" end
    if args.page == "told" then mcp.fail "the disk is full" end
    return ("%s in %s at %s"):format(args.page, args.lang or "any", ctx.uri)
  end }
mcp.resource_template { uriTemplate = "docs://pages/special-{rest}", name = "special",
  handler = function(args) return "special " .. args.rest end }
mcp.resource_template { uriTemplate = "ask://{what}", handler = function(args, ctx)
  local answer = ctx:elicit { message = "Really " .. args.what .. "?", requestedSchema = {
    type = "object", properties = { yes = { type = "boolean" } } } }
  return args.what .. " " .. tostring(answer.content.yes)
end }
]]

describe("resources/read", function()
  local host, session

  before_each(function()
    host = inside.start { scripts = { s = SCRIPT }, settle = true }
    session = host:initialize()
  end)

  after_each(function()
    inside.close(host)
  end)

  local function both(uri, check)
    for era, visit in pairs {
      modern = host:modern("resources/read", { uri = uri }),
      legacy = session:request("resources/read", { uri = uri }),
    } do
      check(visit, era)
    end
  end

  local function reads(uri, contents)
    both(uri, function(visit) assert.same(contents, visit:result().contents) end)
  end

  local function not_found(uri, message)
    both(uri, function(visit, era)
      local fault = visit:error()
      assert.equal(era == "modern" and -32602 or -32002, fault.code)
      assert.equal(message or "Resource not found", fault.message)
      assert.same({ uri = uri }, fault.data)
      assert.equal(200, visit:status())
    end)
    assert.same({}, host:rows("s", "c"))
  end

  it("gives what is written in the script, as text or in base64", function()
    reads("docs://readme", { { uri = "docs://readme", mimeType = "text/plain", text = "read me" } })
    reads("docs://logo", { { uri = "docs://logo", mimeType = "image/png", blob = "AAEC" } })
  end)

  it("gives several contents, each of its own URI and type or those of the resource", function()
    reads("docs://all", { { uri = "docs://1", text = "one", mimeType = "text/x" },
      { uri = "docs://all", blob = "AAE=" } })
    assert.equal(2, #host:rows("s", "c"))
  end)

  it("hands the decoded variables of a template to its handler", function()
    local uri = "docs://pages/a%20b?lang=en"
    reads(uri, { { uri = uri, mimeType = "text/markdown", text = "a b in en at " .. uri } })
  end)

  it("takes the most specific of the templates that give the URI", function()
    reads("docs://pages/special-x", { { uri = "docs://pages/special-x", text = "special x" } })
  end)

  it("says that there is none, with the URI, in the manner of each era", function()
    not_found "docs://nowhere"
    not_found "docs://pages/a/b"
    not_found "docs://pages/gone"
    not_found("docs://pages/moved", "Resource not found: it has moved")
    not_found "docs://pages/%zz"
    not_found ""
  end)

  it("is an internal error where the handler fails, which keeps nothing", function()
    for uri, message in pairs {
      ["docs://pages/bug"] = "failed %(reference %x+%)",
      ["docs://pages/told"] = "^the disk is full$",
    } do
      both(uri, function(visit)
        assert.equal(-32603, visit:error().code)
        assert.matches(message, visit:error().message)
      end)
    end
    assert.same({}, host:rows("s", "c"))
  end)

  it("wants a URI", function()
    both(nil, function(visit) assert.equal(-32602, visit:error().code) end)
    assert.matches("params.uri", host:modern("resources/read", { uri = 1 }):error().message)
  end)

  it("can ask in both eras, and opens no state of another URI", function()
    local yes = { action = "accept", content = { yes = true } }
    local visit = session:request("resources/read", { uri = "ask://x" })
    session:answer(visit, yes)
    assert.equal("x true", visit:result().contents[1].text)

    local first = host:modern("resources/read", { uri = "ask://x" }):result()
    local function retry(uri)
      return host:modern("resources/read", { uri = uri, requestState = first.requestState,
        inputResponses = { [next(first.inputRequests)] = yes } })
    end
    assert.equal("Invalid or expired requestState", retry("ask://y"):error().message)
    assert.equal("x true", retry("ask://x"):result().contents[1].text)
  end)

  it("says to modern clients how long and by whom it may be kept, with the script's word first",
    function()
      inside.close(host)
      host = inside.start { settle = true, config = "resource_ttl = 50", scripts = { s = [[
        local mcp = require "mcp"
        mcp.resource { uri = "a:default", text = "" }
        mcp.resource { uri = "a:own", text = "", ttlMs = 1000, cacheScope = "public" }
        mcp.resource { uri = "a:result", ttlMs = 1000, cacheScope = "public", handler = function()
          return { contents = { { text = "" } }, ttlMs = 7, cacheScope = "private" }
        end }
        mcp.resource { uri = "a:asks", ttlMs = 1000, cacheScope = "public",
          handler = function(_, ctx) return ctx:elicit { message = "?", requestedSchema = {
            type = "object", properties = {} } }.action end }
      ]] } }
      local session2 = host:initialize()
      for uri, hint in pairs { default = { 50, "private" }, own = { 1000, "public" },
        result = { 7, "private" } } do
        local result = host:modern("resources/read", { uri = "a:" .. uri }):result()
        assert.same(hint, { result.ttlMs, result.cacheScope })
        result = session2:request("resources/read", { uri = "a:" .. uri }):result()
        assert.same({}, { result.ttlMs, result.cacheScope })
      end
      local first = host:modern("resources/read", { uri = "a:asks" }):result()
      assert.is_nil(first.ttlMs)
      local second = host:modern("resources/read", { uri = "a:asks",
        requestState = first.requestState,
        inputResponses = { [next(first.inputRequests)] = { action = "accept" } } }):result()
      assert.same({ 0, "private" }, { second.ttlMs, second.cacheScope })
    end)
end)
