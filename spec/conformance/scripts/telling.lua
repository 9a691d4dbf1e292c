-- Tools that tell the client something before they answer.
local mcp = require "mcp"

local NOTHING = { type = "object" }

local function log_thrice(_, ctx)
  ctx:log("info", "Tool execution started")
  ctx:log("info", "Tool processing data")
  ctx:log("info", "Tool execution completed")
  return "Logged three times."
end

mcp.tool { name = "test_tool_with_logging", description = "Writes three log messages.",
  inputSchema = NOTHING, handler = log_thrice }

mcp.tool { name = "test_logging_tool", description = "Writes log messages that nobody asked for.",
  inputSchema = NOTHING, handler = log_thrice }

mcp.tool {
  name = "test_tool_with_progress",
  description = "Tells of its progress three times.",
  inputSchema = NOTHING,
  handler = function(_, ctx)
    for _, done in ipairs { 0, 50, 100 } do
      ctx:progress(done, 100, ("Completed step %d of 100"):format(done))
    end
    return "Done."
  end,
}

mcp.tool {
  name = "test_reconnection",
  description = "Closes the stream of its reply before it answers.",
  inputSchema = NOTHING,
  handler = function(_, ctx)
    ctx:close_stream()
    return "The answer came on the stream that was taken up again."
  end,
}
