-- Tools that have run.sh edit this folder, so that the lists of tools and of prompts change.
local mcp = require "mcp"

for _, kind in ipairs { "tool", "prompt" } do
  mcp.tool {
    name = ("test_trigger_%s_change"):format(kind),
    description = ("Has the list of %ss change."):format(kind),
    inputSchema = { type = "object" },
    handler = function(_, ctx)
      ctx:log("info", "please change a " .. kind)
      return "It will change."
    end,
  }
end
