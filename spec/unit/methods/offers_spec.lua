local inside = require "support.inside"
local shell = require "support.shell"

local function script(from, to)
  return ([[
    local mcp = require "mcp"
    for i = %d, %d do
      local n = ("%%02d"):format(i)
      mcp.tool { name = "t" .. n, handler = print }
      mcp.prompt { name = "p" .. n, handler = print }
      mcp.resource { uri = "r:" .. n, text = "" }
      mcp.resource_template { uriTemplate = "u:" .. n .. "/{x}", handler = print }
    end
  ]]):format(from, to)
end

local LISTS = {
  ["tools/list"] = { "tools", "name" },
  ["prompts/list"] = { "prompts", "name" },
  ["resources/list"] = { "resources", "uri" },
  ["resources/templates/list"] = { "resourceTemplates", "uriTemplate" },
}

describe("a list", function()
  local host, session

  before_each(function()
    host = inside.start { scripts = { s = script(1, 5) }, config = "page_size = 2", settle = true }
    session = host:initialize()
  end)

  after_each(function()
    inside.close(host)
  end)

  local function page(method, cursor, legacy)
    local params = { cursor = cursor }
    local visit = legacy and session:request(method, params) or host:modern(method, params)
    local result = visit:result()
    local keys = {}
    for i, entry in ipairs(result[LISTS[method][1]]) do keys[i] = entry[LISTS[method][2]] end
    return keys, result.nextCursor
  end

  it("comes in pages, each entry once and in the same order, in both eras", function()
    for method in pairs(LISTS) do
      for _, legacy in ipairs { false, true } do
        local all, cursor, pages = {}, nil, 0
        repeat
          local keys
          keys, cursor = page(method, cursor, legacy)
          for _, key in ipairs(keys) do all[#all + 1] = key end
          pages = pages + 1
        until not cursor
        assert.equal(3, pages)
        assert.equal(5, #all)
        assert.is_true(all[1] < all[2] and all[2] < all[3] and all[3] < all[4] and all[4] < all[5])
      end
    end
  end)

  it("refuses a cursor that is none of its own", function()
    local _, cursor = page("tools/list")
    for _, wrong in ipairs { "", "x", cursor .. "x", 1 } do
      assert.equal(-32602, host:modern("tools/list", { cursor = wrong }):error().code)
      assert.equal(-32602, session:request("tools/list", { cursor = wrong }):error().code)
    end
    assert.equal(-32602, host:modern("prompts/list", { cursor = cursor }):error().code)
  end)

  it("goes on after a reload where it was, though the entry before is gone", function()
    local _, cursor = page "tools/list"
    shell.write(host.folder .. "/s.lua", script(3, 9))
    assert.is_true((host.native:reload()))
    assert.same({ "t03", "t04" }, (page("tools/list", cursor)))
    shell.write(host.folder .. "/s.lua", script(1, 1))
    assert.is_true((host.native:reload()))
    local keys, more = page("tools/list", cursor)
    assert.same({}, keys)
    assert.is_nil(more)
  end)

  it("says to modern clients how long it may be kept, which is what host.lua says", function()
    inside.close(host)
    host = inside.start { scripts = { s = script(1, 1) }, config = "list_ttl = 60000",
      settle = true }
    for method in pairs(LISTS) do
      local result = host:modern(method):result()
      assert.equal(60000, result.ttlMs)
      assert.equal("public", result.cacheScope)
      assert.is_nil(host:initialize():request(method, {}):result().ttlMs)
    end
  end)
end)
