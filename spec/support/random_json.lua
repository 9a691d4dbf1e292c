--- Values and number texts by the dozen, the same ones for the same seed.
local cjson = require "cjson"

local random_json = {}

local ALPHABET = {
  "a", "Z", "0", " ", '"', "\\", "/", "\b", "\f", "\n", "\r", "\t", "\1", "\31", "\127", "\0",
  "é", "€", "\u{2028}", "\u{2029}", "\u{ffff}", "𝄞",
}
local EXPONENTS = { "", "", "", "e", "E+", "e-" }

--- A generator (a linear congruential one: math.random's state belongs to whoever else runs here).
function random_json.new(seed)
  local self = { state = seed }

  --- An integer from 0 to n - 1.
  function self.below(n)
    self.state = (self.state * 6364136223846793005 + 1442695040888963407)
    return ((self.state >> 33) & 0x7fffffff) % n
  end

  function self.digits(least, most)
    local parts = {}
    for i = 1, least + self.below(most - least + 1) do parts[i] = self.below(10) end
    return table.concat(parts)
  end

  --- The text of a JSON number in any notation.
  function self.number_text()
    local whole = self.digits(1, 24):gsub("^0+(%d)", "%1")
    local fraction = self.below(2) == 0 and "." .. self.digits(1, 12) or ""
    local exponent = EXPONENTS[1 + self.below(#EXPONENTS)]
    if exponent ~= "" then exponent = exponent .. self.digits(1, 2) end
    return (self.below(2) == 0 and "-" or "") .. whole .. fraction .. exponent
  end

  function self.text(most)
    local parts = {}
    for i = 1, self.below(most + 1) do parts[i] = ALPHABET[1 + self.below(#ALPHABET)] end
    return table.concat(parts)
  end

  --- A Lua value that lua-cjson encodes and decodes without loss: no empty table, no NUL in a key.
  function self.value(depth)
    local kind = self.below(depth > 0 and 7 or 5)
    if kind == 0 then return cjson.null end
    if kind == 1 then return self.below(2) == 0 end
    if kind == 2 then return (self.below(2001) - 1000) / 8 end
    if kind == 3 then return self.below(1 << 30) * 1.0 end
    if kind == 4 then return self.text(20) end
    local value = {}
    for i = 1, 1 + self.below(5) do
      local key = kind == 5 and i or "k" .. self.text(4):gsub("%z", "")
      value[key] = self.value(depth - 1)
    end
    return value
  end

  return self
end

return random_json
