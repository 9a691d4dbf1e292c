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
local PUBLIC = { "name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta" }
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
  if type(text) ~= "string" then error("mcp.fail: the text must be a string", 2) end
  host.fail(text)
end

local function check_tool(tool)
  local problem = check.fields("mcp.tool", tool, TOOL)
  if problem then return problem end
  if not tool.name:match "^[%w_%-%.]+$" or #tool.name > 128 then
    return "mcp.tool: name must be 1 to 128 letters, digits, '_', '-' or '.'"
  end
  if not tool.handler then return "mcp.tool: handler is missing: handler = function(args, ctx) … end" end
  if tool.inputSchema.type ~= "object" then return "mcp.tool: inputSchema.type must be \"object\"" end
  return tool.annotations and check.fields("mcp.tool: annotations", tool.annotations, ANNOTATIONS)
end

--- Registers a tool. `definition` has MCP's own fields (name, title, description, inputSchema,
--- outputSchema, annotations, icons, _meta), `handler(args, ctx)` and optionally `check(args)`, which
--- runs before it and returns `nil, reason` to refuse the arguments. The name defaults to the
--- script's, inputSchema to an object without properties.
function mcp.tool(definition)
  if type(definition) ~= "table" then error("mcp.tool: give it a table", 2) end
  local tool = {}
  for field, value in pairs(definition) do tool[field] = value end
  if tool.name == nil then tool.name = host.script() end
  if tool.inputSchema == nil then tool.inputSchema = { type = "object", additionalProperties = false } end
  local problem = check_tool(tool)
  if problem then error(problem, 2) end

  local public = {}
  for _, field in ipairs(PUBLIC) do public[field] = tool[field] end
  local ok, reason = host.register_tool(public, tool)
  if not ok then error(("mcp.tool %s: inputSchema%s"):format(tool.name, reason), 2) end
end

return mcp
