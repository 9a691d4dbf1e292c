-- `lunask store list`: what is stored, read beside a running host.

local config = require "support.config"
local legacy = require "support.legacy"
local modern = require "support.modern"
local process = require "support.process"
local rpc = require "support.rpc"
local shell = require "support.shell"
local store = require "support.store"

describe("store list", function()
  local host, folder, remove

  setup(function()
    folder, remove = shell.folder()
    host = process.start()
  end)

  teardown(function()
    process.close(host)
    remove()
  end)

  local function list(script, collection)
    return process.run { "store", "list", script, collection, "--store", host.store }
  end

  local function book(topic)
    local call = modern.connect(host):ask("book_meeting", { topic = topic })
    call:answer { action = "accept", content = { approved = true, time = "14:30" } }
    assert.truthy(call.text:find("^Booked"))
  end

  it("prints a booking as soon as the client has been told of it, one row a line", function()
    local before = #store.rows(host, "book_meeting", "bookings")
    for i = 1, 3 do
      book("meeting " .. i)
      assert.equal(before + i, #store.rows(host, "book_meeting", "bookings"))
    end
    local ran = list("book_meeting", "bookings")
    assert.equal(0, ran.code)
    assert.equal("", ran.err)
    for line in ran.out:gmatch "[^\n]+" do
      local row = rpc.decode(line)
      assert.is_string(row.key)
      assert.is_string(row.value.topic)
      assert.equal("14:30", row.value.time)
    end
    assert.equal("\n", ran.out:sub(-1))
  end)

  it("prints rows in the order in which they were stored", function()
    for _, topic in ipairs { "zulu", "alpha", "mike" } do
      book(topic)
    end
    local rows = store.rows(host, "book_meeting", "bookings")
    local topics = {}
    for i = #rows - 2, #rows do
      topics[#topics + 1] = rows[i].value.topic
    end
    assert.same({ "zulu", "alpha", "mike" }, topics)
  end)

  it("prints text beyond ASCII as it was given", function()
    book "Überblick 会議 🎉"
    local rows = store.rows(host, "book_meeting", "bookings")
    assert.equal("Überblick 会議 🎉", rows[#rows].value.topic)
  end)

  it("names what was probably meant where there are no rows, and does not fail", function()
    book "one"
    for wanted, ran in pairs {
      ["book_meeting has no rows in 'booking' (did you mean 'bookings'?)"] =
        list("book_meeting", "booking"),
      ["no rows of a script 'bok_meeting' (did you mean 'book_meeting'?)"] =
        list("bok_meeting", "bookings"),
    } do
      assert.same({ 0, "", "lunask store: " .. wanted .. "\n" }, { ran.code, ran.out, ran.err })
    end
  end)

  it("looks where the settings say, without --store", function()
    book "two"
    local path = folder .. "/settings.lua"
    config.write(path, process.scripts .. "/host.lua", { store = host.store })
    local words = { "store", "list", "book_meeting", "bookings", "--config", path }
    assert.equal(list("book_meeting", "bookings").out, process.run(words).out)
    -- What was named wins, and settings with a mistake in them don't matter then.
    shell.write(path, "return { stor = 1 }\n")
    local ran = process.run(words)
    assert.equal(1, ran.code)
    assert.truthy(ran.err:find("unknown key 'stor' (did you mean 'store'?)", 1, true), ran.err)
    table.move({ "--store", host.store }, 1, 2, #words + 1, words)
    assert.equal(0, process.run(words).code)
  end)

  it("leaves the host and its waiting calls alone", function()
    local booked = store.bookings_from_now(host)
    local call = legacy.connect(host):ask("book_meeting", { topic = "undisturbed" })
    assert.equal(0, list("book_meeting", "bookings").code)
    call:answer { action = "accept", content = { approved = true } }
    assert.same({ { topic = "undisturbed", time = "09:00" } }, booked())
  end)

  it("names a store that is not there, and does not make one", function()
    local path = folder .. "/missing.db"
    local ran = process.run { "store", "list", "book_meeting", "bookings", "--store", path }
    assert.equal(1, ran.code)
    assert.equal("", ran.out)
    assert.truthy(ran.err:find(path, 1, true), ran.err)
    assert.is_nil(shell.read(path))
  end)

  it("names a file that is no store", function()
    local path = folder .. "/text"
    shell.write(path, ("not a database\n"):rep(100))
    local ran = process.run { "store", "list", "book_meeting", "bookings", "--store", path }
    assert.equal(1, ran.code)
    assert.truthy(ran.err:find(path, 1, true), ran.err)
  end)

  it("says where to look when a word is missing", function()
    local ran = process.run { "store", "list", "book_meeting" }
    assert.not_equal(0, ran.code)
    assert.truthy(ran.err:find("--help", 1, true), ran.err)
  end)
end)
