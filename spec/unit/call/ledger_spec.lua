local shell = require "support.shell"
local unit = require "unit"

local YES, NO = '{"action":"accept"}', '{"action":"decline"}'
local DONE = { text = '"content":[]' }

for _, kind in ipairs { "memory:", "an SQLite file" } do
  describe("the ledger over " .. kind, function()
    local ledger, folder, remove

    before_each(function()
      folder, remove = shell.folder()
      ledger = unit.ledger.new(kind == "memory:" and kind or folder .. "/store.db")
    end)

    after_each(function()
      ledger:close()
      remove()
    end)

    local function look(...) return { ledger:look(...) } end

    it("is not needed by a call that was answered nothing", function()
      assert.is_false(ledger:needed(1))
      assert.is_true(ledger:needed(1, YES))
    end)

    it("knows nothing of a call that has not finished", function()
      ledger:commit(2, YES, DONE, 0, 1)
      assert.same({ "open" }, look(1, YES))
    end)

    for _, case in ipairs {
      { "a result", { text = '"content":[{"a":"}"}]', meta = '{"m":1}' }, "result" },
      { "an empty result", { text = "" }, "result" },
      { "a refusal", { kind = "refused", text = 'no "such" thing' }, "refused" },
      { "a refusal without a reason", { kind = "refused", text = "" }, "refused" },
      { "a failure", { kind = "failed", text = "tool failed" }, "failed" },
    } do
      it("keeps " .. case[1] .. " as it was", function()
        local result = case[2]
        assert.is_true(ledger:commit(1, YES, result, 0, 1))
        assert.same({ "same", case[3], result.text, result.meta or "" }, look(1, YES))
        assert.same({ "other" }, look(1, NO))
      end)
    end

    it("takes two texts of one answer for the same", function()
      ledger:commit(1, '{"action":"accept","content":{"n":1.0}}', DONE, 0, 1)
      assert.equal("same", look(1, ' {"content": {"n":1}, "action" :"accept"}')[1])
    end)

    it("says so of a result that is too large to be kept, and keeps its claim", function()
      local large = { text = '"text":"' .. ("x"):rep(256 * 1024) .. '"' }
      assert.is_true(ledger:commit(1, YES, large, 0, 1))
      assert.same({ "same", "large", "", "" }, look(1, YES))
      assert.is_false(ledger:commit(1, YES, DONE, 0, 1))
    end)

    it("lets a call finish once, and writes nothing of what comes later", function()
      assert.is_true(ledger:commit(1, YES, DONE, 0, 1, "first"))
      assert.is_false(ledger:commit(1, NO, DONE, 0, 1, "second"))
      assert.equal(1, ledger:rows("s", "c"))
      assert.equal("same", look(1, YES)[1])
    end)

    it("sweeps rows that have expired, and no others, faster than new ones come", function()
      for i = 1, 10 do ledger:commit(i, YES, DONE, 0, 1000) end
      for i = 11, 20 do ledger:commit(i, YES, DONE, 500, 3000) end
      assert.equal(20, ledger:rows(".lunask", "finished"))
      for i = 21, 25 do ledger:commit(i, YES, DONE, 1000, 5000) end
      assert.equal(15, ledger:rows(".lunask", "finished"))
      assert.same({ "open" }, look(1, YES))
      assert.equal("same", look(11, YES)[1])
    end)
  end)
end
