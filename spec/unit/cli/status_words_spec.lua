local words = require("unit").status_words

local STATUS = [[{"version":"1.2.3","name":"n","folder":"scripts","pid":7,"started":1796087000,
"loaded":1796087100,"generation":4,"scripts":2,"tools":1,"prompts":0,"resources":2,
"resource_templates":0,"now":{"stopping":false,"calls_open":3,"calls_parked":1,"sessions":1,
"streams":0},"counters":{"calls":12,"questions":0,"limit_rounds":1},"load_error":%s}]]

local function write(load_error, now)
  return words.write(STATUS:format(load_error), "http://127.0.0.1:3000", now or 1796087160)
end

describe("the words of a status", function()
  it("say what runs, what is open and what has been counted", function()
    local text, code = write "null"
    assert.equal([[
up        n at http://127.0.0.1:3000
          lunask 1.2.3, process 7, since 2026-12-01 01:03:20 UTC (2 min ago)
loaded    2 scripts of scripts with 1 tool, 2 resources
          generation 4, of 2026-12-01 01:05:00 UTC (60 s ago)
now       3 calls open, 1 of them waiting for a person; 1 session, 0 streams
counted   calls 12, limit_rounds 1
]], text)
    assert.equal(0, code)
  end)

  it("begin with what keeps the newest scripts from loading, and its place", function()
    local text, code = write [[{"text":"scripts/a.lua:3: oops","source":"   3 | oops",
      "caret":"     | ^","at":1796087158}]]
    assert.equal([[
THE SCRIPTS DO NOT LOAD: what was loaded before goes on

    scripts/a.lua:3: oops
       3 | oops
         | ^

    tried 2026-12-01 01:05:58 UTC (2 s ago); lunask check lists all mistakes
]], text:match "^(.*\n)\nup ")
    assert.equal(1, code)
  end)

  it("leave out lines of source that there are none of", function()
    local text = write [[{"text":"can't read scripts","source":null,"caret":null,"at":1796087158}]]
    assert.truthy(text:find("\n    can't read scripts\n\n    tried ", 1, true), text)
  end)

  it("hold nothing that drives a terminal", function()
    local text = write [[{"text":"a\u001b[2J\n\u007f","source":"\u001bx","caret":"","at":0}]]
    assert.is_nil(text:find "[\1-\9\11-\31\127]")
  end)

  it("tell how long ago in the unit that says most", function()
    for ago, shown in pairs { [0] = "0 s", [119] = "119 s", [120] = "2 min", [7199] = "119 min",
      [7200] = "2 hours", [3600 * 47] = "47 hours", [3600 * 48] = "2 days", [-5] = "0 s" } do
      local text = write("null", 1796087100 + ago)
      assert.truthy(text:find("generation 4, of 2026-12-01 01:05:00 UTC (" .. shown .. " ago)", 1,
        true), text)
    end
  end)

  it("are not made of what is no status", function()
    for _, json in ipairs { "", "{}", "[]", "<html>", '{"generation":1}', '{"load_error":null}' } do
      local text, code, why = words.write(json, "http://h:1", 0)
      assert.same({ "" }, { text, code })
      assert.equal("what answers at http://h:1 is no lunask, or one of another version", why)
    end
  end)
end)
