-- A person is sent to a URL, and a browser comes back from it: to a call that waits, or to one that
-- is not there any more.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local store = require "support.store"

local SCRIPT = [[
local mcp = require "mcp"
mcp.tool { inputSchema = { type = "object" }, handler = function(args, ctx)
  local url = ctx:callback()
  local answer = ctx:elicit_url { message = "Log in there.",
    url = "https://login.example/?redirect_uri=" .. url }
  if answer.action ~= "accept" then return "not linked: " .. answer.action end
  local params = ctx:await_callback()
  ctx.store:put("links", args.name, params.code)
  return "linked " .. tostring(params.code) .. " " .. tostring(params.state)
end }
]]
local URLS = { elicitation = { url = {} } }
local YES = { action = "accept" }

describe("a callback", function()
  local host, folder, remove

  setup(function()
    folder, remove = shell.folder()
    shell.write(folder .. "/link.lua", SCRIPT)
    shell.write(folder .. "/other.lua", SCRIPT)
    shell.write(folder .. "/host.lua", [[return {
      public_url = "http://127.0.0.1:1/below/",
      grants = { link = { callback = true }, other = {} },
    }]])
    host = process.start { scripts = folder }
  end)

  teardown(function()
    process.close(host)
    remove()
  end)

  local function rows()
    return store.rows(host, "link", "links")
  end

  -- The path below the public URL that a question sends the browser back to.
  local function path_of(question)
    local path = question.url:match "redirect_uri=http://127%.0%.0%.1:1/below(/callback/[%w%._-]+)$"
    assert.is_string(path, question.url)
    return path
  end

  local function visit(path, options)
    options = options or {}
    return http.exchange(host, {
      method = options.method or "GET",
      path = path .. (options.query or ""),
      headers = options.headers,
      body = options.body,
    })
  end

  local function assert_page(reply, status, words)
    assert.equal(status, reply.status)
    assert.equal("text/html; charset=utf-8", reply.headers["content-type"])
    assert.matches("default%-src 'none'", reply.headers["content-security-policy"])
    assert.equal("nosniff", reply.headers["x-content-type-options"])
    assert.equal("no-referrer", reply.headers["referrer-policy"])
    assert.equal("no-store", reply.headers["cache-control"])
    assert.truthy(reply.body:find(words, 1, true), reply.body)
    assert.is_nil(reply.body:find "<script")
  end

  for _, era in ipairs { legacy, modern } do
    describe("in the " .. era.name .. " era", function()
      local client, before

      before_each(function()
        client = era.connect(host, { capabilities = URLS })
        before = #rows()
      end)

      it("brings what came to the call that waits for it, once", function()
        local call = client:ask("link", { name = era.name .. " one" })
        local path = path_of(call.question)
        assert_page(visit(path, { query = "?code=a%20b+c&state=%C3%A9&code=second" }), 200, "Done")
        call:answer(YES)
        assert.equal("linked a b c \u{e9}", call.text)
        assert_page(visit(path, { query = "?code=again" }), 404, "Not found")
        assert.equal(before + 1, #rows())
        assert.equal("a b c", rows()[before + 1].value)
      end)

      it("may be the post of another site's form", function()
        local call = client:ask("link", { name = era.name .. " post" })
        assert_page(visit(path_of(call.question), {
          method = "POST",
          headers = { ["Content-Type"] = "application/x-www-form-urlencoded",
            Origin = "https://login.example" },
          body = "state=s&code=p%26q",
        }), 200, "Done")
        call:answer(YES)
        assert.equal("linked p&q s", call.text)
      end)

      it("is of no use to a call whose person declines", function()
        local call = client:ask("link", { name = era.name .. " declined" })
        visit(path_of(call.question), { query = "?code=x" })
        call:answer { action = "decline" }
        assert.equal("not linked: decline", call.text)
        assert.equal(before, #rows())
      end)
    end)
  end

  it("wakes a legacy call that waits, and its client hears that the URL is done", function()
    local client = legacy.connect(host, { capabilities = URLS })
    local call = client:ask("link", { name = "waits" })
    local path = path_of(call.question)
    local id = call.question.elicitationId
    assert.equal(202, call:post_answer(YES).status)
    visit(path, { query = "?code=late" })
    call:advance()
    assert.equal("linked late nil", call.text)
    assert.equal(1, #call.notifications)
    assert.equal("notifications/elicitation/complete", call.notifications[1].method)
    assert.equal(id, call.notifications[1].params.elicitationId)
  end)

  it("wakes a modern call that waits", function()
    local client = modern.connect(host, { capabilities = URLS })
    local call = client:ask("link", { name = "waits too" })
    local path = path_of(call.question)
    local prepared = client:prepare("tools/call", { name = "link",
      arguments = { name = "waits too" }, requestState = call.state,
      inputResponses = { [call.key] = YES } })
    local stream = http.connect(host)
    stream:send(http.render(host, modern.http_request(prepared)))
    visit(path, { query = "?code=late" })
    local reply = rpc.open(stream:reply():read())
    stream:close()
    assert.equal("linked late nil", rpc.text(reply.json))
  end)

  it("is kept for a modern call over a restart of the host", function()
    local client = modern.connect(host, { capabilities = URLS })
    local call = client:ask("link", { name = "restart" })
    visit(path_of(call.question), { query = "?code=kept" })
    host:restart { scripts = folder }
    call:answer(YES)
    assert.equal("linked kept nil", call.text)
  end)

  it("has an address that nobody makes up", function()
    local call = modern.connect(host, { capabilities = URLS }):ask("link", { name = "guess" })
    local path = path_of(call.question)
    local token = path:match "[^/]+$"
    local last = token:sub(-6, -6) == "A" and "B" or "A"
    for _, other in ipairs {
      "", "x", call.state, token .. "A", token:sub(1, -7) .. last .. token:sub(-5),
      "../mcp", token .. "/",
    } do
      assert_page(visit("/callback/" .. other, { query = "?code=x" }), 404, "Not found")
    end
    assert_page(visit(path, { query = "?code=right" }), 200, "Done")
  end)

  it("takes no more than fits, and may then be tried again", function()
    local call = modern.connect(host, { capabilities = URLS }):ask("link", { name = "large" })
    local path = path_of(call.question)
    assert_page(visit(path, { query = "?code=" .. ("x"):rep(17000) }), 413, "Too much")
    assert.equal(413, visit(path, { method = "POST", body = "code=" .. ("x"):rep(17000),
      headers = { ["Content-Type"] = "application/x-www-form-urlencoded" } }).status)
    assert_page(visit(path, { query = "?code=fits" }), 200, "Done")
    call:answer(YES)
    assert.equal("linked fits nil", call.text)
  end)

  it("is a GET or the POST of a form, under a name of this host", function()
    local call = modern.connect(host, { capabilities = URLS }):ask("link", { name = "manners" })
    local path = path_of(call.question)
    assert.equal(405, visit(path, { method = "DELETE" }).status)
    assert.equal(415, visit(path, { method = "POST", body = "{}",
      headers = { ["Content-Type"] = "application/json" } }).status)
    assert.equal(403, visit(path, { headers = { Host = "elsewhere.example" } }).status)
    assert_page(visit(path, { query = "?code=still" }), 200, "Done")
  end)

  it("is for scripts that were granted it", function()
    local reply = modern.connect(host, { capabilities = URLS }):ask("other", { name = "x" })
    assert.is_true(reply.is_error)
    assert.truthy(host:stderr():find("other may not have a browser call back; add to host.lua: "
      .. "grants = { other = { callback = true } }", 1, true), host:stderr())
  end)

  it("is a finding of `lunask check` where browsers have no address", function()
    local without = folder .. "/without.lua"
    shell.write(without, "return { grants = { link = { callback = true } } }")
    local result = process.run { "check", folder, "--config", without }
    assert.equal(1, result.code)
    assert.truthy(result.out:find('grants.link.callback: browsers have no address of this host; '
      .. 'add: public_url = "https://the.name.they.know.it.by"', 1, true), result.out)
    os.remove(without)
  end)
end)
