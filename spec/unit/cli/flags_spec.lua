local flags = require("unit").flags

describe("the flags of a command", function()
  it("are read with a space or an equals sign, in any order, among the words", function()
    assert.same({ "list", "x", store = "a.db", listen = "1" },
      flags.read(2, "--store", "a.db", "list", "--listen=1", "x"))
  end)

  it("may be left out", function()
    assert.same({}, flags.read(0))
  end)

  it("keep everything behind the first equals sign, nothing included", function()
    assert.same({ store = "a=b=c" }, flags.read(0, "--store=a=b=c"))
    assert.same({ store = "" }, flags.read(0, "--store="))
    assert.same({ store = "" }, flags.read(0, "--store", ""))
  end)

  it("are told apart though one begins like another", function()
    assert.same({ ["store-path"] = "p" }, flags.read(0, "--store-path", "p"))
    assert.same({ ["store-path"] = "p" }, flags.read(0, "--store-path=p"))
    assert.same({ store = "s" }, flags.read(0, "--store", "s"))
  end)

  it("are what was said last", function()
    assert.same({ store = "b" }, flags.read(0, "--store", "a", "--store=b"))
  end)

  it("may have a value that begins with a dash when it cannot be meant otherwise", function()
    assert.same({ listen = "-1" }, flags.read(0, "--listen", "-1"))
    assert.same({ store = "--x" }, flags.read(0, "--store=--x"))
  end)

  it("need a value: the end is none, and another flag is none", function()
    for _, given in ipairs { { "--store" }, { "--store", "--listen", "1" },
      { "--store", "--help" } } do
      local read, why = flags.read(0, table.unpack(given))
      assert.is_nil(read)
      assert.equal("--store needs a value", why)
    end
  end)

  for given, meant in pairs {
    ["--stor"] = "--store", ["--Listen"] = "--listen", ["--lsiten=1"] = "--listen",
    ["--hlep"] = "--help", ["-store"] = "--store", ["--store_path"] = "--store-path",
    ["--storee=a very long value indeed"] = "--store",
  } do
    it(("know no %s, and what was probably meant"):format(given), function()
      local read, why = flags.read(0, given)
      assert.is_nil(read)
      local name = given:match "^[^=]+"
      assert.equal(("unknown flag '%s' (did you mean '%s'?)"):format(name, meant), why)
    end)
  end

  it("that are like no other are unknown without a guess", function()
    for _, given in ipairs { "--colour", "-x", "-", "--" } do
      local read, why = flags.read(0, given)
      assert.is_nil(read)
      assert.equal(("unknown flag '%s' (--help lists the known ones)"):format(given), why)
    end
  end)

  it("stop being read at --help, whatever is missing or wrong behind it", function()
    assert.is_true(flags.read(2, "--help"))
    assert.is_true(flags.read(0, "-h", "--colour"))
    assert.is_true(flags.read(0, "--store=a", "--help", "--store"))
  end)

  it("leave no word over", function()
    local read, why = flags.read(1, "one", "two")
    assert.is_nil(read)
    assert.equal("'two' is one argument too many", why)
    read, why = flags.read(0, "one")
    assert.is_nil(read)
    assert.equal("'one' is one argument too many", why)
  end)

  it("may be without a value, and then take none", function()
    assert.same({ watch = true, store = "s" }, flags.read(0, "--watch", "--store", "s"))
    assert.same({ watch = true, "word" }, flags.read(1, "--watch", "word"))
    local read, why = flags.read(0, "--watch=yes")
    assert.is_nil(read)
    assert.equal("--watch takes no value", why)
  end)

  it("leave a word that was there before, unless another is given", function()
    assert.same({ "a", "b", "preset" }, flags.read(3, "a", "b"))
    assert.same({ "a", "b", "c" }, flags.read(3, "a", "b", "c"))
  end)

  it("do not make up for a word that is missing", function()
    local read, why = flags.read(2, "one", "--store", "x")
    assert.is_nil(read)
    assert.equal("an argument is missing (see --help)", why)
  end)
end)
