-- Prints the measures of the house style; fails, naming the offenders, when one is out of bounds.
--
--   lua5.4 spec/style/measure.lua        from the top folder; needs universal-ctags
--
-- Functions: lines from the opening to the closing one, of every C function in core/ and spec/.
-- Files: lines of every source file in core/, scripts/ and spec/.
-- Comments: of the lines in core/*.c and *.h that are not blank, those that hold a comment.

local BOUNDS = {
  function_median = 20,
  function_p95 = 50,
  function_max = 80,
  file_max = 500,
  comment_low = 12.0,
  comment_high = 25.0,
}

local offences = {}

local function offend(format, ...)
  offences[#offences + 1] = format:format(...)
end

local function lines_of(command)
  local lines = {}
  local pipe = assert(io.popen(command))
  for line in pipe:lines() do lines[#lines + 1] = line end
  assert(pipe:close(), "failed: " .. command)
  return lines
end

local function find(folders, ...)
  local names = {}
  for i, extension in ipairs { ... } do names[i] = "-name '*." .. extension .. "'" end
  return lines_of("find " .. folders .. " -name node_modules -prune -o -type f \\( "
    .. table.concat(names, " -o ") .. " \\) -print | sort")
end

-- The value that `share` of the sorted `list` doesn't exceed.
local function quantile(list, share)
  return list[math.max(1, math.ceil(share * #list))]
end

local function by_size(a, b)
  return a.size > b.size
end

local function functions()
  local found, sizes = {}, {}
  local sources = table.concat(find("core spec", "c", "h"), " ")
  for _, line in ipairs(lines_of("ctags -x --languages=C,C++ --langmap=C:.c.h --c-kinds=f"
    .. " --_xformat='%{end} %n %N %F' " .. sources)) do
    local last, first, name, file = line:match("^(%d+) (%d+) (%S+) (.+)$")
    if last then
      local size = tonumber(last) - tonumber(first) + 1
      found[#found + 1] = { size = size, name = name, at = file .. ":" .. first }
      sizes[#sizes + 1] = size
    end
  end
  table.sort(found, by_size)
  table.sort(sizes)
  return found, sizes
end

local function measure_functions()
  local found, sizes = functions()
  local median, p95, max = quantile(sizes, 0.5), quantile(sizes, 0.95), sizes[#sizes]
  if median > BOUNDS.function_median then
    offend("functions: the median is %d lines, over %d", median, BOUNDS.function_median)
  end
  if p95 > BOUNDS.function_p95 then
    offend("functions: 95 %% should have at most %d lines; %d are longer:", BOUNDS.function_p95,
      #sizes - #sizes * 95 // 100)
    for _, f in ipairs(found) do
      if f.size > BOUNDS.function_p95 then offend("  %s %s: %d lines", f.at, f.name, f.size) end
    end
  end
  for _, f in ipairs(found) do
    if f.size > BOUNDS.function_max then
      offend("%s %s: %d lines, over %d", f.at, f.name, f.size, BOUNDS.function_max)
    end
  end
  return ("%d functions, lines: median %d, p95 %d, max %d"):format(#sizes, median, p95, max)
end

local function measure_files()
  local max, largest, count = 0, "", 0
  local sources = find("core scripts spec", "c", "h", "lua", "sh", "cmake", "js", "mjs")
  for _, name in ipairs(sources) do
    local size = 0
    for _ in io.lines(name) do size = size + 1 end
    if size > max then max, largest = size, name end
    if size > BOUNDS.file_max then offend("%s: %d lines, over %d", name, size, BOUNDS.file_max) end
    count = count + 1
  end
  return ("%d files, lines: max %d (%s)"):format(count, max, largest)
end

-- Reads one C line. Returns whether it holds a comment, whether it holds code, and whether a block
-- comment is still open behind it. A /* in a string or character literal opens nothing.
local function read_line(line, open)
  local comment, code, at = open, false, 1
  while at <= #line do
    local two = line:sub(at, at + 1)
    local quote = line:match("^[\"']", at)
    if open then
      local _, last = line:find("*/", at, true)
      open = last == nil
      at = (last or #line) + 1
    elseif two == "//" then
      return true, code, false
    elseif two == "/*" then
      comment, open, at = true, true, at + 2
    elseif quote then
      code, at = true, at + 1
      while at <= #line and line:sub(at, at) ~= quote do
        at = at + (line:sub(at, at) == "\\" and 2 or 1)
      end
      at = at + 1
    else
      code = code or line:find("^%S", at) ~= nil
      at = at + 1
    end
  end
  return comment, code, open
end

local function measure_comments()
  local total, whole, trailing = 0, 0, 0
  for _, name in ipairs(find("core", "c", "h")) do
    local open = false
    for line in io.lines(name) do
      local comment, code
      comment, code, open = read_line(line, open)
      if comment and code then
        trailing = trailing + 1
      elseif comment then
        whole = whole + 1
      end
      if line:find("%S") then total = total + 1 end
    end
  end
  local share = 100 * (whole + trailing) / total
  if share < BOUNDS.comment_low or share > BOUNDS.comment_high then
    offend("comments: %.1f %% of the lines of core/, not between %g and %g", share,
      BOUNDS.comment_low, BOUNDS.comment_high)
  end
  return ("comments %.1f %% (%d whole and %d trailing of %d lines)"):format(share, whole, trailing,
    total)
end

local summary = table.concat({ measure_functions(), measure_files(), measure_comments() }, "\n")
for _, offence in ipairs(offences) do print(offence) end
print(summary)
os.exit(#offences == 0)
