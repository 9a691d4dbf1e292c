local keys = require("unit").keys

local one = ("A"):rep(42) .. "E"
local two = ("B"):rep(42) .. "I"

local function run(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read("a")
  return pipe:close(), text
end

describe("keys", function()
  describe("in a text", function()
    local function refused(text)
      local list, problem, emptied = keys.read(text)
      assert.is_nil(list)
      assert.is_true(emptied)
      return problem
    end

    it("are read in order, one a line or a comma", function()
      local ids = keys.read(one .. "," .. two)
      assert.equal(2, #ids)
      assert.not_equal(ids[1], ids[2])
      assert.same(ids, keys.read(one .. "\n" .. two .. "\n"))
      assert.same({ ids[2], ids[1] }, keys.read(two .. "\r\n\r\n\t" .. one .. " ,"))
    end)

    it("may have comments, which hold no keys", function()
      assert.same(keys.read(one), keys.read("# " .. two .. "," .. two .. "\n" .. one .. " # mine"))
    end)

    it("have ids that tell nothing of them", function()
      local id = keys.read(one)[1]
      assert.equal(8, #id)
      assert.not_equal(("\0"):rep(8), id)
    end)

    it("are refused when there is none", function()
      for _, text in ipairs { "", "\n", " , ,\n", "# " .. one } do
        assert.matches("no key", refused(text))
      end
    end)

    it("are refused unless they are 32 bytes of strict base64url", function()
      local broken = {
        one .. "=", one:sub(1, -2), one .. "A", one .. "AAA", one:sub(1, -2) .. "F",
        "+" .. one:sub(2), "/" .. one:sub(2), one:sub(1, 20) .. " " .. one:sub(22),
        one:sub(1, 20) .. "\0" .. one:sub(22), "é" .. one:sub(3),
      }
      for _, text in ipairs(broken) do
        assert.matches("key 1 is not 43 characters", refused(text))
      end
    end)

    it("are named by their place and never by their text", function()
      local secret = "c2VjcmV0" .. ("s"):rep(30)
      local problem = refused(one .. "\n" .. secret .. "\n" .. two)
      assert.matches("key 2 ", problem)
      assert.is_nil(problem:find("c2VjcmV0", 1, true))
      assert.is_nil(problem:find(one, 1, true))
    end)
  end)

  it("are another one each time they are made fresh", function()
    assert.not_equal(keys.fresh()[1], keys.fresh()[1])
  end)

  describe("in a file", function()
    local folder, path

    local function write(text, mode)
      local file = assert(io.open(path, "w"))
      assert(file:write(text))
      assert(file:close())
      assert.is_true(run(("chmod %s %s"):format(mode or "600", path)))
    end

    local function files()
      return select(2, run("ls -A " .. folder))
    end

    before_each(function()
      folder = select(2, run("mktemp -d")):gsub("\n", "")
      path = folder .. "/keys"
    end)

    after_each(function()
      run("rm -rf " .. folder)
    end)

    it("are made when there is none, readable by the owner alone, and stay the same", function()
      local ids = assert(keys.load(path))
      assert.equal(1, #ids)
      assert.equal("600\n", select(2, run("stat -c %a " .. path)))
      assert.equal("keys\n", files())
      assert.same(ids, keys.load(path))
    end)

    it("are made again with another secret once the file is gone", function()
      local ids = keys.load(path)
      assert(os.remove(path))
      assert.not_same(ids, keys.load(path))
    end)

    it("are the same for all processes that start at once", function()
      local script = "local id = require('unit').keys.load(arg[1])[1] "
        .. "print((id:gsub('.', function(c) return ('%02x'):format(c:byte()) end)))"
      local cpath = ("LUA_CPATH='%s'"):format(package.cpath)
      local pipes = {}
      for i = 1, 8 do
        local command = "%s lua5.4 - '%s' <<'END'\n%s\nEND\n"
        pipes[i] = assert(io.popen(command:format(cpath, path, script)))
      end
      local seen = {}
      for i, pipe in ipairs(pipes) do
        seen[i] = pipe:read("a")
        assert.is_true(pipe:close())
      end
      assert.equal(17, #seen[1])
      for i = 2, #seen do assert.equal(seen[1], seen[i]) end
      assert.equal("keys\n", files())
    end)

    it("are read with comments, the first one first", function()
      write("# ours\n" .. two .. "\n" .. one .. " # old\n")
      assert.same(keys.read(two .. "," .. one), keys.load(path))
    end)

    it("may be read-only", function()
      write(one, "400")
      assert.same(keys.read(one), keys.load(path))
    end)

    it("are refused in every looser mode, with the command that helps", function()
      for _, mode in ipairs { "640", "604", "660", "666", "644", "601", "700", "610" } do
        write(one, mode)
        local ids, problem = keys.load(path)
        assert.is_nil(ids, mode)
        assert.matches("mode 0" .. mode, problem)
        assert.is_truthy(problem:find("chmod 600 '" .. path .. "'", 1, true), problem)
      end
    end)

    it("are refused when the file is another user's", function()
      write(one)
      if not run("chown 12345 " .. path) then return pending("only root can give a file away") end
      local ids, problem = keys.load(path)
      assert.is_nil(ids)
      assert.matches("belongs to user 12345", problem)
      assert.matches("chown %d+ '", problem)
    end)

    it("are refused with the file's name and never with its text", function()
      write(one .. "\nsecret" .. one)
      local ids, problem = keys.load(path)
      assert.is_nil(ids)
      assert.is_truthy(problem:find(path, 1, true), problem)
      assert.matches("key 2 is not", problem)
      assert.is_nil(problem:find("secret", 1, true))
      assert.is_nil(problem:find(one, 1, true))
    end)

    it("are not replaced when the file is there but empty", function()
      write("")
      local ids, problem = keys.load(path)
      assert.is_nil(ids)
      assert.matches("no key", problem)
      assert.equal("0\n", select(2, run("stat -c %s " .. path)))
    end)

    it("are refused in a file that is too long", function()
      write(("#"):rep(17 * 1024) .. "\n" .. one)
      local _, problem = keys.load(path)
      assert.matches("longer than", problem)
    end)

    it("are refused when the name is a folder's or a pipe's", function()
      assert.is_true(run("mkdir " .. path))
      local _, problem = keys.load(path)
      assert.matches("not a plain file", problem)
      assert.is_true(run(("rmdir %s && mkfifo -m 600 %s"):format(path, path)))
      _, problem = keys.load(path)
      assert.matches("not a plain file", problem)
    end)

    it("cannot be made in a folder that is not there, and the error says so", function()
      local ids, problem = keys.load(folder .. "/missing/keys")
      assert.is_nil(ids)
      assert.matches("cannot make the key file .*/missing/keys: No such file", problem)
    end)
  end)
end)
