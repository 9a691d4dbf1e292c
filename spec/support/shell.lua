-- The few things Lua needs a shell for: quoting, temporary folders, reading and writing files.

local shell = {}

-- Returns `text` as one word of a shell command.
function shell.quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- Returns the words of a command, each quoted, as one line.
function shell.line(words)
  local quoted = {}
  for i, word in ipairs(words) do
    quoted[i] = shell.quote(word)
  end
  return table.concat(quoted, " ")
end

-- Returns the content of a file, or nil if there is none.
function shell.read(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local text = file:read "a"
  file:close()
  return text
end

function shell.write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  file:close()
end

-- Runs a command to its end and returns what it printed; raises if it failed.
function shell.capture(words)
  local pipe = assert(io.popen(shell.line(words), "r"))
  local text = pipe:read "a"
  assert(pipe:close(), "failed: " .. table.concat(words, " "))
  return (text:gsub("\n$", ""))
end

-- Makes a temporary folder; returns its path and a function that removes it. A process stands by
-- that removes it when the specs die instead: it reads from a pipe that only they hold open.
function shell.folder()
  local path = shell.capture { "mktemp", "-d" }
  local remover = assert(
    io.popen(
      shell.line { "sh", "-c", 'trap "" INT; cat >/dev/null; rm -rf "$1"', "sh", path },
      "w"
    )
  )
  return path, function()
    if io.type(remover) == "file" then
      remover:close()
    end
  end
end

-- Copies everything in the folder `from` into the folder `to`, which is made.
function shell.copy(from, to)
  shell.capture { "cp", "-r", from, to }
end

return shell
