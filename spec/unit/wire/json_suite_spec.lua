-- The JSON parsing suite: what every parser must accept (y_), must refuse (n_), and may do either
-- with (i_).
local json = require("unit").json

local FOLDER = (os.getenv "LUNASK_DATA" or "../shared/data") .. "/json-parsing/test_parsing"

-- Valid by RFC 8259, but readers differ on what they mean, and a message that can be read in two
-- ways is no message.
local REFUSED_ON_PURPOSE = {
  ["y_object_duplicated_key.json"] = "duplicate key",
  ["y_object_duplicated_key_and_value.json"] = "duplicate key",
  ["y_object_escaped_null_in_key.json"] = "NUL in a key",
}

local function names()
  local list = {}
  local pipe = assert(io.popen("ls '" .. FOLDER .. "' 2>/dev/null"))
  for name in pipe:lines() do list[#list + 1] = name end
  pipe:close()
  return list
end

local function read(name)
  local file = assert(io.open(FOLDER .. "/" .. name, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

describe("the JSON parsing suite", function()
  local files = names()
  if #files == 0 then
    pending("is not at " .. FOLDER .. ": set LUNASK_DATA to the folder that holds json-parsing")
    return
  end

  it("has all its files", function()
    local count = { y = 0, n = 0, i = 0 }
    for _, name in ipairs(files) do
      local kind = name:match "^([yni])_"
      if kind then count[kind] = count[kind] + 1 end
    end
    assert.same({ y = 95, n = 188, i = 35 }, count)
  end)

  for _, name in ipairs(files) do
    local kind = name:match "^([yni])_"
    if REFUSED_ON_PURPOSE[name] then
      it("has " .. name .. " refused on purpose", function()
        local ok, reason = json.accepts(read(name))
        assert.is_nil(ok)
        assert.equal(REFUSED_ON_PURPOSE[name], reason)
      end)
    elseif kind == "y" then
      it("has " .. name .. " accepted", function()
        assert.same({ true }, { json.accepts(read(name)) })
      end)
    elseif kind == "n" then
      it("has " .. name .. " refused within the text", function()
        local text = read(name)
        local ok, reason, at = json.accepts(text)
        assert.is_nil(ok)
        assert.is_string(reason)
        assert.is_true(at >= 0 and at <= #text)
      end)
    elseif kind == "i" then
      it("has " .. name .. " accepted or refused, the same each time", function()
        local text = read(name)
        local ok, reason, at = json.accepts(text)
        assert.is_true(ok or (type(reason) == "string" and at <= #text))
        assert.same({ ok, reason, at }, { json.accepts(text) })
      end)
    end
  end
end)
