-- Tools whose results are of each kind of content.
local mcp = require "mcp"
local json = require "json"
local samples = require "samples"

local NOTHING = { type = "object" }

local function tool(name, description, handler)
  mcp.tool { name = name, description = description, inputSchema = NOTHING, handler = handler }
end

tool("test_simple_text", "Returns a text.", function()
  return "This is a simple text response for testing."
end)

tool("test_image_content", "Returns an image.", function()
  return mcp.image(samples.png, "image/png")
end)

tool("test_audio_content", "Returns a sound.", function()
  return mcp.audio(samples.wav, "audio/wav")
end)

tool("test_embedded_resource", "Returns a resource as a whole.", function()
  return mcp.resource { uri = "test://embedded-resource", mimeType = "text/plain",
    text = "This is an embedded resource content." }
end)

tool("test_multiple_content_types", "Returns a text, an image and a resource.", function()
  return {
    mcp.text "Multiple content types test:",
    mcp.image(samples.png, "image/png"),
    mcp.resource { uri = "test://mixed-content-resource", mimeType = "application/json",
      text = json.encode { test = "data", value = 123 } },
  }
end)

tool("test_error_handling", "Always fails.", function()
  mcp.fail "This tool intentionally returns an error for testing"
end)

mcp.tool {
  name = "json_schema_2020_12_tool",
  description = "Takes arguments whose schema uses more than the everyday keywords.",
  inputSchema = {
    ["$schema"] = "https://json-schema.org/draft/2020-12/schema",
    type = "object",
    ["$defs"] = { address = { ["$anchor"] = "addressDef", type = "object", properties = {
      street = { type = "string" }, city = { type = "string" } } } },
    properties = {
      name = { type = "string" },
      address = { ["$ref"] = "#/$defs/address" },
      contactMethod = { type = "string", enum = { "phone", "email" } },
      phone = { type = "string" },
      email = { type = "string" },
    },
    allOf = { { anyOf = { { required = { "phone" } }, { required = { "email" } } } } },
    ["if"] = { properties = { contactMethod = { const = "phone" } },
      required = { "contactMethod" } },
    ["then"] = { required = { "phone" } },
    ["else"] = { required = { "email" } },
    additionalProperties = false,
  },
  handler = function(args) return "Called with " .. json.encode(args) end,
}

mcp.tool {
  name = "test_custom_header",
  description = "Takes arguments that the client repeats in headers.",
  inputSchema = { type = "object", required = { "region" }, properties = {
    region = { type = "string", ["x-mcp-header"] = "Region" },
    shard = { type = "integer", ["x-mcp-header"] = "Shard" } } },
  handler = function(args) return "Region: " .. args.region end,
}
