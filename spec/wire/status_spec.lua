-- What operators see of a host that runs: /status, /metrics and `lunask status`.

local http = require "support.http"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local wait = require "support.wait"

describe("a host that runs", function()
  local folder, remove, scripts, host

  setup(function()
    folder, remove = shell.folder()
    scripts = folder .. "/scripts"
    shell.capture { "cp", "-r", process.scripts, scripts }
    host = process.start { scripts = scripts, flags = { "--watch" } }
  end)

  teardown(function()
    process.close(host)
    remove()
  end)

  local function get(path, headers, method)
    return http.exchange(host, { method = method or "GET", path = path, headers = headers })
  end

  local function status()
    return rpc.decode(get("/status").body)
  end

  local function ask(...)
    return process.run { "status", "--listen", tostring(host.port), "--scripts", scripts, ... }
  end

  -- Returns the metrics as a table of names and numbers, with the type of each.
  local function metrics()
    local reply = get "/metrics"
    assert.equal("text/plain; version=0.0.4", reply.headers["content-type"])
    local values, types = {}, {}
    for line in reply.body:gmatch "[^\n]+" do
      local name, kind = line:match "^# TYPE (lunask_[%w_]+) (%a+)$"
      local sample, value = line:match '^(lunask_[%w_]+%b{}) ([%d.]+)$'
      if not sample then sample, value = line:match "^(lunask_[%w_]+) ([%d.]+)$" end
      if name then
        assert.is_nil(types[name], "two types of " .. name)
        types[name] = kind
      elseif sample then
        assert.truthy(types[sample:match "^[%w_]+"], "no type before " .. sample)
        assert.is_nil(values[sample], "two samples of " .. sample)
        values[sample] = tonumber(value)
      else
        assert.truthy(line:find "^# HELP lunask_[%w_]+ %a", line)
      end
    end
    return values, types
  end

  it("says what it has loaded and since when", function()
    local told = status()
    assert.equal("elicitation-server", told.name)
    assert.equal(1, told.tools)
    assert.equal(1, told.scripts)
    assert.equal(rpc.null, told.load_error)
    assert.is_true(math.abs(os.time() - told.started) < 600)
    assert.equal("no-store", get("/status").headers["cache-control"])
  end)

  it("counts what is open while it is", function()
    local before = status().now
    local client = legacy.connect(host)
    local call = client:ask("book_meeting", { topic = "counted" })
    local during, shown = status().now, metrics()
    assert.equal(before.sessions + 1, during.sessions)
    assert.equal(before.calls_parked + 1, during.calls_parked)
    assert.equal(during.calls_parked, shown.lunask_calls_parked)
    call:answer { action = "decline" }
    assert.equal(before.calls_parked, status().now.calls_parked)
    client:delete()
    assert.equal(before.sessions, status().now.sessions)
  end)

  it("shows each number as a metric with its type, those that only grow as counters", function()
    local values, types = metrics()
    assert.equal("gauge", types.lunask_calls_open)
    assert.equal("counter", types.lunask_calls_total)
    for name in pairs(status().counters) do
      assert.is_number(values["lunask_" .. name .. "_total"], name)
    end
  end)

  it("counts requestStates that did not open, by reason", function()
    local name = 'lunask_state_faults_total{reason="malformed"}'
    local before = metrics()[name]
    modern.connect(host):call("book_meeting", { topic = "x" }, { requestState = "nonsense" })
    assert.equal(before + 1, metrics()[name])
  end)

  it("is told of in words by lunask status", function()
    local ran = ask()
    assert.equal("", ran.err)
    assert.equal(0, ran.code)
    assert.truthy(ran.out:find("up        elicitation-server at http://127.0.0.1:" .. host.port, 1,
      true) == 1, ran.out)
    assert.truthy(ran.out:find("loaded    1 script of " .. scripts .. " with 1 tool\n", 1, true))
  end)

  it("says loudly that a reload failed, with its place, until a good one", function()
    local good = shell.read(scripts .. "/book_meeting.lua")
    local generation = status().generation
    shell.write(scripts .. "/book_meeting.lua", "local mcp = require 'mcp'\nlocal x = = 3\n")
    wait.for_condition("the failed reload", function() return status().load_error ~= rpc.null end)
    local ran = ask()
    assert.equal(1, ran.code)
    assert.truthy(ran.out:find([[
THE SCRIPTS DO NOT LOAD: what was loaded before goes on

    scripts/book_meeting.lua:2: unexpected symbol near '='
       2 | local x = = 3
         | ^
]], 1, true) == 1, ran.out)
    assert.equal(1, metrics().lunask_load_broken)
    assert.equal(generation, status().generation)
    -- Another load that fails is told of in place of the first.
    shell.write(scripts .. "/book_meeting.lua", "error 'second'\n")
    wait.for_condition("the second reload", function()
      return status().load_error.text == "scripts/book_meeting.lua:1: second"
    end)
    shell.write(scripts .. "/book_meeting.lua", good)
    wait.for_condition("the mended one", function() return status().load_error == rpc.null end)
    assert.equal(generation + 1, status().generation)
    assert.equal(0, ask().code)
  end)

  for path in pairs { ["/status"] = true, ["/metrics"] = true } do
    it("shows " .. path .. " to nobody beyond this machine, nor through a proxy", function()
      for _, headers in ipairs {
        { ["X-Forwarded-For"] = "203.0.113.7" }, { Forwarded = "for=203.0.113.7" },
        { Via = "1.1 proxy" }, { ["X-Real-IP"] = "203.0.113.7" }, { Host = "evil.example" },
        { Origin = "https://evil.example" }, { Origin = "null" },
      } do
        local reply = get(path, headers)
        assert.equal(403, reply.status)
        assert.is_nil(reply.body:find("lunask_", 1, true))
        assert.is_nil(reply.body:find("generation", 1, true))
      end
    end)

    it("answers " .. path .. " to GET alone", function()
      for _, method in ipairs { "POST", "DELETE", "OPTIONS" } do
        local reply = get(path, { ["Content-Type"] = "application/json" }, method)
        assert.equal(405, reply.status, method)
        assert.equal("Method Not Allowed: use GET for " .. path, reply.body)
      end
    end)
  end

  it("has no page beside them", function()
    for _, path in ipairs { "/statu", "/status/", "/metrics.txt", "/", "/mcp/status" } do
      assert.equal(404, get(path).status, path)
    end
  end)
end)

describe("a host with names of its own", function()
  local host

  after_each(function()
    process.close(host)
  end)

  for allowed, code in pairs { [false] = 403, [true] = 200 } do
    it(("%s its status under them, as allow_remote_status says"):format(allowed and "shows"
      or "hides"), function()
      host = process.start { config = { allowed_hosts = { "mcp.example.com" },
        allow_remote_status = allowed } }
      local reply = http.exchange(host, { method = "GET", path = "/status",
        headers = { Host = "mcp.example.com", Via = "1.1 proxy" } })
      assert.equal(code, reply.status)
      if not allowed then
        assert.truthy(reply.body:find("allow_remote_status = true", 1, true), reply.body)
      end
    end)
  end
end)

describe("lunask status without a host", function()
  it("says that none runs, and how to go on", function()
    local host = process.start()
    local port = tostring(host.port)
    process.close(host)
    local ran = process.run { "status", "--listen", port }
    assert.equal(1, ran.code)
    assert.equal("", ran.out)
    assert.equal(("lunask status: no host runs at http://127.0.0.1:%s; start one with lunask "
      .. "serve, or say where it is with --listen or --config\n"):format(port), ran.err)
  end)

  it("names the flag that was meant", function()
    local ran = process.run { "status", "--lisen", "1" }
    assert.equal("lunask status: unknown flag '--lisen' (did you mean '--listen'?)\n", ran.err)
  end)
end)
