-- Tools that may take long: a client that knows tasks polls them.
local mcp = require "mcp"

local ANY = { type = "object" }
local MAY, MUST = { taskSupport = "optional" }, { taskSupport = "required" }

local function confirmation(message)
  return { message = message, requestedSchema = { type = "object",
    properties = { confirm = { type = "boolean" } } } }
end

mcp.tool { name = "greet", description = "Greets at once.",
  inputSchema = { type = "object", properties = { name = { type = "string" } } },
  handler = function(args) return ("Hello, %s!"):format(args.name or "world") end }

mcp.tool {
  name = "slow_compute",
  description = "Takes as long as it is told to.",
  inputSchema = { type = "object", properties = { seconds = { type = "number" },
    label = { type = "string" } } },
  execution = MAY,
  handler = function(args, ctx)
    ctx:sleep(args.seconds or 0)
    return ("Computed %s in %g s."):format(args.label or "it", args.seconds or 0)
  end,
}

mcp.tool { name = "failing_job", description = "Fails after a second.", inputSchema = ANY,
  execution = MUST, handler = function(_, ctx)
    ctx:sleep(1)
    return nil, "The job failed, as it always does."
  end }

mcp.tool { name = "protocol_error_job", description = "Ends in an error nobody foresaw.",
  inputSchema = ANY, execution = MAY, handler = function(_, ctx)
    ctx:sleep(0.2)
    ctx:require "roots" -- which the client does not have
  end }

mcp.tool {
  name = "confirm_delete",
  description = "Deletes once a person has said yes.",
  inputSchema = { type = "object", properties = { filename = { type = "string" } } },
  execution = MAY,
  handler = function(args, ctx)
    local name = args.filename or "the file"
    local answer = ctx:elicit(confirmation(("Delete %s?"):format(name)))
    if answer.action ~= "accept" or not answer.content.confirm then return "Nothing deleted." end
    return ("Deleted %s."):format(name)
  end,
}

mcp.tool {
  name = "multi_input",
  description = "Asks two things at once.",
  inputSchema = ANY,
  execution = MAY,
  handler = function(_, ctx)
    local answers = ctx:ask {
      first = confirmation "First?", second = confirmation "Second?" }
    return ("First: %s, second: %s."):format(answers.first.action, answers.second.action)
  end,
}

mcp.tool {
  name = "test_tool_with_task",
  description = "Asks a name, then takes its time.",
  inputSchema = ANY,
  execution = MUST,
  handler = function(_, ctx)
    local answer = ctx:elicit { key = "user_name", message = "What is your name?",
      requestedSchema = { type = "object", properties = { name = { type = "string" } },
        required = { "name" } } }
    if answer.action ~= "accept" then return nil, "Nobody said who they are." end
    return answer.content.name
  end,
  task = function(_, ctx, name)
    ctx:sleep(0.2)
    return ("Done for %s."):format(name)
  end,
}
