-- The module `mcp`: what a script registers, and what its handlers return.
local host = ...
local check = host.part "check"
local result = host.part "result"

local TOOL = {
  name = "string",
  title = "string",
  description = "string",
  inputSchema = "table",
  outputSchema = "table",
  annotations = "table",
  icons = "table",
  _meta = "table",
  handler = "function",
  check = "function",
}
local PUBLIC = {
  "name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta",
}
local ANNOTATIONS = {
  title = "string",
  readOnlyHint = "boolean",
  destructiveHint = "boolean",
  idempotentHint = "boolean",
  openWorldHint = "boolean",
}

local mcp = {
  null = host.null,
  array = host.array,
  text = result.text,
  image = result.image,
  audio = result.audio,
  resource = result.resource,
  link = result.link,
  structured = result.structured,
  error = result.error,
}

--- Ends the call with an error result that shows `text` to the user; the log gets no traceback.
function mcp.fail(text)
  if type(text) ~= "string" then
    error("mcp.fail: the text must be a string, not " .. check.a(text), 2)
  end
  host.fail(text)
end

local function name_problem(name, from_file)
  if name:match "^[%w_%-%.]+$" and #name <= 128 then return end
  local problem = "mcp.tool: name must be 1 to 128 letters, digits, '_', '-' or '.'"
  if not from_file then return problem end
  return ("%s; there is none, and the file's (%s) won't do"):format(problem, name)
end

local function check_tool(tool, from_file)
  local problem = check.fields("mcp.tool", tool, TOOL) or name_problem(tool.name, from_file)
  if problem then return problem end
  if not tool.handler then
    return "mcp.tool: handler is missing: handler = function(args, ctx) … end"
  end
  if tool.inputSchema.type ~= "object" then
    return "mcp.tool: inputSchema.type must be \"object\""
  end
  if tool.icons and #tool.icons == 0 then
    return "mcp.tool: icons must be a list: icons = { { src = … }, … }"
  end
  return tool.annotations and check.fields("mcp.tool: annotations", tool.annotations, ANNOTATIONS)
end

--- Registers a tool. `definition` has MCP's own fields (name, title, description, inputSchema,
--- outputSchema, annotations, icons, _meta), `handler(args, ctx)` and optionally `check(args)`,
--- which runs before it and returns `nil, reason` to refuse the arguments. The name defaults to the
--- script's, inputSchema to an object without properties.
function mcp.tool(definition)
  if type(definition) ~= "table" then
    error("mcp.tool: give it a table: mcp.tool { name = …, handler = … }", 2)
  end
  local tool = {}
  for field, value in pairs(definition) do tool[field] = value end
  local from_file = tool.name == nil
  if from_file then tool.name = host.script() end
  if tool.inputSchema == nil then
    tool.inputSchema = { type = "object", additionalProperties = false }
  end
  local problem = check_tool(tool, from_file)
  if problem then error(problem, 2) end

  local public = {}
  for _, field in ipairs(PUBLIC) do public[field] = tool[field] end
  local ok, reason = host.register_tool(public, tool)
  if ok then return end
  local hint = reason:find("must be an array", 1, true) and " (an empty one is mcp.array {})" or ""
  error(("mcp.tool %s: %s%s"):format(tool.name, reason, hint), 2)
end

return mcp
