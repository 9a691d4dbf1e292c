local uris = require("unit").uris

describe("a set of URIs", function()
  local set

  before_each(function()
    set = uris.new()
  end)

  it("has what was added and not removed, each once", function()
    for _, uri in ipairs { "a:1", "a:12", "a:2", "a:1" } do assert.is_true(set:add(uri)) end
    assert.equal(3, set:count())
    set:remove "a:12"
    set:remove "a:3"
    assert.same({ true, false, true, false }, {
      set:has "a:1", set:has "a:12", set:has "a:2", set:has "a:",
    })
    assert.equal(2, set:count())
    set:remove "a:1"
    set:remove "a:2"
    assert.equal(0, set:count())
    assert.is_false(set:has "a:2")
    assert.is_true(set:add "a:1")
  end)

  it("takes nothing that is no URI", function()
    for _, uri in ipairs { "", " ", "a:b c", "a:\n", "\na:", "a:\0", "a:\127", "\t" } do
      local ok, problem = set:add(uri)
      assert.is_nil(ok)
      assert.equal("a URI must not be empty, nor have spaces or control characters", problem)
      assert.is_false(set:has(uri))
    end
    assert.equal(0, set:count())
    assert.is_true(set:add "file:///Überblick/会議")
  end)

  it("holds only so many, and only so many bytes", function()
    for i = 1, uris.MOST do assert.is_true(set:add("a:" .. i)) end
    local ok, problem = set:add "a:more"
    assert.is_nil(ok)
    assert.equal("too many URIs: 256 and 64 KiB are allowed", problem)
    assert.is_true(set:add "a:1")
    set:remove "a:1"
    assert.is_true(set:add "a:more")
    set = uris.new()
    assert.is_nil(set:add(("x"):rep(uris.BYTES)))
    assert.is_true(set:add(("x"):rep(uris.BYTES - 1)))
    assert.is_nil(set:add "y")
  end)
end)
