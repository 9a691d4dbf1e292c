--- Random calls of find, match, gmatch and gsub, the same ones for the same seed, and whether two
--- libraries answer them alike.
local random_patterns = {}

-- Few different bytes, so that much of what is made matches much of the rest.
local SUBJECTS = {
  { "a", "b" },
  { "a", "b", "c", " ", "1", "A", "_" },
  { "(", ")", "a", "[", "]", "%", "-", ".", "^", "$" },
  { "\0", "\255", "\128", "a", "z", "\n", "\t" },
  { "a", "a", "a", "b", "," },
}

local ITEMS = {
  "a", "a", "b", "c", ".", ".", "%a", "%d", "%s", "%w", "%p", "%l", "%u", "%x", "%c", "%g", "%z",
  "%A", "%D", "%S", "%W", "%P", "%L", "%U", "%X", "%C", "%G", "%Z", "%.", "%%", "%-", "%(", "%]",
  "[ab]", "[^a]", "[a-c]", "[%w_]", "[^%s]", "[]]", "[^]]", "[]-a]", "[a-]", "[%a-z]", "[a%-z]",
  "[%]]", "[\0-\127]", "[\128-\255]", "[^\0]", "[z-a]", "[--a]", "[.%d]", "[^^]", "[^%W]", "\0",
  "\255", " ", "1", "A", ",", "-", "]", "^", "$",
}
local REPEATS = { "", "", "", "", "*", "+", "-", "?", "*", "-" }
local OTHERS = {
  "(", ")", "(", ")", "()", "(a)", "(.-)", "(.*)", "(%w+)", "%1", "%2", "%1", "%0", "%9", "%b()",
  "%baa", "%bab", "%b", "%b(", "%f[%w]", "%f[^%w]", "%f[a]", "%f[\0]", "%f[%z]", "%f", "%fa", "%f[",
  "^", "$", "*", "+", "-", "?", "[", "[^", "[a", "[%", "%",
}
local REPLACEMENTS = {
  "", "x", "%0", "%0%0", "<%1>", "%2", "%1%2", "%%", "%", "%a", "a%", "%9", "longer than it was",
  "\0", "%0\0%%",
}

local function collect(library, subject, pattern, init)
  local found = {}
  for a, b, c in library.gmatch(subject, pattern, init) do
    found[#found + 1] = tostring(a) .. "\1" .. tostring(b) .. "\1" .. tostring(c)
    if #found > 60 then return "endless" end
  end
  return table.concat(found, "\2")
end

-- Replacements that look at all captures; false keeps the match.
local function describe(...)
  if select("#", ...) > 1 and ... == "a" then return false end
  return table.concat({ select("#", ...), ... }, "|")
end

local values = { a = 1, b = "B", [1] = "one", [2] = false, [""] = "none", aa = {}, c = true }

local function replace(library, subject, pattern, with, most)
  return library.gsub(subject, pattern, with, most)
end

local function find(library, subject, pattern, init, plain)
  return library.find(subject, pattern, init, plain)
end

local function match(library, subject, pattern, init)
  return library.match(subject, pattern, init)
end

--- A generator (a linear congruential one: math.random's state belongs to whoever else runs here).
function random_patterns.new(seed)
  local state = seed
  local parts = {}

  local function random(low, high)
    if not high then low, high = 1, low end
    state = state * 6364136223846793005 + 1442695040888963407
    return low + (state >> 33) % (high - low + 1)
  end

  local function pick(list)
    return list[random(#list)]
  end

  local function make_subject()
    local bytes = pick(SUBJECTS)
    local n = random(0, random(0, 24))
    for i = 1, n do
      parts[i] = bytes[random(#bytes)]
    end
    return table.concat(parts, "", 1, n)
  end

  local function make_pattern()
    local n = 0
    if random(6) == 1 then
      n = 1
      parts[1] = "^"
    end
    for _ = 1, random(0, random(1, 6)) do
      n = n + 1
      if random(4) == 1 then
        parts[n] = pick(OTHERS)
      else
        parts[n] = pick(ITEMS) .. pick(REPEATS)
      end
    end
    if random(6) == 1 then
      n = n + 1
      parts[n] = "$"
    end
    local pattern = table.concat(parts, "", 1, n)
    if random(40) == 1 then
      return pattern:sub(random(1, #pattern + 1), random(0, #pattern))
    elseif random(400) == 1 then
      return pattern .. pick({ "a?", "()", ".-", "(" }):rep(random(10, 240))
    elseif random(40) == 1 then
      return make_subject() -- plain text, mostly
    end
    return pattern
  end

  local function make_position(subject)
    local far = random(12)
    if far == 1 then
      return pick({ math.mininteger, math.maxinteger, 0, -1000, 1000 })
    elseif far < 6 then
      return nil
    end
    return random(-#subject - 2, #subject + 2)
  end

  --- Returns a function, and what to pass to it after the library.
  return function()
    local subject, pattern = make_subject(), make_pattern()
    local kind = random(8)
    if kind <= 2 then
      return find, subject, pattern, make_position(subject), random(12) == 1
    elseif kind == 3 then
      return match, subject, pattern, make_position(subject)
    elseif kind <= 5 then
      return collect, subject, pattern, make_position(subject)
    elseif kind == 6 then
      return replace, subject, pattern, describe, random(3) == 1 and random(-1, 5) or nil
    elseif kind == 7 then
      return replace, subject, pattern, values
    end
    return replace, subject, pattern, pick(REPLACEMENTS), random(3) == 1 and random(-1, 5) or nil
  end
end

local function are_equal(mine, stock)
  if mine.n ~= stock.n then return false end
  for i = 1, mine.n do
    if mine[i] ~= stock[i] or math.type(mine[i]) ~= math.type(stock[i]) then return false end
  end
  return true
end

local function show(results)
  local texts = {}
  for i = 1, results.n do
    texts[i] = type(results[i]) == "string" and ("%q"):format(results[i]) or tostring(results[i])
  end
  return table.concat(texts, ", ")
end

local function raised(results, text)
  return not results[1] and results[2]:find(text, 1, true) ~= nil
end

--- Makes the call in both libraries and returns "alike"; or "different", and a text with both
--- answers; or "excused": the stock one finds some patterns too complex, and is not asked at all
--- what takes `ours` too many steps, since it might take hours.
function random_patterns.compare(ours, stock, call, ...)
  local mine = table.pack(pcall(call, ours, ...))
  if raised(mine, "pattern matching took") then return "excused" end
  local theirs = table.pack(pcall(call, stock, ...))
  if raised(theirs, "pattern too complex") then return "excused" end
  if are_equal(mine, theirs) then return "alike" end
  local asked = show(table.pack(...))
  return "different", ("%s\n  ours:  %s\n  stock: %s"):format(asked, show(mine), show(theirs))
end

return random_patterns
