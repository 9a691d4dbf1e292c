-- Measures commits a second of 64 clients, put together and one by one, and what a sync costs here.
--
--   LUA_CPATH="build/spec/?.so;;" lua5.4 spec/bench/commits.lua [FOLDER]

local queue = require("unit").queue
local socketlib = require "socket"

local CLIENTS, EACH = 64, 30
local folder = arg[1] or "."

-- Returns commits a second; `method` is that of the queue which submits one.
local function measure(method, clients, each)
  local path = ("%s/commits-%d.db"):format(folder, math.random(1 << 30))
  local q = queue.new(path)
  local done, begun = 0, socketlib.gettime()
  for i = 1, clients do q[method](q, "k" .. i, each - 1) end
  while done < clients * each do
    q:wakes(1)
    local _, n = q:reap():gsub("put", "")
    done = done + n
  end
  local rate = clients * each / (socketlib.gettime() - begun)
  q:free()
  for _, suffix in ipairs { "", "-wal", "-shm" } do os.remove(path .. suffix) end
  return rate
end

local alone = measure("submit", 1, 300)
local single, together = measure("submit", CLIENTS, EACH), measure("commit", CLIENTS, EACH)
print(("a commit with its sync, nobody else there   %8.2f ms"):format(1000 / alone))
print(("%d clients, one by one                      %8.0f commits/s"):format(CLIENTS, single))
print(("%d clients, put together                    %8.0f commits/s, %.1f times"):format(CLIENTS,
  together, together / single))
