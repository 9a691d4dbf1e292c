-- ctx: what a handler has of its call.
local host = ...
local check = host.part "check"
local questions = host.part "questions"

local LOGGED = { string = true, number = true, boolean = true, table = true }
local PROGRESS = { progress = "number", total = "number", message = "string" }
local MESSAGE_BYTES = 1024

local FETCH = { url = "string", method = "string", headers = "table", body = "string" }

local methods = {}

-- Asks one question, made by `make` of `options`.
local function ask_one(self, make, what, options)
  local question, problem = make(what, options)
  if not question then error(problem, 3) end
  return (questions.ask(self, { question })[1])
end

--- Asks the person behind the client to fill in a form, and waits for the answer.
--- options.message: what is asked; options.requestedSchema: a flat object schema of primitive
--- fields; options.key: its name among the questions (default: by order); options.on_invalid: what
--- an accepted answer that breaks the schema leads to: "reask" (default: asked again with the
--- reason, 3 times at most), "return" (returned with valid = false and problems), "error" (the call
--- fails). Returns { action = "accept" | "decline" | "cancel", content = {…}, valid = …,
--- problems = … }. Raises if the client can't ask (see ctx:supports "elicitation.form").
function methods:elicit(options)
  if type(options) ~= "table" then
    error("ctx:elicit: give it a table with message and requestedSchema, after a colon: "
      .. "ctx:elicit { … }", 2)
  end
  return (ask_one(self, questions.form, "ctx:elicit", options))
end

--- Sends the person to a URL, for what must not pass through the client, and waits for consent.
--- options.message: why; options.url: http(s)://…; options.key: as in ctx:elicit; options.required:
--- true if the call can do nothing but begin anew when what the URL is for is done: a client of
--- 2025-11-25 then gets error -32042 and the call ends. Returns { action = "accept" | "decline" |
--- "cancel" }. An accept says that the person will go there, not that anything was done; see
--- ctx:await_callback. Raises if the client can't do it (ctx:supports "elicitation.url").
function methods:elicit_url(options)
  if type(options) ~= "table" then
    error("ctx:elicit_url: give it a table with message and url, after a colon: "
      .. "ctx:elicit_url { … }", 2)
  end
  return (ask_one(self, questions.url, "ctx:elicit_url", options))
end

-- Names in the journal that no script would give.
local CALLBACK, CALLED_BACK = "\0callback", "\0called back"

--- Returns a URL of this host, good for one visit: put it into the URL of ctx:elicit_url, as the
--- redirect_uri of an OAuth flow or as the page itself. The same in every run of the call. Needs
--- the grant `callback` and the setting public_url.
function methods:callback()
  local known, url = host.once(self, CALLBACK)
  if known then return url end
  url = host.callback(self)
  host.set_once(self, CALLBACK, url)
  return url
end

--- Waits until a browser has come to ctx:callback(), and returns the parameters of its query (GET)
--- or form (POST) as a table of strings. Whose browser it was nobody has checked: a parameter of
--- your own, such as OAuth's state, or a login there must tell. Raises if nobody comes.
function methods:await_callback()
  local known, params = host.once(self, CALLED_BACK)
  if known then return params end
  if not host.once(self, CALLBACK) then
    error("ctx:await_callback: nobody has the URL yet; call ctx:callback() first", 2)
  end
  params = (host.called_back(self) or host.await(self)).params
  host.set_once(self, CALLED_BACK, params)
  host.complete(self)
  return params
end

--- Tells the client that what a URL was for is done, where its protocol version can be told
--- (notifications/elicitation/complete of 2025-11-25). `key`: of the question; default: all URLs of
--- this call.
function methods:elicit_complete(key)
  if key ~= nil and type(key) ~= "string" then
    error("ctx:elicit_complete: key must be a string, not " .. check.a(key), 2)
  end
  host.complete(self, key)
end

--- Has the client's language model make a message, and waits for it. `options` has the fields of
--- sampling/createMessage (messages, maxTokens, systemPrompt, tools, …), and key as in ctx:elicit.
--- Returns { role = …, content = a block or a list of them, model = …, stopReason = … }. Raises if
--- the client can't (ctx:supports "sampling", with tools "sampling.tools").
function methods:sample(options)
  if type(options) ~= "table" then
    error("ctx:sample: give it a table with messages and maxTokens, after a colon: "
      .. "ctx:sample { … }", 2)
  end
  return (ask_one(self, questions.sample, "ctx:sample", options))
end

--- Returns the folders that the client works in, as a list of { uri = "file://…", name = …|nil }.
--- options.key: as in ctx:elicit. Raises if the client can't tell (ctx:supports "roots").
function methods:roots(options)
  if options ~= nil and type(options) ~= "table" then
    error("ctx:roots: options must be a table, not " .. check.a(options), 2)
  end
  return (ask_one(self, questions.roots, "ctx:roots", options or {}))
end

--- Asks several questions in one round, and waits until each is answered. `options` has a question
--- under each key, its name in inputRequests: the options of ctx:elicit, ctx:elicit_url or
--- ctx:sample without `key`, or { method = "roots/list" }. Returns the answers under the same keys.
--- What has to be asked again is asked without the others.
function methods:ask(options)
  local list, problem = questions.list(options)
  if not list then error(problem, 2) end
  local answers = {}
  for i, answer in ipairs(questions.ask(self, list)) do answers[list[i].key] = answer end
  return answers
end

--- Returns fn() the first time, and the same value on every later run of this call: for what must
--- not be done or fetched twice. The value must be one that JSON has; mcp.null becomes nil. fn must
--- not ask: whether it runs at all would decide which question is the first.
function methods:once(name, fn)
  if type(name) ~= "string" or type(fn) ~= "function" then
    error("ctx:once: give it a name and a function: ctx:once(\"name\", function() … end)", 2)
  end
  local known, value = host.once(self, name)
  if not known then
    value = host.run_once(self, fn)
    if value == nil then value = host.null end
    host.set_once(self, name, value)
    value = select(2, host.once(self, name)) -- as it will be the next time
  end
  if value == host.null then return nil end
  return value
end

--- Writes to the host's log, and to the client if it asked for messages of that level.
--- ctx:log("warning", "text") or ctx:log "text" (info); a table is logged as JSON.
function methods:log(level, data)
  if data == nil then level, data = "info", level end
  if not LOGGED[type(data)] then data = tostring(data) end
  host.log(self, level, data)
end

--- Tells the client how far the call has come, if it asked to be told. `progress` counts up, at
--- best to `total`, which may be nil; what does not increase is not sent. The message is for a
--- person, and cut at 1 KiB.
function methods:progress(progress, total, message)
  local told = { progress = progress, total = total, message = message }
  local problem = check.fields("ctx:progress", told, PROGRESS) or (not progress
    and "ctx:progress: give it a number, after a colon: ctx:progress(1, 3)")
  if problem then error(problem, 2) end
  if message and #message > MESSAGE_BYTES then
    told.message = message:sub(1, utf8.offset(message, 0, MESSAGE_BYTES + 1) - 1)
  end
  host.progress(self, progress, told)
end

--- Tells clients that subscribed to the resource `uri` that it has changed, once the call has ended
--- with a result that is not an error: what it has written is there by then.
function methods:updated(uri)
  host.updated(self, uri)
end

--- Lets go of the client's connection while the call goes on, so that a long one holds none. The
--- client comes back after a second, and gets what it has missed. Returns false where nothing is
--- done, because the client would not come back: only those of 2025-11-25 over HTTP do.
function methods:close_stream()
  return host.close_stream(self)
end

--- Tells whether the client has cancelled the call. A cancelled call is stopped wherever it is and
--- stores nothing, so few scripts need to ask: those with one long step after the other.
function methods:cancelled()
  return host.cancelled(self)
end

--- Tells whether the client can do something: "elicitation", "elicitation.form",
--- "elicitation.url", "sampling", "roots".
function methods:supports(capability)
  return host.supports(self, capability)
end

--- Ends the call unless the client can do something, before anything else has happened: a tool that
--- is of no use without asking begins with ctx:require "elicitation.form". The client is told what
--- it lacks: error -32021 in 2026-07-28, else a result that is an error.
function methods:require(capability)
  host.require(self, capability)
end

--- Returns the value of an environment variable that host.lua grants, or nil if it is not set.
function methods:env(name)
  return host.env(self, name)
end

--- Returns the bytes of a file in a folder that host.lua grants, or nil if it is not there. The
--- path begins in the scripts folder: ctx:read "data/towns.csv".
function methods:read(path)
  local _, text = host.file(self, path)
  return text
end

--- Makes an HTTP request to a server that host.lua grants, and waits for the response.
--- options.url: https://…; options.method: "GET" (default), "HEAD", "POST", "PUT", "PATCH" or
--- "DELETE"; options.headers: { name = "value" }; options.body: a string. Returns { status = 200,
--- headers = { ["content-type"] = … }, body = … }, whatever the status; raises if there is no
--- response. A call that asks runs again: put a request that must not be repeated in ctx:once.
function methods:fetch(options)
  local problem = type(options) ~= "table"
      and "ctx:fetch: give it a table with url, after a colon: ctx:fetch { url = … }"
    or check.fields("ctx:fetch", options, FETCH)
    or (not options.url and "ctx:fetch: url is missing")
  if problem then error(problem, 2) end
  local response, body = host.fetch(self, options.url, options.method or "GET",
    options.headers or {}, options.body)
  response.body = body
  return response
end

--- Waits, and lets others run meanwhile. The time counts as the call's own (call_timeout), and a
--- call that asks sleeps again when it runs again.
function methods:sleep(seconds)
  if type(seconds) ~= "number" or not (seconds >= 0 and seconds <= 3600) then
    error("ctx:sleep: give it a number of seconds, 0 to 3600, after a colon: ctx:sleep(1)", 2)
  end
  host.sleep(self, math.ceil(seconds * 1000))
end

-- ctx.store: rows of this script's own, and with `of` those of others that host.lua grants. Reads
-- see what the same call has written; writes are kept if the call ends with a result that is not an
-- error, all or none.
local Store = {}
Store.__index = Store

local LIST = { limit = "number", after = "string" }

--- Returns a store of the same methods on the collections of another script.
function Store:of(script)
  if type(script) ~= "string" then
    error("ctx.store:of: give it a script's name, after a colon: ctx.store:of \"book_meeting\"", 2)
  end
  return setmetatable({ ctx = self.ctx, owner = script }, Store)
end

--- Returns the value under `key`, or nil.
function Store:get(collection, key)
  return host.get(self.ctx, collection, key, self.owner)
end

--- Returns an array of { key = …, value = … } in the order of first writing. options.limit: 1 to
--- 1000 (default 100); options.after: the key to go on after.
function Store:list(collection, options)
  if options == nil then return host.list(self.ctx, collection, 100, nil, self.owner) end
  local problem = type(options) ~= "table"
      and "ctx.store:list: options must be a table, not " .. check.a(options)
    or check.fields("ctx.store:list", options, LIST)
  if problem then error(problem, 2) end
  return host.list(self.ctx, collection, options.limit or 100, options.after, self.owner)
end

function Store:count(collection)
  return host.count(self.ctx, collection, self.owner)
end

function Store:put(collection, key, value)
  host.put(self.ctx, collection, key, value, self.owner)
end

--- Adds a row under a new key, and returns the key.
function Store:append(collection, value)
  return host.append(self.ctx, collection, value, self.owner)
end

function Store:delete(collection, key)
  host.delete(self.ctx, collection, key, self.owner)
end

-- What is asked for seldom is made when it is asked for: client, era, call_id, principal, store.
local DESCRIBED = { client = true, era = true, call_id = true, principal = true }

local Context = {}

function Context:__index(name)
  local method = methods[name]
  if method then return method end
  if name == "store" then
    local store = setmetatable({ ctx = self }, Store)
    rawset(self, "store", store)
    return store
  end
  if DESCRIBED[name] then
    local described = host.describe(self)
    for field, value in pairs(described) do rawset(self, field, value) end
    return described[name]
  end
end

return function()
  return host.context(Context)
end
