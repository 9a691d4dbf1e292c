-- Host configurations for the specs: the shipped one as data, and variants of it as files.

local shell = require "support.shell"

local config = {}

local function literal(value)
  if type(value) ~= "table" then
    return string.format("%q", value)
  end
  local parts = {}
  if #value > 0 or next(value) == nil then
    for i, element in ipairs(value) do
      parts[i] = literal(element)
    end
  else
    for key, element in pairs(value) do
      parts[#parts + 1] = string.format("[%q] = %s", key, literal(element))
    end
    table.sort(parts)
  end
  return "{ " .. table.concat(parts, ", ") .. " }"
end

-- Returns the table that a configuration file returns. It is read as data: it sees no globals.
function config.load(path)
  return assert(loadfile(path, "t", {}))()
end

-- Writes the configuration at `base` with `changes` on top of it to the file `path`.
function config.write(path, base, changes)
  local merged = config.load(base)
  for key, value in pairs(changes) do
    merged[key] = value
  end
  shell.write(path, "return " .. literal(merged) .. "\n")
end

return config
