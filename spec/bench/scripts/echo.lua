-- Returns its argument: what a call costs when the tool itself does nothing.
local mcp = require "mcp"

mcp.tool {
  name = "echo",
  description = "Return the text it is given.",
  inputSchema = { type = "object", required = { "text" }, properties = {
    text = { type = "string" } } },
  handler = function(args)
    return args.text
  end,
}
