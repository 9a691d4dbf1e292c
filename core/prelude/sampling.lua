-- sampling/createMessage: what ctx:sample may send, and what may come back.
local host = ...
local check = host.part "check"

local sampling = {}

local ROLES = { user = true, assistant = true }
local MODES = { auto = true, required = true, none = true }
local CONTEXTS = { none = true, thisServer = true, allServers = true }

local OPTIONS = {
  messages = "table",
  maxTokens = "number",
  systemPrompt = "string",
  modelPreferences = "table",
  includeContext = "string",
  temperature = "number",
  stopSequences = "table",
  metadata = "table",
  tools = "table",
  toolChoice = "table",
  key = "string",
}

-- What the known kinds of content can't be without; other kinds are let through.
local BLOCKS = {
  text = { text = "string" },
  image = { data = "string", mimeType = "string" },
  audio = { data = "string", mimeType = "string" },
  tool_use = { id = "string", name = "string", input = "table" },
  tool_result = { toolUseId = "string", content = "table" },
}

local function block_problem(place, block)
  if type(block) ~= "table" or type(block.type) ~= "string" then
    return place .. " must be content with a type, such as mcp.text makes"
  end
  for field, kind in pairs(BLOCKS[block.type] or {}) do
    if type(block[field]) ~= kind then
      return ("%s.%s must be a %s, not %s"):format(place, field, kind, check.a(block[field]))
    end
  end
end

-- Content is one block, or a list of at least one.
local function blocks_of(content)
  if type(content) ~= "table" then return {} end
  return content.type ~= nil and { content } or content
end

local function message_problem(place, message)
  if type(message) ~= "table" or not ROLES[message.role] then
    return place .. '.role must be "user" or "assistant"'
  end
  local blocks = blocks_of(message.content)
  if #blocks == 0 then return place .. ".content must be content, or a list of it" end
  for i, block in ipairs(blocks) do
    local problem = block_problem(("%s.content[%d]"):format(place, i), block)
    if problem then return problem end
  end
end

-- The ids of the blocks of one kind in a message, and whether it has blocks of another.
local function ids(message, kind, field)
  local found, others = {}, false
  for _, block in ipairs(blocks_of(message and message.content)) do
    if block.type == kind then found[block[field]] = true else others = true end
  end
  return found, others
end

-- Each use of a tool is followed by a message of all its results and nothing else.
local function balance_problem(messages)
  local orphan = next((ids(messages[1], "tool_result", "toolUseId")))
  if orphan then
    return ("messages[1] has a tool_result of '%s', which no message before it uses"):format(orphan)
  end
  for i, message in ipairs(messages) do
    local uses = message.role == "assistant" and ids(message, "tool_use", "id") or {}
    local after = messages[i + 1]
    local results, others = ids(after, "tool_result", "toolUseId")
    for id in pairs(uses) do
      if not results[id] then
        return ("messages[%d] must have the tool_result of '%s'"):format(i + 1, id)
      end
    end
    if next(results) ~= nil and others then
      return ("messages[%d] has a tool_result, so it must have nothing else"):format(i + 1)
    end
    for id in pairs(results) do
      if not uses[id] then
        return ("messages[%d] has a tool_result of '%s', which messages[%d] does not use")
          :format(i + 1, id, i)
      end
    end
  end
end

local function tools_problem(options)
  for i, tool in ipairs(options.tools or {}) do
    if type(tool) ~= "table" or type(tool.name) ~= "string"
      or type(tool.inputSchema) ~= "table" then
      return ("tools[%d] needs a name and an inputSchema"):format(i)
    end
  end
  if options.tools and #options.tools == 0 then return "tools must be a list of at least one" end
  if options.toolChoice and not MODES[options.toolChoice.mode] then
    return 'toolChoice.mode must be "auto", "required" or "none"'
  end
end

local function options_problem(options)
  if not options.messages then return "messages is missing" end
  if not options.maxTokens then return "maxTokens is missing" end
  if math.type(options.maxTokens) ~= "integer" or options.maxTokens < 1 then
    return "maxTokens must be a whole number of at least 1"
  end
  if options.includeContext and not CONTEXTS[options.includeContext] then
    return 'includeContext must be "none", "thisServer" or "allServers"'
  end
  if #options.messages == 0 then return "messages must be a list of at least one" end
  for i, message in ipairs(options.messages) do
    local problem = message_problem(("messages[%d]"):format(i), message)
    if problem then return problem end
  end
  return balance_problem(options.messages) or tools_problem(options)
end

local function capabilities(options)
  local needed = (options.tools or options.toolChoice) and "sampling.tools" or "sampling"
  if options.includeContext and options.includeContext ~= "none" then
    needed = needed .. " sampling.context"
  end
  return needed
end

-- What is wrong with a client's result, or nil.
local function result_problem(result, tools)
  if type(result) ~= "table" then return "it must be an object" end
  if type(result.model) ~= "string" then return "model must be a string" end
  local problem = message_problem("result", result)
  if problem then return problem end
  for _, block in ipairs(blocks_of(result.content)) do
    if block.type == "tool_use" and not tools then return "it uses a tool, and had none" end
  end
end

local function read(question, result)
  local problem = result_problem(result, question.params.tools)
  if problem then
    host.fail("The client's answer to sampling/createMessage is malformed: " .. problem)
  end
  return result
end

--- Returns a question that has the client's model make a message, or nil and what is wrong with
--- `options`; `what` is what it is called.
function sampling.question(what, options)
  local problem = check.fields(what, options, OPTIONS)
  if problem then return nil, problem end
  problem = options_problem(options)
  if problem then return nil, what .. ": " .. problem end
  local params = {}
  for field, value in pairs(options) do
    if field ~= "key" then params[field] = value end
  end
  return {
    what = what,
    key = options.key,
    method = "sampling/createMessage",
    capabilities = capabilities(options),
    params = params,
    read = read,
  }
end

return sampling
