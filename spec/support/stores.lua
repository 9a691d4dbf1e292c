-- Stores for the specs of core/store: opened in a folder of their own, closed and removed after
-- each test.

local native = require("unit").store
local shell = require "support.shell"

local stores = {}

local opened, remove

-- Makes the folder, and returns it.
function stores.set_up()
  local folder
  folder, remove = shell.folder()
  opened = {}
  return folder
end

function stores.tear_down()
  for _, store in ipairs(opened) do store:close() end
  remove()
end

function stores.open(where, read_only)
  local store, why = native.open(where, read_only)
  if store then opened[#opened + 1] = store end
  return store, why
end

-- What another program does to the file.
function stores.sql(path, statements)
  local other = native.other(path)
  local cell = other:run(statements)
  other:close()
  return cell
end

return stores
