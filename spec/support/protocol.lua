-- Holds every message of the host against the protocol's own schema, as the clients read it.
--
--   local watch = protocol.watch()             -- the clients do all this themselves
--   watch:sent(body, headers)                  -- what was asked, and of which era it is
--   watch:received(text, headers)              -- raises if the schema refuses it
--
-- The schemas are mcp-schema/VERSION/schema.json in the folder LUNASK_DATA or ../shared/data; a
-- version without one is held against 2025-11-25, which only added to what was there before.
-- Without the schemas, or without unit.so, nothing is checked: `protocol.off` says why.

local cjson = require("cjson.safe").new()

local protocol = { MODERN = "2026-07-28", LEGACY = "2025-11-25" }

local DATA = (os.getenv "LUNASK_DATA" or "../shared/data") .. "/mcp-schema/"
local MODERN_META = "io.modelcontextprotocol/protocolVersion"

-- What the schema has no name for that follows from the method's.
local RESULTS = {
  ["logging/setLevel"] = "EmptyResult",
  ["resources/subscribe"] = "EmptyResult",
  ["resources/unsubscribe"] = "EmptyResult",
  ping = "EmptyResult",
}

local found, unit = pcall(require, "unit")
local versions = {}

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read "a"
  if file then
    file:close()
  end
  return text
end

-- Returns { uri, text, results, notifications, requests, errors }: names of definitions by method
-- and by code.
local function load(version)
  local text = read(DATA .. version .. "/schema.json")
  if not text then
    return nil
  end
  local schema = { uri = "mcp:" .. version, text = text, checkers = {} }
  schema.results, schema.methods, schema.errors = {}, {}, {}
  for name, definition in pairs(cjson.decode(text)["$defs"]) do
    local properties = definition.properties or {}
    local method = (properties.method or {}).const
    local parts = properties.error and properties.error.allOf or {}
    for _, part in ipairs(parts) do
      local code = part.properties and part.properties.code
      schema.errors[code and code.const or false] = name
    end
    if method and name ~= "ClientNotification" then
      schema.methods[method] = name
      schema.results[method] = RESULTS[method] or name:gsub("Request$", "Result")
    end
  end
  return schema
end

local function schema_of(version)
  if versions[version] == nil then
    versions[version] = load(version) or false
  end
  return versions[version] or schema_of(protocol.LEGACY)
end

if not found then
  protocol.off = "unit.so is not on LUA_CPATH"
elseif not load(protocol.MODERN) or not load(protocol.LEGACY) then
  protocol.off = DATA .. "VERSION/schema.json is missing"
end

-- Returns a function of a text that says whether it is what the schema has under `name`; for a
-- `result` it is the response around it.
function protocol.checker(version, name, result)
  local schema = schema_of(version)
  local key = name .. (result or "")
  if not schema.checkers[key] then
    local text = ('{"$ref":"%s#/$defs/%s"'):format(schema.uri, name)
    if result then
      text = text .. (',"properties":{"result":{"$ref":"%s#/$defs/%s"}}'):format(schema.uri, result)
    end
    schema.checkers[key] = unit.schema.checker(text .. "}", { [schema.uri] = schema.text })
  end
  return schema.checkers[key]
end

local Watch = {}
Watch.__index = Watch

-- Returns what remembers the requests on one connection, or all of those to `host`.
function protocol.watch(host)
  local watch = host and host.watch or setmetatable({ methods = {}, versions = {} }, Watch)
  if host then
    host.watch = watch
  end
  return watch
end

local function header(headers, name)
  for key, value in pairs(headers or {}) do
    if key:lower() == name and type(value) == "string" then
      return value
    end
  end
  return ""
end

local function key_of(headers, id)
  return header(headers, "mcp-session-id") .. " " .. tostring(id)
end

local function each(decoded, visit)
  if type(decoded) ~= "table" then
    return
  end
  for _, message in ipairs(decoded[1] and decoded or { decoded }) do
    if type(message) == "table" then
      visit(message)
    end
  end
end

-- Notes the requests in a body. `headers` are those of the request; none over stdio.
function Watch:sent(body, headers)
  each(body and cjson.decode(body), function(message)
    local params = type(message.params) == "table" and message.params or {}
    local meta = type(params._meta) == "table" and params._meta or {}
    if message.id and message.method then
      local key = key_of(headers, message.id)
      local modern = meta[MODERN_META] or header(headers, "mcp-protocol-version") == protocol.MODERN
      self.methods[key] = message.method
      self.versions[key] = modern and protocol.MODERN or protocol.LEGACY
    end
  end)
end

-- Returns what to hold one message against: a definition, and that of its result.
local function definitions(watch, schema, message, key)
  if message.method then
    return schema.methods[message.method] or "JSONRPCMessage"
  elseif message.error then
    return schema.errors[message.error.code] or "JSONRPCErrorResponse"
  end
  local method = watch.methods[key]
  local result = method and schema.results[method] or "Result"
  local kind = type(message.result) == "table" and message.result.resultType
  if kind == "input_required" then
    result = "InputRequiredResult"
  elseif kind == "task" then
    result = "Result" -- the extension's, which the schema of the core knows nothing of
  end
  return "JSONRPCResultResponse", result
end

function Watch:version(message, headers, key)
  local result = type(message.result) == "table" and message.result or {}
  local named = header(headers, "mcp-protocol-version")
  return self.versions[key] == protocol.MODERN and protocol.MODERN
    or result.protocolVersion
    or (named:find "^%d%d%d%d%-%d%d%-%d%d$" and named)
    or protocol.LEGACY
end

-- Checks a text of the host: a message, or a batch of them. What is no JSON-RPC passes.
function Watch:received(text, headers)
  local decoded = not protocol.off and cjson.decode(text)
  each(decoded, function(message)
    if message.jsonrpc == nil then
      return
    end
    local key = key_of(headers, message.id)
    local version = self:version(message, headers, key)
    local one = decoded[1] and cjson.encode(message) or text
    local name, result = definitions(self, schema_of(version), message, key)
    local valid, reasons = protocol.checker(version, name, result)(one)
    if not valid then
      error(("the host sent what the schema of %s refuses as %s: %s\n%s"):format(
        version, result or name, reasons, one), 0)
    end
  end)
end

return protocol
