local process = require "support.process"
local shell = require "support.shell"
local spinners = require "support.spinners"

describe("beside calls that spin", function()
  local host, remove

  before_each(function()
    local folder
    folder, remove = shell.folder()
    spinners.write(folder, 4)
    host = process.start { scripts = folder, config = { vm_cpu = 60000 } }
  end)

  after_each(function()
    process.close(host)
    remove()
  end)

  -- What it takes on a machine of its own is measured by spec/bench/turns.lua; this must hold on a
  -- busy one, too.
  for _, scripts in ipairs { 1, 4 } do
    it(("another script's calls take no longer, be it twenty of %d scripts"):format(scripts),
      function()
        local spinning = spinners.start(host, 20, scripts)
        local times = spinners.time(host, 1)
        assert.equal(0, spinners.ended(spinning))
        spinners.stop(spinning)
        assert.is_true(times[(#times + 1) // 2] < 40, "half of them took "
          .. times[(#times + 1) // 2] .. " ms and more")
      end)
  end
end)
