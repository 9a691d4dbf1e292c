local keys = require("unit").source_keys

-- Where the key `k` gets its value, by the text.
local LINES = {
  ["return { k = 1 }"] = 1,
  ["return {\n  a = 1,\n  k = 2,\n}"] = 3,
  ["return {\n  ['k'] = 1 }"] = 2,
  ['return {\n  [ "k" ] = 1 }'] = 2,
  ["-- k = 1\nreturn { k = 1 }"] = 2,
  ["--[[ { k = 1 \n]] return {\nk = 1 }"] = 3,
  ["--[==[ ]] { k = 1 \n]==] return {\nk = 1 }"] = 3,
  ["return { a = 'k = 1', b = \"\\\"k = 1\", c = [[\nk = 1]],\nk = 1 }"] = 3,
  ["local k = 1\nreturn {\na = k,\nk = k }"] = 4,
  ["return { g = { k = 1 },\nk = 2 }"] = 2,
  ["return { a = k == 1,\nk = 2 }"] = 2,
  ["return { kk = 1, k_ = 2,\nk = 3 }"] = 2,
  ["return {\r\n k\n=\n1 }"] = 2,
  -- Not in the text, or not in one place of it.
  ["return {}"] = 0,
  [""] = 0,
  ["local t = {}\nt.k = 1\nreturn t"] = 0,
  ["return { g = { k = 1 } }"] = 0,
  ["return { k = 1,\nk = 2 }"] = 0,
  ["return { a = '\\"] = 0,
  ["return { [["] = 0,
  ["--"] = 0,
}

describe("the line of a key", function()
  for text, line in pairs(LINES) do
    it(("is %d in %q"):format(line, text), function()
      assert.equal(line, keys.line(text, "k"))
    end)
  end
end)
