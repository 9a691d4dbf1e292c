-- Tools that ask the client or the person behind it.
local mcp = require "mcp"
local json = require "json"

local NOTHING = { type = "object" }

local function field(name, schema)
  return { type = "object", properties = { [name] = schema }, required = { name } }
end

local function tool(name, description, handler)
  mcp.tool { name = name, description = description, inputSchema = NOTHING, handler = handler }
end

mcp.tool {
  name = "test_sampling",
  description = "Has the client's model answer a prompt.",
  inputSchema = field("prompt", { type = "string" }),
  handler = function(args, ctx)
    local reply = ctx:sample { maxTokens = 100,
      messages = { { role = "user", content = mcp.text(args.prompt) } } }
    return "LLM response: " .. (reply.content.text or "")
  end,
}

mcp.tool {
  name = "test_elicitation",
  description = "Asks the person what the caller wants to know.",
  inputSchema = field("message", { type = "string" }),
  handler = function(args, ctx)
    local answer = ctx:elicit { message = args.message,
      requestedSchema = field("response", { type = "string", description = "User's response" }) }
    return ("User response: action=%s, content=%s"):format(answer.action,
      json.encode(answer.content))
  end,
}

local function report(answer)
  return ("Elicitation completed: action=%s, content=%s"):format(answer.action,
    json.encode(answer.content))
end

tool("test_elicitation_sep1034_defaults", "Asks with defaults of each primitive type.",
  function(_, ctx)
    return report(ctx:elicit { message = "Please look over the defaults.",
      requestedSchema = { type = "object", properties = {
        name = { type = "string", default = "John Doe" },
        age = { type = "integer", default = 30 },
        score = { type = "number", default = 95.5 },
        status = { type = "string", enum = { "active", "inactive", "pending" },
          default = "active" },
        verified = { type = "boolean", default = true } } } })
  end)

local function titled(prefix)
  local choices = {}
  for i, word in ipairs { "First", "Second", "Third" } do
    choices[i] = { const = "value" .. i, title = word .. " " .. prefix }
  end
  return choices
end

tool("test_elicitation_sep1330_enums", "Asks with each form of an enum.", function(_, ctx)
  local options = { "option1", "option2", "option3" }
  return report(ctx:elicit { message = "Please choose.",
    requestedSchema = { type = "object", properties = {
      untitledSingle = { type = "string", enum = options },
      titledSingle = { type = "string", oneOf = titled "Option" },
      legacyEnum = { type = "string", enum = { "opt1", "opt2", "opt3" },
        enumNames = { "Option One", "Option Two", "Option Three" } },
      untitledMulti = { type = "array", minItems = 1, maxItems = 3,
        items = { type = "string", enum = options } },
      titledMulti = { type = "array", minItems = 1, maxItems = 3,
        items = { anyOf = titled "Choice" } } } } })
end)

local function ask_name(ctx)
  return ctx:elicit { key = "user_name", message = "What is your name?",
    requestedSchema = field("name", { type = "string" }) }
end

local function ask_confirm(ctx)
  return ctx:elicit { key = "confirm", message = "Please confirm",
    requestedSchema = field("ok", { type = "boolean" }) }
end

tool("test_input_required_result_elicitation", "Greets by a name it asks for.", function(_, ctx)
  return ("Hello, %s!"):format(ask_name(ctx).content.name or "stranger")
end)

tool("test_input_required_result_sampling", "Has the client's model answer.", function(_, ctx)
  local reply = ctx:sample { key = "capital_question", maxTokens = 100, messages = {
    { role = "user", content = mcp.text "What is the capital of France?" } } }
  return "Sampling result: " .. (reply.content.text or "none")
end)

tool("test_input_required_result_list_roots", "Counts the client's roots.", function(_, ctx)
  local lines = {}
  for i, root in ipairs(ctx:roots { key = "client_roots" }) do lines[i] = root.uri end
  return ("Found %d root(s): %s"):format(#lines, table.concat(lines, ", "))
end)

tool("test_input_required_result_request_state", "Asks for a confirmation.", function(_, ctx)
  return ask_confirm(ctx).content.ok and "state-ok: confirmed" or "not confirmed"
end)

tool("test_input_required_result_tampered_state", "Asks for a confirmation.", function(_, ctx)
  return ask_confirm(ctx).content.ok and "integrity-ok: confirmed" or "not confirmed"
end)

tool("test_input_required_result_multiple_inputs", "Asks three things at once.", function(_, ctx)
  local answers = ctx:ask {
    user_name = { message = "What is your name?",
      requestedSchema = field("name", { type = "string" }) },
    greeting = { maxTokens = 50, messages = {
      { role = "user", content = mcp.text "Generate a greeting" } } },
    client_roots = { method = "roots/list" },
  }
  return ("Name: %s; Greeting: %s; Roots: %d"):format(answers.user_name.content.name,
    answers.greeting.content.text, #answers.client_roots)
end)

tool("test_input_required_result_multi_round", "Asks twice.", function(_, ctx)
  local name = ctx:elicit { key = "step1", message = "Step 1: What is your name?",
    requestedSchema = field("name", { type = "string" }) }
  local color = ctx:elicit { key = "step2", message = "Step 2: What is your favorite color?",
    requestedSchema = field("color", { type = "string" }) }
  return ("%s likes %s."):format(name.content.name, color.content.color)
end)

tool("test_input_required_result_capabilities", "Asks what the client is able to answer.",
  function(_, ctx)
    local questions = {}
    if ctx:supports "elicitation.form" then
      questions.elicit_input = { message = "Please give a value.",
        requestedSchema = field("value", { type = "string" }) }
    end
    if ctx:supports "sampling" then
      questions.sample_input = { maxTokens = 50, messages = {
        { role = "user", content = mcp.text "Sample request" } } }
    end
    if not next(questions) then return "The client can answer nothing." end
    ctx:ask(questions)
    return "Answered."
  end)

tool("test_missing_capability", "Needs a client that samples.", function(_, ctx)
  ctx:sample { maxTokens = 10, messages = {
    { role = "user", content = mcp.text "Say something." } } }
  return "Sampled."
end)

tool("test_streaming_elicitation", "Tells of its progress, then asks.", function(_, ctx)
  ctx:progress(1, 2)
  ask_name(ctx)
  return "Done."
end)
