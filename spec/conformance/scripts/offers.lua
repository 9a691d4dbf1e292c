-- Resources and prompts.
local mcp = require "mcp"
local json = require "json"
local samples = require "samples"

mcp.resource { uri = "test://static-text", name = "static-text", title = "A text",
  mimeType = "text/plain", handler = function()
    return "This is the content of the static text resource."
  end }

mcp.resource { uri = "test://static-binary", name = "static-binary", title = "A pixel",
  mimeType = "image/png", handler = function()
    return { blob = samples.png }
  end }

mcp.resource { uri = "test://watched-resource", name = "watched-resource",
  title = "A text that may change", mimeType = "text/plain", handler = function()
    return "Watched resource content"
  end }

mcp.resource_template { uriTemplate = "test://template/{id}/data", name = "template",
  mimeType = "application/json", handler = function(variables)
    return json.encode { id = variables.id, templateTest = true,
      data = "Data for ID: " .. variables.id }
  end }

local function user(content) return { role = "user", content = content } end

mcp.prompt { name = "test_simple_prompt", description = "A prompt without arguments.",
  handler = function() return "This is a simple prompt for testing." end }

mcp.prompt {
  name = "test_prompt_with_arguments",
  description = "A prompt with two arguments.",
  arguments = { { name = "arg1", required = true }, { name = "arg2", required = true } },
  complete = { arg1 = function() return { "testValue" } end },
  handler = function(args)
    return ("Prompt with arguments: arg1='%s', arg2='%s'"):format(args.arg1, args.arg2)
  end,
}

mcp.prompt {
  name = "test_prompt_with_embedded_resource",
  description = "A prompt with a resource in it.",
  arguments = { { name = "resourceUri", required = true } },
  handler = function(args)
    return {
      user(mcp.resource { uri = args.resourceUri, mimeType = "text/plain",
        text = "Embedded resource content for testing." }),
      user(mcp.text "Please process the embedded resource above."),
    }
  end,
}

mcp.prompt { name = "test_prompt_with_image", description = "A prompt with an image in it.",
  handler = function()
    return { user(mcp.image(samples.png, "image/png")),
      user(mcp.text "Please analyze the image above.") }
  end }

mcp.prompt {
  name = "test_input_required_result_prompt",
  description = "A prompt that asks the person first.",
  handler = function(_, ctx)
    local answer = ctx:elicit { key = "user_context",
      message = "What context should the prompt use?", requestedSchema = { type = "object",
        properties = { context = { type = "string" } }, required = { "context" } } }
    return "Prompt with context: " .. (answer.content.context or "none")
  end,
}
