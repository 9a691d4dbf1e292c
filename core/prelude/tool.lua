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

-- Returns what is wrong with `execution` and `task`, or nil.
local function task_problem(what, offer)
  local execution = offer.execution or {}
  local support = execution.taskSupport
  local problem = check.fields(what .. ": execution", execution, { taskSupport = "string" })
  if problem then return problem end
  if offer.task and (support == nil or support == "forbidden") then
    return what .. ": task needs execution = { taskSupport = \"optional\" } or \"required\""
  end
  if support == nil or TASK_SUPPORT[support] then return end
  return ("%s: execution.taskSupport must be \"optional\", \"required\" or \"forbidden\", "
    .. "not \"%s\""):format(what, support)
end

local tool = {}

--- Registers a tool. `definition` has MCP's own fields (name, title, description, inputSchema,
--- outputSchema, annotations, icons, _meta), `handler(args, ctx)` and optionally `check(args)`,
--- which runs before it and returns `nil, reason` to refuse the arguments. The name defaults to the
--- script's, inputSchema to an object without properties. With execution = { taskSupport =
--- "optional" } clients that know tasks (io.modelcontextprotocol/tasks) get one for the call, which
--- goes on without them; with "required" only they may call it. With `task(args, ctx, value)`
--- beside it the call becomes a task later: `handler` asks in the call itself, and what it returns,
--- unless that is an error, is the value that `task` goes on with; its result is the call's.
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
    task = "function",
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
      or task_problem(what, offer)
  end,
}

-- From host.become_task on this may be another run than the one that asked: the task's, which came
-- here through the same answers.
local function run(offer, args)
  local ctx = new_context()
  local value, reason = offer.handler(args, ctx)
  local ends = value == nil or type(value) == "table" and value.isError == true
  if ends or not offer.task then return value, reason end
  host.become_task(ctx)
  return offer.task(args, ctx, value)
end

--- Runs check, handler and task. The arguments fit the schema already.
function tool.call(offer, args)
  local reason = offer.check and refusal(offer, args)
  if reason then return result.error(reason) end
  local made = result.from(run(offer, args))
  if offer.outputSchema or type(made) ~= "table" then return made end
  if made.structuredContent ~= nil and not host.is_object(made.structuredContent) then
    error("the result: structuredContent that is no object needs an outputSchema", 0)
  end
  return made
end

return tool
