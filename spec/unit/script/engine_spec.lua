local engine = require("unit").engine
local script = require "support.script"

describe("the engine", function()
  after_each(script.clean)

  it("is named by its release, the language being the one that scripts see", function()
    assert.matches("^Lua 5%.4%.%d+$", engine.version())
    assert.equal(engine.version():match "^Lua 5%.4", script.eval "return _VERSION")
  end)
end)
