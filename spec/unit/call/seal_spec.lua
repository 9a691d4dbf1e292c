local seal = require("unit").seal

local new = ("A"):rep(42) .. "E"
local old = ("B"):rep(42) .. "I"
local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
local start = 1800000000000

local function claim(changes)
  local c = {
    method = "tools/call", target = "rename", principal = "ann", audience = "lunask",
    arguments = '{"id":"1"}', call_id = "0123456789abcdef",
    issued_ms = start, expires_ms = start + 600000,
  }
  for k, v in pairs(changes or {}) do c[k] = v end
  return c
end

-- The name of the fault, once it is certain that nothing came out with it.
local function fault(state, options)
  options = options or {}
  local opened, name, leaked =
    seal.open(options.keys or new, state, claim(options.expected), options.now or start)
  assert.is_nil(opened)
  assert.is_false(leaked)
  return name
end

local function parts(state)
  return state:match("^v1%.([^.]*)%.([^.]*)%.([^.]*)$")
end

local function join(id, nonce, sealed)
  return ("v1.%s.%s.%s"):format(id, nonce, sealed)
end

-- Another last character that stands for the same bytes: a spare bit of it is set.
local function with_spare_bit(text)
  local at = alphabet:find(text:sub(-1), 1, true)
  return text:sub(1, -2) .. alphabet:sub(at + 1, at + 1)
end

describe("a seal", function()
  it("opens to what was sealed", function()
    local state = seal.close(new, claim(), "pay\0load")
    local opened = assert(seal.open(new, state, claim(), start))
    assert.same({
      method = "tools/call", target = "rename", principal = "ann", audience = "lunask",
      digest = seal.digest('{"id":"1"}'), call_id = "0123456789abcdef", payload = "pay\0load",
      issued_ms = start, expires_ms = start + 600000,
    }, opened)
  end)

  it("opens with every text of it empty", function()
    local empty = { method = "", target = "", principal = "", audience = "", arguments = "" }
    local state = seal.close(new, claim(empty), "")
    assert.equal("", assert(seal.open(new, state, claim(empty), start)).payload)
  end)

  it("does not read the call id and the times that are expected", function()
    local state = seal.close(new, claim(), "x")
    local other = claim { call_id = ("z"):rep(16), issued_ms = 1, expires_ms = 2 }
    assert.equal("0123456789abcdef", assert(seal.open(new, state, other, start)).call_id)
  end)

  it("has the form that is written down, and shows nothing of what is inside", function()
    local state = seal.close(new, claim(), "the payload in clear")
    local id, nonce, sealed = parts(state)
    assert.same({ 11, 32 }, { #id, #nonce })
    assert.matches("^[%w_-]+$", sealed)
    assert.is_nil(state:find("payload", 1, true))
  end)

  it("never looks the same twice", function()
    local a, b = seal.close(new, claim(), "x"), seal.close(new, claim(), "x")
    local _, nonce_a, sealed_a = parts(a)
    local _, nonce_b, sealed_b = parts(b)
    assert.not_equal(nonce_a, nonce_b)
    assert.not_equal(sealed_a, sealed_b)
  end)

  it("is at most 64 KiB long, and one byte more is refused with nothing written", function()
    local longest
    for n = 48900, 49100 do
      local state = seal.close(new, claim(), ("x"):rep(n))
      if not state then break end
      longest = { n = n, state = state }
    end
    assert.is_true(#longest.state <= 65536 and #longest.state > 65530)
    assert.equal(longest.n, #assert(seal.open(new, longest.state, claim(), start)).payload)
    assert.is_nil(seal.close(new, claim(), ("x"):rep(longest.n + 1)))
    assert.is_nil(seal.close(new, claim(), ("x"):rep(1000000)))
    assert.is_nil(seal.close(new, claim { target = ("x"):rep(65536) }, ""))
  end)

  describe("that was changed", function()
    local state = seal.close(new, claim(), "payload")

    it("does not open with any bit of any byte flipped", function()
      for at = 1, #state do
        for bit = 0, 7 do
          local flipped = string.char(state:byte(at) ~ (1 << bit))
          local name = fault(state:sub(1, at - 1) .. flipped .. state:sub(at + 1))
          assert.is_true(name == "malformed" or name == "tampered" or name == "unknown key", name)
        end
      end
    end)

    it("does not open with any character exchanged for another of the alphabet", function()
      for at = 4, #state do
        local c = state:sub(at, at)
        if c ~= "." then
          local other = c == "A" and "B" or "A"
          fault(state:sub(1, at - 1) .. other .. state:sub(at + 1))
        end
      end
    end)

    it("does not open cut at any length, from either end", function()
      for n = 0, #state - 1 do
        fault(state:sub(1, n))
        fault(state:sub(#state - n + 1))
      end
    end)

    it("does not open with anything before or behind it", function()
      for byte = 0, 255 do
        local c = string.char(byte)
        assert.equal("malformed", fault(c .. state))
        local name = fault(state .. c)
        assert.is_true(name == "malformed" or name == "tampered", name)
      end
    end)

    it("is malformed with padding, a foreign alphabet or white space", function()
      local id, nonce, sealed = parts(state)
      for _, odd in ipairs { "=", "==", "+", "/", " ", "\n", "\0", "." } do
        assert.equal("malformed", fault(join(id .. odd, nonce, sealed)))
        assert.equal("malformed", fault(join(id, nonce .. odd, sealed)))
        assert.equal("malformed", fault(join(id, nonce, sealed .. odd)))
        assert.equal("malformed", fault(join(odd .. id:sub(2), nonce, sealed)))
        assert.equal("malformed", fault(join(id, odd .. nonce:sub(2), sealed)))
        assert.equal("malformed", fault(join(id, nonce, odd .. sealed:sub(2))))
      end
    end)

    it("is malformed where the last character has a spare bit set", function()
      local id, nonce, sealed = parts(state)
      assert.equal("malformed", fault(join(with_spare_bit(id), nonce, sealed)))
      local tried = 0
      for n = 0, 2 do
        local id_n, nonce_n, sealed_n = parts(seal.close(new, claim(), ("x"):rep(n)))
        if #sealed_n % 4 ~= 0 then
          assert.equal("malformed", fault(join(id_n, nonce_n, with_spare_bit(sealed_n))))
          tried = tried + 1
        end
      end
      assert.equal(2, tried)
    end)

    it("is malformed when it is too long, has other parts or another version", function()
      local id, nonce, sealed = parts(state)
      local texts = {
        "", "v1", "v1.", "v1...", "v1....", "v2." .. state:sub(4), "V1." .. state:sub(4),
        "1." .. state:sub(4), "." .. state, state .. "." .. sealed, join("", nonce, sealed),
        join(id, "", sealed), join(id, nonce, ""), join(id, nonce, "AAAA"),
        join(id .. "AAAA", nonce, sealed), join(id, nonce .. "AAAA", sealed),
        join(id, nonce:sub(5), sealed), join(id:sub(1, 7), nonce, sealed),
        join(id, nonce, ("A"):rep(65536)), ("x"):rep(1000000),
      }
      for _, text in ipairs(texts) do
        assert.equal("malformed", fault(text), text:sub(1, 60))
      end
    end)

    it("does not open with the nonce or the ciphertext of another", function()
      local id, nonce, sealed = parts(state)
      local _, nonce_2, sealed_2 = parts(seal.close(new, claim(), "payload"))
      assert.equal("tampered", fault(join(id, nonce_2, sealed)))
      assert.equal("tampered", fault(join(id, nonce, sealed_2)))
    end)

    it("does not open under the name of another key that we hold", function()
      local _, nonce, sealed = parts(state)
      local other = parts(seal.close(old, claim(), "x"))
      assert.equal("tampered", fault(join(other, nonce, sealed), { keys = new .. "," .. old }))
    end)
  end)

  it("is malformed when another layout was sealed with our key", function()
    local head = ("i"):rep(16) .. (">i8i8"):pack(start, start + 600000)
      .. seal.digest('{"id":"1"}')
    local plain = head
      .. (">s4s4s4s4s4"):pack("tools/call", "rename", "ann", "lunask", "payload")
    assert.equal("payload", assert(seal.open(new, seal.forge(new, plain), claim(), start)).payload)
    assert.equal("malformed", fault(seal.forge(new, plain .. "x")))
    for n = 0, #plain - 1 do
      assert.equal("malformed", fault(seal.forge(new, plain:sub(1, n))), n)
    end
    local endless = head .. ("\255"):rep(4) .. plain:sub(#head + 5)
    assert.equal("malformed", fault(seal.forge(new, endless)))
  end)

  describe("while keys rotate", function()
    it("opens with its key in any place of the list", function()
      local state = seal.close(old, claim(), "x")
      assert.is_table((seal.open(new .. "," .. old, state, claim(), start)))
      assert.is_table((seal.open(old .. "," .. new, state, claim(), start)))
    end)

    it("is made with the first key", function()
      local state = seal.close(new .. "," .. old, claim(), "x")
      assert.is_table((seal.open(new, state, claim(), start)))
      assert.equal("unknown key", fault(state, { keys = old }))
    end)

    it("no longer opens once its key is taken out", function()
      assert.equal("unknown key", fault(seal.close(old, claim(), "x")))
    end)
  end)

  describe("is bound", function()
    local bound = {
      method = { "prompts/get", "other method" },
      target = { "Rename", "other target" },
      arguments = { '{"id":"2"}', "other arguments" },
      principal = { "bob", "other principal" },
      audience = { "lunask-2", "other audience" },
    }

    for name, case in pairs(bound) do
      it(("to its %s"):format(name), function()
        local state = seal.close(new, claim(), "x")
        assert.equal(case[2], fault(state, { expected = { [name] = case[1] } }))
        assert.equal(case[2], fault(state, { expected = { [name] = "" } }))
        local nobodys = seal.close(new, claim { [name] = "" }, "x")
        assert.equal(case[2], fault(nobodys))
      end)
    end

    it("to each text where it stands, not to all of them joined", function()
      local state = seal.close(new, claim { target = "ab", principal = "c" }, "x")
      assert.equal("other target", fault(state, { expected = { target = "a", principal = "bc" } }))
    end)

    it("to its time: it opens until the millisecond before it expires", function()
      local state = seal.close(new, claim(), "x")
      assert.is_table((seal.open(new, state, claim(), start + 599999)))
      assert.equal("expired", fault(state, { now = start + 600000 }))
      assert.equal("expired", fault(state, { now = start + 600001 }))
    end)

    it("to its time: it opens from a minute before it was issued, as clocks differ", function()
      local state = seal.close(new, claim(), "x")
      assert.is_table((seal.open(new, state, claim(), start - 60000)))
      assert.equal("expired", fault(state, { now = start - 60001 }))
    end)
  end)

  it("tells the first of several faults", function()
    local wrong = {
      method = "x", target = "x", arguments = "x", principal = "x", audience = "x",
    }
    local late = { expected = wrong, now = start + 600000 }
    local state = seal.close(new, claim(), "x")
    for _, name in ipairs { "method", "target", "arguments", "principal", "audience" } do
      assert.equal("other " .. name, fault(state, late))
      wrong[name] = nil
    end
    assert.equal("expired", fault(state, late))
  end)

  it("has another name for each fault", function()
    local seen = {}
    for _, name in ipairs(seal.faults()) do
      assert.is_nil(seen[name])
      seen[name] = true
    end
    assert.equal(10, #seal.faults())
  end)

  it("digests as BLAKE2b-256 does", function()
    local hex = seal.digest("abc"):gsub(".", function(c) return ("%02x"):format(c:byte()) end)
    assert.equal("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319", hex)
  end)
end)
