local finding = require("unit").finding

describe("a finding", function()
  for message, parts in pairs {
    ["scripts/x.lua:12: no end"] = { "scripts/x.lua", 12, "no end" },
    ["scripts/lib/a.lua:3: x.lua:4: inner"] = { "scripts/lib/a.lua", 3, "x.lua:4: inner" },
    ["scripts/x.lua: memory used up"] = { "scripts/x.lua", 0, "memory used up" },
    ["/tmp/a b/x.lua:1: é"] = { "/tmp/a b/x.lua", 1, "é" },
    ["scripts/x.lua:12:"] = { nil, 0, "scripts/x.lua:12:" },
    ["scripts/x.lua:12x: no"] = { nil, 0, "scripts/x.lua:12x: no" },
    ["no end: of x.lua:12: it"] = { nil, 0, "no end: of x.lua:12: it" },
    ["plain"] = { nil, 0, "plain" },
    [""] = { nil, 0, "" },
    ["x.lua:"] = { nil, 0, "x.lua:" },
    ["x.lua:99999999999: far"] = { nil, 0, "x.lua:99999999999: far" },
  } do
    it(("is read from %q"):format(message), function()
      local file, line, text = finding.read(message)
      assert.same({ parts[1], parts[2], parts[3] }, { file, line, text })
    end)
  end

  it("is written as it was read, a warning by its name when that is asked for", function()
    assert.equal("s/x.lua:12: odd", finding.write("s/x.lua:12: odd", true, false))
    assert.equal("s/x.lua:12: warning: odd", finding.write("s/x.lua:12: odd", true, true))
    assert.equal("s/x.lua: odd", finding.write("s/x.lua: odd", false, true))
    assert.equal("odd", finding.write("odd", false, true))
  end)

  it("has a path by which the scripts folder, as it was given, leads to its file", function()
    for _, case in ipairs {
      { "scripts/x.lua", "scripts", "scripts/x.lua" },
      { "scripts/x.lua", "/srv/scripts", "/srv/scripts/x.lua" },
      { "scripts/lib/x.lua", "/srv/scripts//", "/srv/scripts/lib/x.lua" },
      { "/srv/scripts/x.lua", "/srv/scripts", "/srv/scripts/x.lua" },
      { "./x.lua", ".", "./x.lua" },
      { "elsewhere/x.lua", "/srv/scripts", "elsewhere/x.lua" },
      { "/x.lua", "/", "/x.lua" },
    } do
      assert.equal(case[3], finding.path(case[1], case[2]))
    end
  end)
end)
