-- support: looks first whether the client can ask, and says what to do instead where it can't.
local mcp = require "mcp"

local NOTHING = { type = "object" }

local function form_tool(name, description, handler)
  mcp.tool {
    name = name,
    description = description,
    inputSchema = NOTHING,
    handler = function(args, ctx)
      if not ctx:supports "elicitation.form" then
        return nil, "This client does not support form elicitation."
      end
      return handler(args, ctx)
    end,
  }
end

form_tool("collect_contact", "Ask the user whom to follow up with.", function(_, ctx)
  local answer = ctx:elicit {
    message = "Who should receive the follow-up?",
    requestedSchema = { type = "object", required = { "name", "email" }, properties = {
      name = { type = "string", description = "Recipient name", minLength = 1 },
      email = { type = "string", format = "email", description = "Recipient email" } } },
  }
  if answer.action ~= "accept" then return "No contact details were provided." end
  return ("Follow-up will go to %s at %s."):format(answer.content.name, answer.content.email)
end)

form_tool("export_data", "Export the user's data. The user chooses what goes along.",
  function(_, ctx)
    local answer = ctx:elicit {
      message = "Confirm the export settings.",
      requestedSchema = { type = "object", properties = { includePrivateFields = {
        type = "boolean", title = "Include private fields", default = false } } },
    }
    if answer.action == "decline" then return "The user declined to provide export settings." end
    if answer.action ~= "accept" then return "The export was cancelled." end
    return answer.content.includePrivateFields and "Exporting with private fields."
      or "Exporting without private fields."
  end)

form_tool("create_ticket", "Create a support ticket. The user fills in the details.",
  function(_, ctx)
    local answer = ctx:elicit {
      message = "Add ticket details.",
      requestedSchema = { type = "object", required = { "title" }, properties = {
        title = { type = "string", title = "Title", minLength = 3 },
        priority = { type = "string", title = "Priority", enum = { "low", "normal", "high" },
          default = "normal" },
        description = { type = "string", title = "Description" } } },
    }
    if answer.action ~= "accept" then return "Ticket creation cancelled." end
    local number = ctx.store:count "tickets" + 1
    ctx.store:put("tickets", ("%d"):format(number), {
      title = answer.content.title,
      priority = answer.content.priority or "normal",
      description = answer.content.description,
    })
    return ("Created ticket %d."):format(number)
  end)

mcp.tool {
  name = "deploy",
  description = "Deploy. The user chooses the environment.",
  inputSchema = NOTHING,
  handler = function(_, ctx)
    local asked, answer = pcall(ctx.elicit, ctx, {
      message = "Choose a deployment environment.",
      requestedSchema = { type = "object", required = { "environment" }, properties = {
        environment = { type = "string", title = "Environment",
          enum = { "staging", "production" } } } },
    })
    if not asked then
      return nil, "Could not collect deployment input: " .. tostring(answer)
    end
    if answer.action ~= "accept" then return "Deployment cancelled." end
    return ("Deploying to %s."):format(answer.content.environment)
  end,
}

-- The URL is a page of this host, good for one visit; that the person went there is what counts.
-- An OAuth provider would be given it as the redirect_uri.
mcp.tool {
  name = "connect_github",
  description = "Connect the user's GitHub account. The user allows it in the browser.",
  inputSchema = NOTHING,
  handler = function(_, ctx)
    if not ctx:supports "elicitation.url" then
      return nil, "This client does not support URL elicitation."
    end
    local answer = ctx:elicit_url {
      message = "Authorize GitHub access to continue.",
      url = ctx:callback(),
    }
    if answer.action ~= "accept" then return nil, "GitHub authorization was not completed." end
    local brought = ctx:await_callback()
    ctx:elicit_complete()
    if brought.error then return nil, "GitHub authorization did not finish." end
    return "GitHub authorization completed."
  end,
}
