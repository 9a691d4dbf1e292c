-- What the host has stored, read from outside with `lunask store list`.

local process = require "support.process"
local rpc = require "support.rpc"

local store = {}

-- Returns the rows of a collection as a list of { key, value }.
function store.rows(host, script, collection)
  local ran = process.run { "store", "list", script, collection, "--store", host.store }
  assert(ran.code == 0, "store list failed: " .. ran.err)
  local rows = {}
  for line in ran.out:gmatch "[^\n]+" do
    rows[#rows + 1] = rpc.decode(line)
  end
  return rows
end

local function sorted(bookings)
  table.sort(bookings, function(a, b)
    return a.topic < b.topic
  end)
  return bookings
end

-- Returns all bookings, as a list of { topic, time } in the order of the topics.
function store.bookings(host)
  local all = {}
  for i, row in ipairs(store.rows(host, "book_meeting", "bookings")) do
    all[i] = row.value
  end
  return sorted(all)
end

-- Returns a function that returns the bookings made since, as a list of { topic, time } in the
-- order of the topics.
function store.bookings_from_now(host, script)
  script = script or "book_meeting"
  local known = {}
  for _, row in ipairs(store.rows(host, script, "bookings")) do
    known[row.key] = true
  end
  return function()
    local fresh = {}
    for _, row in ipairs(store.rows(host, script, "bookings")) do
      if not known[row.key] then
        fresh[#fresh + 1] = row.value
      end
    end
    return sorted(fresh)
  end
end

return store
