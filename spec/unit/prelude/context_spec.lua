local cjson = require "cjson"
local script = require "support.script"

local FORM = "{ type = 'object', required = { 'n' }, properties = { n = { type = 'integer' } } }"

-- A run that asks with these further options and tells what it got.
local function asking(options)
  local asked = {}
  local run = script.handle(([[
    local answer = ctx:elicit { message = "How many?", requestedSchema = %s, %s }
    return require "json".encode(answer)
  ]]):format(FORM, options or ""), {}, {
    ask = function(key, _, _, params)
      local question = cjson.decode(params)
      question.key = key
      asked[#asked + 1] = question
    end,
  })
  assert.equal("parked", run.state)
  return run, asked
end

local function told(run)
  return cjson.decode(run:text())
end

describe("ctx:elicit", function()
  after_each(script.clean)

  it("asks with the message and the form, under the key that it is given", function()
    local _, asked = asking "key = 'count'"
    assert.same({
      {
        key = "count",
        mode = "form",
        message = "How many?",
        requestedSchema = {
          type = "object",
          required = { "n" },
          properties = { n = { type = "integer" } },
        },
      },
    }, asked)
  end)

  it("leaves the key to the host where none is given", function()
    local _, asked = asking()
    assert.is_nil(asked[1].key)
  end)

  it("says at the script's line what is wrong with its options", function()
    local form = "requestedSchema = " .. FORM
    for code, text in pairs {
      ["ctx:elicit()"] = "ctx:elicit: give it a table with message and requestedSchema, after a "
        .. "colon: ctx:elicit { … }",
      ["ctx:elicit 'How?'"] = "ctx:elicit: give it a table with message and requestedSchema, "
        .. "after a colon: ctx:elicit { … }",
      ["ctx.elicit { message = '?', " .. form .. " }"] = "ctx:elicit: give it a table with message "
        .. "and requestedSchema, after a colon: ctx:elicit { … }",
      ["ctx:elicit { " .. form .. " }"] = "ctx:elicit: message is missing",
      ["ctx:elicit { message = '?' }"] = "ctx:elicit: requestedSchema is missing",
      ["ctx:elicit { message = 1, " .. form .. " }"] = "ctx:elicit: message must be a string, "
        .. "not a number",
      ["ctx:elicit { message = '?', schema = {}, " .. form .. " }"] =
        "ctx:elicit: unknown field 'schema' (known are key, message, on_invalid, requestedSchema)",
      ["ctx:elicit { mesage = '?', " .. form .. " }"] =
        "ctx:elicit: unknown field 'mesage' (did you mean 'message'?)",
      ["ctx:elicit { message = '?', on_invalid = 'ask', " .. form .. " }"] =
        'ctx:elicit: on_invalid must be "reask", "return" or "error", not "ask"',
      ["ctx:elicit { message = '?', requestedSchema = { type = 'object' } }"] = "ctx:elicit: "
        .. "requestedSchema: properties must be an object, one field a member",
    } do
      local run = script.handle("\n" .. code, {}, { ask = function() error "asked" end })
      assert.equal("scripts/x.lua:2: " .. text, run:reason(), code)
    end
  end)

  it("returns an accepted answer that fits", function()
    local run = asking()
    run:resume_text '{"action":"accept","content":{"n":3}}'
    assert.same({ action = "accept", content = { n = 3 }, valid = true }, told(run))
  end)

  it("does not look at the content of anything but an accept", function()
    for _, action in ipairs { "decline", "cancel" } do
      for _, content in ipairs { "", ',"content":null', ',"content":{"n":"x"}', ',"content":1' } do
        local run = asking()
        run:resume_text(('{"action":"%s"%s}'):format(action, content))
        local answer = told(run)
        assert.equal(action, answer.action)
        assert.is_true(answer.valid)
        assert.is_nil(answer.problems)
        assert.equal("table", type(answer.content))
      end
    end
  end)

  it("takes what is no clear answer for a cancel", function()
    for _, answer in ipairs {
      '{"action":"maybe"}', '{"action":"ACCEPT","content":{"n":1}}', '{"action":null}',
      '{"action":1}', '{"action":["accept"]}', "{}", "[]", '"accept"', "null", "true", "1", "",
    } do
      local run = asking()
      run:resume_text(answer ~= "" and answer or nil)
      assert.equal("cancel", told(run).action, answer)
    end
  end)

  it("asks again for an answer that does not fit, with the reason", function()
    local run, asked = asking "key = 'count'"
    run:resume { action = "accept", content = { n = "three" } }
    assert.equal("parked", run.state)
    assert.equal("count", asked[2].key)
    assert.equal("How many?\n\nPlease correct: n must be an integer, not a string",
      asked[2].message)
    run:resume_text '{"action":"accept","content":{}}'
    assert.equal("How many?\n\nPlease correct: n is missing", asked[3].message)
    run:resume_text '{"action":"accept","content":{"n":3}}'
    assert.equal(3, #asked)
    assert.same({ action = "accept", content = { n = 3 }, valid = true }, told(run))
  end)

  it("takes a decline also when it has asked again", function()
    local run = asking()
    run:resume { action = "accept", content = { n = "three" } }
    run:resume { action = "decline" }
    assert.equal("decline", told(run).action)
  end)

  it("asks again three times at most, and then fails with the reason", function()
    local run, asked = asking()
    for _ = 1, 4 do
      assert.equal("parked", run.state)
      run:resume { action = "accept", content = { n = "three" } }
    end
    assert.equal(4, #asked)
    assert.equal("The form was not filled in correctly: n must be an integer, not a string",
      (run:failure()))
  end)

  it("takes an accept without content for a form nobody touched", function()
    for _, answer in ipairs { '{"action":"accept"}', '{"action":"accept","content":null}' } do
      local run, asked = asking()
      run:resume_text(answer)
      assert.equal("parked", run.state)
      assert.matches("Please correct: n is missing$", asked[2].message)
    end
  end)

  it("returns what does not fit, with the reason, where the script says so", function()
    local run, asked = asking "on_invalid = 'return'"
    run:resume_text '{"action":"accept","content":{"n":"three"}}'
    assert.equal(1, #asked)
    assert.same({
      action = "accept",
      content = { n = "three" },
      valid = false,
      problems = "n must be an integer, not a string",
    }, told(run))
    run = asking "on_invalid = 'return'"
    run:resume_text '{"action":"accept","content":null}'
    assert.same({
      action = "accept",
      content = {},
      valid = false,
      problems = "n is missing",
    }, told(run))
  end)

  it("fails at once where the script says so", function()
    local run = asking "on_invalid = 'error'"
    run:resume { action = "accept", content = { n = "three" } }
    assert.equal("The answer does not fit the form: n must be an integer, not a string",
      (run:failure()))
  end)
end)

describe("ctx:once", function()
  after_each(script.clean)

  -- Runs the body twice against one record, as a replay does. Returns both texts and the record.
  local function twice(body)
    local record, calls = {}, 0
    local host = {
      once = function(name) return record[name] end,
      set_once = function(name, json) record[name] = json end,
      log = function() calls = calls + 1 end,
    }
    local first = script.handle(body, {}, host)
    local second = script.run(first.owner, "x", {}, host)
    return first:text(), second:text(), record, calls
  end

  it("runs its function the first time, and gives the same value each time", function()
    local first, second, record, calls = twice [[
      local n = ctx:once("draw", function() ctx:log "ran" return math.random(1 << 60) end)
      return ("%d %s"):format(n, math.type(n))
    ]]
    assert.equal(first, second)
    assert.equal(1, calls)
    assert.equal(first, record.draw .. " integer")
  end)

  it("keeps false and nil", function()
    for value, json in pairs { ["false"] = "false", ["nil"] = "null" } do
      local first, second, record, calls = twice(([[
        return tostring(ctx:once("n", function() ctx:log "ran" return %s end))
      ]]):format(value))
      assert.same({ value, value, json, 1 }, { first, second, record.n, calls })
    end
    local first, second = twice [[
      return tostring(ctx:once("n", function() return require "mcp".null end))
    ]]
    assert.same({ "nil", "nil" }, { first, second })
  end)

  it("gives already the first time what JSON makes of the value", function()
    local first, second = twice [[
      local t = ctx:once("n", function() return setmetatable({ 1.0, 2 }, { __len = print }) end)
      return ("%s %s %d"):format(t[1], t[2], #t)
    ]]
    assert.same({ "1.0 2 2", "1.0 2 2" }, { first, second })
  end)

  it("keeps each name apart, and nothing of a function that failed", function()
    local first, second, record = twice [[
      local a = ctx:once("a", function() return "A" end)
      local b = ctx:once("b", function() return "B" end)
      local ok, why = pcall(ctx.once, ctx, "c", function() error("broken", 0) end)
      return a .. b .. tostring(ok) .. why
    ]]
    assert.same({ "ABfalsebroken", "ABfalsebroken" }, { first, second })
    assert.same({ a = '"A"', b = '"B"' }, record)
  end)

  it("lets its function wait for the store, but not for a person", function()
    local run = script.handle [[
      return ctx:once("n", function() return ctx.store:get("c", "k") end)
    ]]
    assert.equal("parked", run.state)
    run = script.handle(([[
      return ctx:once("n", function()
        return ctx:elicit { message = "?", requestedSchema = %s }
      end)
    ]]):format(FORM), {}, { ask = function() error "asked" end })
    assert.matches("ctx:once: its function can't ask; ask before or after, and keep what the "
      .. "answer led to$", run:reason())
  end)

  it("lets the script ask again once its function has ended, however it did", function()
    local run = script.handle(([[
      ctx:once("a", function() return ctx:once("b", function() return 1 end) end)
      pcall(ctx.once, ctx, "c", function() error "broken" end)
      pcall(ctx.once, ctx, "d", function()
        ctx.store:get("c", "k")
        error "broken"
      end)
      return ctx:elicit { message = "?", requestedSchema = %s }.action
    ]]):format(FORM), {}, {
      once = function(name) return ({ a = "1", b = "1" })[name] end,
      read = function() end,
    })
    assert.equal("parked", run.state)
    assert.equal("parked", run:resume_text(nil))
    run:resume { action = "decline" }
    assert.equal("decline", run:text())
  end)

  it("says at the script's line what it wants", function()
    for _, code in ipairs {
      "ctx:once()", "ctx:once('n')", "ctx:once(print)", "ctx:once('n', 1)",
    } do
      assert.equal("scripts/x.lua:2: ctx:once: give it a name and a function: "
        .. 'ctx:once("name", function() … end)', script.handle("\n" .. code):reason(), code)
    end
  end)
end)

describe("ctx:progress", function()
  after_each(script.clean)

  local function progress_of(code)
    local members = {}
    local run = script.handle(code .. " return 'done'", {}, {
      progress = function(value, text) members[#members + 1] = { value, text } end,
    })
    assert.equal("done", run:text())
    return members
  end

  it("hands on what it is given", function()
    assert.same({
      { 1, '{"progress":1}' },
      { 0.5, '{"progress":0.5,"total":2}' },
      { -1, '{"message":"m","progress":-1}' },
    }, progress_of "ctx:progress(1) ctx:progress(.5, 2) ctx:progress(-1, nil, 'm')")
  end)

  it("cuts a message at 1 KiB, between two characters", function()
    for text, kept in pairs { ["x"] = ("x"):rep(1024), ["\u{20AC}"] = ("\u{20AC}"):rep(341) } do
      local members = progress_of(("ctx:progress(1, 1, ('%s'):rep(2000))"):format(text))
      assert.equal(('{"message":"%s","progress":1,"total":1}'):format(kept), members[1][2])
    end
  end)

  it("says at the script's line what it can't tell", function()
    for code, text in pairs {
      ["ctx:progress()"] = "ctx:progress: give it a number, after a colon: ctx:progress(1, 3)",
      ["ctx.progress(1)"] = "ctx:progress: give it a number, after a colon: ctx:progress(1, 3)",
      ["ctx:progress('1')"] = "ctx:progress: progress must be a number, not a string",
      ["ctx:progress(1, {})"] = "ctx:progress: total must be a number, not a table",
      ["ctx:progress(1, 2, 3)"] = "ctx:progress: message must be a string, not a number",
      ["ctx:progress(0/0)"] = "ctx:progress: inf or nan can't be JSON (at progress)",
      ["ctx:progress(1, math.huge)"] = "ctx:progress: inf or nan can't be JSON (at total)",
      ["ctx:progress(1, 1, '\\xff')"] =
        "ctx:progress: a string that is not valid UTF-8 can't be JSON (at message)",
    } do
      local run = script.handle("\n" .. code, {}, { progress = function() error "told" end })
      assert.equal("scripts/x.lua:2: " .. text, run:reason(), code)
    end
  end)
end)

describe("ctx:log", function()
  after_each(script.clean)

  it("writes at the level that it is given, or as information", function()
    local lines = {}
    local run = script.handle([[
      ctx:log "plain"
      for _, level in ipairs { "debug", "info", "notice", "warning", "error", "critical", "alert",
        "emergency" } do ctx:log(level, 1) end
      return ""
    ]], {}, { log = function(level, text) lines[#lines + 1] = level .. " " .. text end })
    assert.equal("done", run.state)
    assert.same({
      "info plain", "debug 1", "info 1", "notice 1", "warning 1", "error 1", "critical 1",
      "alert 1", "emergency 1",
    }, lines)
  end)
end)

describe("what ctx knows of its call", function()
  after_each(script.clean)

  it("is whether the client can do something", function()
    local run = script.handle([[
      return tostring(ctx:supports "elicitation.form") .. " " .. tostring(ctx:supports "roots")
    ]], {}, { supports = function(capability) return capability == "elicitation.form" end })
    assert.equal("true false", run:text())
  end)

  it("is told which resources have changed", function()
    local uris = {}
    local run = script.handle('ctx:updated "notes://a" ctx:updated "notes://b" return ""', {}, {
      updated = function(uri) uris[#uris + 1] = uri end,
    })
    assert.equal("done", run.state)
    assert.same({ "notes://a", "notes://b" }, uris)
    run = script.handle('\nctx:updated "a b"', {}, { updated = function() return "no URI" end })
    assert.equal("scripts/x.lua:2: ctx:updated: no URI", run:reason())
  end)

  it("is whether its connection could be let go of", function()
    for _, let_go in ipairs { true, false } do
      local run = script.handle("return tostring(ctx:close_stream())", {}, {
        close_stream = function() return let_go end,
      })
      assert.equal(tostring(let_go), run:text())
    end
  end)

  it("is the client, the era, the id of the call and the principal, asked for once", function()
    local times = 0
    local run = script.handle([[
      return ("%s %s %s %s %s %s"):format(ctx.client.name, ctx.client.version,
        ctx.client.capabilities.roots ~= nil, ctx.era, ctx.call_id, ctx.principal)
    ]], {}, {
      describe = function()
        times = times + 1
        return '{"client":{"name":"c","version":"1","capabilities":{"roots":{}}},"era":"modern",'
          .. '"call_id":"00ff","principal":"ada"}'
      end,
    })
    assert.equal("c 1 true modern 00ff ada", run:text())
    assert.equal(1, times)
  end)

  it("is nothing else", function()
    assert.equal("nil nil", script.handle "return ('%s %s'):format(ctx.other, ctx.ctx)":text())
  end)
end)

describe("ctx.store", function()
  after_each(script.clean)

  it("reads what the host reads, at once or later", function()
    local body = [[
      local store = ctx.store
      assert(store == ctx.store)
      local list = store:list("c", { limit = 7, after = "k" })
      return ("%s %s %d %s %d"):format(store:get("c", "k").a, store:get("c", "none"), #list,
        list[1].key, store:count "c")
    ]]
    local function read(kind, collection, key, limit)
      assert.equal("c", collection)
      if kind == "list" then
        assert.same({ "k", 7 }, { key, limit })
        return '[{"key":"l","value":1}]'
      end
      if kind == "count" then return "3" end
      return key == "k" and '{"a":"A"}' or nil
    end
    local run = script.handle(body, {}, {
      read = function(...) return "answer", read(...) or "" end,
    })
    assert.equal("A nil 1 l 3", run:text())
    local pending
    run = script.handle(body, {}, { read = function(...) pending = read(...) end })
    while run.state == "parked" do run:resume_text(pending) end
    assert.equal("A nil 1 l 3", run:text())
  end)

  it("lists a hundred rows from the first on where nothing else is said", function()
    local seen = {}
    script.handle("ctx.store:list 'c' ctx.store:list('c', {}) return ''", {}, {
      read = function(...)
        seen[#seen + 1] = { ... }
        return "answer", "[]"
      end,
    })
    assert.same({ { "list", "c", nil, 100 }, { "list", "c", nil, 100 } }, seen)
  end)

  it("writes what it is given, under a new key where there is none", function()
    local written = {}
    local run = script.handle([[
      ctx.store:put("c", "k", { b = 1, a = { 2 } })
      ctx.store:put("c", "null", require "mcp".null)
      ctx.store:delete("c", "k")
      return ctx.store:append("c", "v")
    ]], {}, {
      write = function(...) written[#written + 1] = table.concat({ ... }, " ") end,
      new_key = function() return "fresh" end,
    })
    assert.equal("fresh", run:text())
    assert.same({
      'put c k {"a":[2],"b":1}', "put c null null", "delete c k", 'put c fresh "v"',
    }, written)
  end)

  it("says at the script's line what is wrong with the options of a list", function()
    local range = "ctx.store:list: limit must be a whole number, 1 to 1000"
    for options, text in pairs {
      ["1"] = "ctx.store:list: options must be a table, not a number",
      ["{ limt = 1 }"] = "ctx.store:list: unknown field 'limt' (did you mean 'limit'?)",
      ["{ limit = '1' }"] = "ctx.store:list: limit must be a number, not a string",
      ["{ limit = 1.5 }"] = range,
      ["{ limit = 0 }"] = range,
      ["{ limit = -1 }"] = range,
      ["{ limit = 1001 }"] = range,
      ["{ limit = 0/0 }"] = range,
      ["{ after = 1 }"] = "ctx.store:list: after must be a string, not a number",
    } do
      local run = script.handle("\nctx.store:list('c', " .. options .. ")", {}, {
        read = function() error "read" end,
      })
      assert.equal("scripts/x.lua:2: " .. text, run:reason(), options)
    end
  end)
end)
