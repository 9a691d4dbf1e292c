-- mcp.tool: what it takes, and one run of what it registered.
local host = ...
local check = host.part "check"
local new_context = host.part "context"
local refusal = host.part "refusal"
local offers = host.part "offers"
local result = host.part "result"

local ANNOTATIONS = {
  title = "string",
  readOnlyHint = "boolean",
  destructiveHint = "boolean",
  idempotentHint = "boolean",
  openWorldHint = "boolean",
}

local TASK_SUPPORT = { forbidden = true, optional = true, required = true }

-- Returns what is wrong with `execution`, or nil.
local function execution_problem(what, execution)
  local support = execution.taskSupport
  local problem = check.fields(what .. ": execution", execution, { taskSupport = "string" })
  if problem or support == nil or TASK_SUPPORT[support] then return problem end
  return ("%s: execution.taskSupport must be \"optional\", \"required\" or \"forbidden\", "
    .. "not \"%s\""):format(what, support)
end

local tool = {}

--- Registers a tool. `definition` has MCP's own fields (name, title, description, inputSchema,
--- outputSchema, annotations, icons, _meta), `handler(args, ctx)` and optionally `check(args)`,
--- which runs before it and returns `nil, reason` to refuse the arguments. The name defaults to the
--- script's, inputSchema to an object without properties. With execution = { taskSupport =
--- "optional" } clients that know tasks (io.modelcontextprotocol/tasks) get one for the call, which
--- goes on without them; with "required" only they may call it.
tool.register = offers.kind {
  name = "tool",
  example = "mcp.tool { name = …, handler = … }",
  fields = {
    name = "string",
    title = "string",
    description = "string",
    inputSchema = "table",
    outputSchema = "table",
    annotations = "table",
    execution = "table",
    icons = "table",
    _meta = "table",
    handler = "function",
    check = "function",
  },
  public = {
    "name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta",
  },
  defaults = function(offer)
    if offer.inputSchema == nil then
      offer.inputSchema = { type = "object", additionalProperties = false }
    end
  end,
  problem = function(what, offer, from_file)
    local problem = offers.name_problem(what, offer.name, from_file)
    if problem then return problem end
    if not offer.handler then
      return what .. ": handler is missing: handler = function(args, ctx) … end"
    end
    if offer.inputSchema.type ~= "object" then
      return what .. ": inputSchema.type must be \"object\""
    end
    return offer.annotations
        and check.fields(what .. ": annotations", offer.annotations, ANNOTATIONS)
      or offer.execution and execution_problem(what, offer.execution) or nil
  end,
}

--- Runs check and handler. The arguments fit the schema already.
function tool.call(offer, args)
  local reason = offer.check and refusal(offer, args)
  if reason then return result.error(reason) end
  local made = result.from(offer.handler(args, new_context()))
  if offer.outputSchema or type(made) ~= "table" then return made end
  if made.structuredContent ~= nil and not host.is_object(made.structuredContent) then
    error("the result: structuredContent that is no object needs an outputSchema", 0)
  end
  return made
end

return tool
