local script = require "support.script"

local STALE = "this is not the ctx of the running call: it was kept from another call, or a dot "
  .. "stands where a colon must"

-- Every way to act through a ctx.
local ACTIONS = {
  'CTX:elicit { message = "?", requestedSchema = { type = "object", properties = {} } }',
  'CTX:once("n", function() return 1 end)',
  'CTX:log "text"',
  'CTX:supports "elicitation"',
  'CTX.store:get("c", "k")',
  'CTX.store:list "c"',
  'CTX.store:count "c"',
  'CTX.store:put("c", "k", 1)',
  'CTX.store:append("c", 1)',
  'CTX.store:delete("c", "k")',
  'CTX.store:of("y"):get("c", "k")',
  'CTX.store:of("y"):put("c", "k", 1)',
  "CTX:close_stream()",
  'CTX:updated "notes://a"',
  'CTX:env "A"',
  'CTX:read "data/a"',
  'CTX:fetch { url = "https://a.example" }',
  "local _ = CTX.client",
}

-- A host that must not be reached.
local UNTOUCHED = setmetatable({}, {
  __index = function(_, name) return function() error(name .. " was reached") end end,
})

local function on(expression, action)
  return "\n" .. action:gsub("CTX", expression)
end

describe("ctx", function()
  after_each(script.clean)

  it("does not act in another call than its own", function()
    for _, action in ipairs(ACTIONS) do
      local vm = assert(script.vm(([[
        local kept
        local input = { type = "object" }
        require "mcp".tool { name = "x", inputSchema = input, handler = function(args, ctx)
          if args.keep then kept = ctx return "" end
          %s
          return "acted"
        end }
      ]]):format(on("kept", action))))
      assert.equal("", script.run(vm, "x", { keep = true }):text())
      assert.matches(": " .. STALE .. "$", script.run(vm, "x", {}, UNTOUCHED):reason(), action)
    end
  end)

  it("does not act once its call waits and another runs", function()
    local vm = assert(script.vm [[
      local kept
      local input = { type = "object" }
      require "mcp".tool { name = "x", inputSchema = input, handler = function(args, ctx)
        if args.keep then
          kept = ctx
          return ctx.store:get("c", "k")
        end
        kept.store:put("c", "k", "stolen")
      end }
    ]])
    local first = script.run(vm, "x", { keep = true }, { write = function() error "written" end })
    assert.matches(STALE .. "$", script.run(vm, "x", {}, UNTOUCHED):reason())
    first:resume "fine"
    assert.equal("fine", first:text())
  end)

  it("is not made up", function()
    for _, code in ipairs {
      'ctx.log({}, "warning", "text")', 'ctx.once({}, "n", function() end)',
      'ctx.store.get({ ctx = {} }, "c", "k")', 'ctx.store.put({ ctx = "ctx" }, "c", "k", 1)',
      'ctx.elicit({}, { message = "?", requestedSchema = { type = "object", properties = {} } })',
    } do
      assert.equal("scripts/x.lua:2: " .. STALE,
        script.handle("\n" .. code, {}, UNTOUCHED):reason(), code)
    end
  end)

  it("is told of at the line of the script, also from far down", function()
    local run = script.handle [[

      table.sort({ 1, 2 }, function() return ctx.store:get("c", "k") end)
    ]]
    assert.matches("^scripts/x%.lua:2: a call can't wait here", run:reason())
  end)

  it("says so when a dot stands where a colon must", function()
    for _, code in ipairs {
      'ctx.log("warning", "text")', 'ctx.supports "x"', 'ctx.store.get("c", "k")',
      'ctx.store.put("c", "k", 1)', 'ctx.store.append("c", {})', 'ctx.store.count "c"',
      "ctx.close_stream()",
    } do
      assert.equal("scripts/x.lua:2: " .. STALE,
        script.handle("\n" .. code, {}, UNTOUCHED):reason(), code)
    end
  end)

  it("tells what is wrong with an argument at the script's line", function()
    for code, text in pairs {
      ['ctx:supports()'] = "ctx:supports: the capability must be a string, not nil",
      ['ctx:supports {}'] = "ctx:supports: the capability must be a string, not table",
      ['ctx:updated()'] = "ctx:updated: the URI must be a string, not nil",
      ['ctx:updated "\\xff"'] = "ctx:updated: the URI: a string that is not valid UTF-8 can't be "
        .. "JSON",
      ['ctx:log("loud", "x")'] = "ctx:log: 'loud' is no level; use debug, info, notice, warning, "
        .. "error, critical, alert or emergency",
      ['ctx:log({}, "x")'] = "ctx:log: the level must be a string, not table",
      ['ctx.store:get()'] = "ctx.store:get: the collection must be a string, not nil",
      ['ctx.store:get("c")'] = "ctx.store:get: the key must be a string, not nil",
      ['ctx.store:get("c", {})'] = "ctx.store:get: the key must be a string, not table",
      ['ctx.store:get({}, "k")'] = "ctx.store:get: the collection must be a string, not table",
      ['ctx.store:count()'] = "ctx.store:count: the collection must be a string, not nil",
      ['ctx.store:list()'] = "ctx.store:list: the collection must be a string, not nil",
      ['ctx.store:put("c", nil, 1)'] = "ctx.store:put: the key must be a string, not nil",
      ['ctx.store:put("c", "k")'] = "ctx.store:put: the value: nil can't be JSON",
      ['ctx.store:put("c", "k", { a = print })'] = "ctx.store:put: the value: a function can't be "
        .. "JSON (at a)",
      ['ctx.store:append("c")'] = "ctx.store:append: the value: nil can't be JSON",
      ['ctx.store:append(nil, 1)'] = "ctx.store:append: the collection must be a string, not nil",
      ['ctx.store:delete("c")'] = "ctx.store:delete: the key must be a string, not nil",
      ['ctx:once("n", function() return print end)'] = "ctx:once: the value: a function can't be "
        .. "JSON",
      ['ctx:elicit { message = "\\xff", requestedSchema = { type = "object", properties = {} } }'] =
        "the question: a string that is not valid UTF-8 can't be JSON (at message)",
    } do
      local run = script.handle("\n" .. code, {}, {
        ask = UNTOUCHED.ask, read = UNTOUCHED.read, write = UNTOUCHED.write, log = UNTOUCHED.log,
        set_once = UNTOUCHED.set_once,
      })
      assert.equal("scripts/x.lua:2: " .. text, run:reason(), code)
    end
  end)

  it("takes a number where a string is wanted for its text", function()
    local read
    script.handle("ctx.store:get(1, 2)", {}, {
      read = function(...) read = { ... } return "answer", "" end,
    })
    assert.same({ "get", "1", "2", 0 }, read)
  end)

  it("fails with the text of a write that the host refuses", function()
    for _, code in ipairs {
      'ctx.store:put("c", "k", 1)', 'ctx.store:append("c", 1)', 'ctx.store:delete("c", "k")',
    } do
      local run = script.handle(code, {}, { write = function() return "too much" end })
      assert.equal("too much", (run:failure()), code)
    end
    local run = script.handle('ctx:once("n", function() return 1 end)', {}, {
      set_once = function() return "too many" end,
    })
    assert.equal("too many", (run:failure()))
  end)

  it("asks with the question as canonical JSON", function()
    local asked
    script.handle([[
      ctx:elicit { key = "k", message = "?", requestedSchema = { type = "object",
        required = { "b" }, properties = { b = { type = "boolean" } } } }
    ]], {}, { ask = function(...) asked = { ... } end })
    assert.same({
      "k", "elicitation/create", "elicitation.form",
      '{"message":"?","mode":"form","requestedSchema":{"properties":{"b":{"type":"boolean"}},'
        .. '"required":["b"],"type":"object"}}',
    }, asked)
  end)

  it("never gives a form out that a client can't show", function()
    local run = script.handle([[

      ctx:elicit { message = "?", requestedSchema = { type = "object",
        properties = { a = { type = "object" } } } }
    ]], {}, UNTOUCHED)
    assert.matches("^scripts/x%.lua:2: ctx:elicit: requestedSchema%.properties%.a: type \"object\" "
      .. "can't be asked; a form is flat", run:reason())
  end)
end)

describe("what is not the script's own", function()
  after_each(script.clean)

  -- A host that grants nothing and must not be reached for anything else. It notes what it is
  -- asked for.
  local function refusing(asked)
    return setmetatable({
      granted = function(...)
        asked[#asked + 1] = table.concat({ ... }, " ", 1, 3) .. (select(4, ...)
          and (" of %s, write %s"):format(select(4, ...)) or "")
        return "no grant"
      end,
    }, getmetatable(UNTOUCHED))
  end

  it("is asked for before it is touched, and refused at the script's line", function()
    for action, use in pairs {
      ['ctx:env "A"'] = "env x A",
      ['ctx:read "data/a"'] = "read x data/a",
      ['ctx:fetch { url = "https://A.example:443/b" }'] = "http x https://a.example",
      ['ctx.store:of "y":get("c", "k")'] = "store x c of y, write false",
      ['ctx.store:of "y":list "c"'] = "store x c of y, write false",
      ['ctx.store:of "y":list("c", { limit = 2, after = "k" })'] = "store x c of y, write false",
      ['ctx.store:of "y":count "c"'] = "store x c of y, write false",
      ['ctx.store:of "y":put("c", "k", 1)'] = "store x c of y, write true",
      ['ctx.store:of "y":append("c", 1)'] = "store x c of y, write true",
      ['ctx.store:of "y":delete("c", "k")'] = "store x c of y, write true",
    } do
      local asked = {}
      local run = script.handle("\n" .. action, {}, refusing(asked))
      assert.equal("scripts/x.lua:2: no grant", run:reason(), action)
      assert.same({ use }, asked)
    end
  end)

  it("tells whose rows are meant, and nothing where they are its own", function()
    local seen = {}
    local function note(...)
      seen[#seen + 1] = tostring((select(5, ...)))
      return "answer", "1"
    end
    local run = script.handle([[
      local other, own = ctx.store:of "y", ctx.store:of "x"
      for _, store in ipairs { other, own, ctx.store } do
        store:get("c", "k")
        store:count "c"
        store:put("c", "k", 1)
        store:append("c", 1)
        store:delete("c", "k")
      end
      return "done"
    ]], {}, { read = note, write = function(...) note(...) end })
    assert.equal("done", run:text())
    assert.equal(("y "):rep(5) .. ("nil "):rep(10), table.concat(seen, " ") .. " ")
  end)

  it("is a file's bytes as they are, or nil where there is none", function()
    for answer, text in pairs { ["\n"] = "", ["\na\n\0\xff"] = "a\n\0\xff", [""] = "nil" } do
      local body = "local text = tostring(ctx:read 'data/a'); return require 'json'.encode { "
        .. "#text, text:byte(1, -1) }"
      local expected = "[" .. table.concat({ #text, text:byte(1, -1) }, ",") .. "]"
      assert.equal(expected, script.handle(body, {},
        { read = function() return "answer", answer end }):text())
      local run = script.handle(body)
      run:resume_text(answer)
      assert.equal(expected, run:text())
    end
  end)

  it("is a response in parts: status and headers, and a body of any bytes", function()
    local seen
    local run = script.handle([[
      local response = ctx:fetch { url = "https://a.example/b", method = "POST", body = "\0\xff",
        headers = { A = "b" } }
      return require "json".encode { response.status, response.headers.a, #response.body,
        response.body:byte(1, -1) }
    ]], {}, { read = function(...)
      seen = { ... }
      return "answer", '{"status":200,"headers":{"a":"b"}}\n\xff\n\0'
    end })
    assert.equal('[200,"b",3,255,10,0]', run:text())
    assert.same({ "fetch", "POST", "https://a.example/b", 0, nil, '{"A":"b"}', "\0\xff" }, seen)
  end)

  it("is named as a string", function()
    for action, why in pairs {
      ["ctx:env(1 == 1)"] = "ctx:env: the name must be a string, not boolean",
      ["ctx:read()"] = "ctx:read: the file must be a string, not nil",
      ["ctx.store:of()"] = "ctx.store:of: give it a script's name, after a colon: "
        .. 'ctx.store:of "book_meeting"',
      ['ctx.store.of "y"'] = "ctx.store:of: give it a script's name, after a colon: "
        .. 'ctx.store:of "book_meeting"',
    } do
      assert.equal("scripts/x.lua:2: " .. why, script.handle("\n" .. action):reason(), action)
    end
  end)
end)
