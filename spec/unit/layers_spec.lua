-- The direction of the includes: what core/README.md says of the layers, read from the sources.

-- From the ground up; a file may include its own floor and those below.
local FLOORS = {
  "base", "store", "wire", "schema", "prelude", "console", "script", "call", "methods", "eras",
  "host", "transports", "cli",
}

-- Who may include a system header: Lua patterns of paths in core/.
local OWNERS = {
  ["microhttpd.h"] = "^transports/http[^/]*%.c$",
  ["lua.h"] = "^script/",
  ["lauxlib.h"] = "^script/",
  ["lualib.h"] = "^script/",
}

-- Headers a layer must do without, beside those of OWNERS.
local FORBIDDEN = { wire = { ["uv.h"] = true } }

-- Where anything but libc (and the compiler's own headers) is out of place.
local LIBC_ONLY = { base = true }
local LIBC = {}
for name in ([[assert ctype errno fcntl float inttypes limits locale math poll pthread
  sanitizer/asan_interface sched setjmp signal stdalign stdarg stdatomic stdbool
  stddef stdint stdio stdlib stdnoreturn string strings syslog time unistd sys/mman
  sys/random sys/resource sys/stat sys/syscall sys/time sys/types sys/uio
  sys/wait]]):gmatch("%S+") do
  LIBC[name .. ".h"] = true
end

local height = {}
for i, name in ipairs(FLOORS) do height[name] = i end

local function check_own(path, header)
  local from, to = path:match("^[^/]+"), header:match("^([^/]+)/")
  if not to then return ("%s: \"%s\" is not written as \"layer/name.h\""):format(path, header) end
  if not height[to] then return ("%s: %s/ is no layer"):format(path, to) end
  if height[to] > height[from] then
    return ("%s includes %s, which is above it"):format(path, header)
  end
end

local function check_system(path, header)
  local layer = path:match("^[^/]+")
  local owner = OWNERS[header]
  if owner and not path:find(owner) then
    return ("%s may not include <%s>"):format(path, header)
  end
  if FORBIDDEN[layer] and FORBIDDEN[layer][header] then
    return ("%s may not include <%s>"):format(path, header)
  end
  if LIBC_ONLY[layer] and not LIBC[header] then
    return ("%s includes <%s>, which is not libc"):format(path, header)
  end
end

-- Returns what is wrong with the include lines of `text`, the file at `path` in core/.
local function problems(path, text)
  local found = {}
  if not height[path:match("^[^/]+")] then return { path .. ": its folder is no layer" } end
  for line in text:gmatch("[^\n]+") do
    local own = line:match('^%s*#%s*include%s*"([^"]+)"')
    local system = line:match("^%s*#%s*include%s*<([^>]+)>")
    found[#found + 1] = own and check_own(path, own) or system and check_system(path, system) or nil
  end
  return found
end

-- Returns the sources of core/, their text by their path in it.
local function sources()
  local texts = {}
  local pipe = assert(io.popen("find core -name '*.[ch]'"))
  for name in pipe:lines() do
    local file = assert(io.open(name))
    texts[name:gsub("^core/", "")] = file:read("a")
    file:close()
  end
  pipe:close()
  return texts
end

-- Returns the .c files of `texts` without a header of their name.
local function headless(texts)
  local found = {}
  for path in pairs(texts) do
    local header = path:gsub("%.c$", ".h")
    if path:find("%.c$") and not texts[header] and not path:find("^methods/")
      and path ~= "cli/main.c" then
      found[#found + 1] = path
    end
  end
  table.sort(found)
  return found
end

describe("the layers", function()
  local texts = sources()

  it("include each other downwards only", function()
    local found = {}
    for path, text in pairs(texts) do
      for _, problem in ipairs(problems(path, text)) do found[#found + 1] = problem end
    end
    table.sort(found)
    assert.same({}, found)
  end)

  it("give each .c a .h of its name", function()
    assert.same({}, headless(texts))
  end)

  it("are all read by this spec", function()
    assert.is_string(texts["base/bytes.h"])
    assert.is_string(texts["wire/json.h"])
    assert.is_string(texts["store/store.h"])
  end)
end)

describe("the check of the layers", function()
  it("names an include that goes up", function()
    assert.same({ "wire/json.c includes call/call.h, which is above it" },
      problems("wire/json.c", '#include "base/buf.h"\n#  include "call/call.h"\n'))
  end)

  it("lets a file include its own floor and those below", function()
    assert.same({}, problems("call/call.c", '#include "call/call.h"\n#include "wire/json.h"\n'))
  end)

  it("refuses a header without its layer, and a folder that is none", function()
    assert.equal(1, #problems("wire/json.c", '#include "json.h"\n'))
    assert.equal(1, #problems("wire/json.c", '#include "util/list.h"\n'))
    assert.equal(1, #problems("util/list.c", ""))
  end)

  it("keeps the HTTP daemon to core/transports/http*.c", function()
    assert.same({}, problems("transports/http_reply.c", "#include <microhttpd.h>\n"))
    assert.equal(1, #problems("transports/http.h", "#include <microhttpd.h>\n"))
    assert.equal(1, #problems("transports/stdio.c", "#include <microhttpd.h>\n"))
  end)

  it("keeps Lua to core/script", function()
    assert.same({}, problems("script/vm.c", "#include <lua.h>\n"))
    assert.equal(2, #problems("call/call.c", "#include <lua.h>\n#include <lauxlib.h>\n"))
  end)

  it("keeps the loop out of core/wire and all but libc out of core/base", function()
    assert.equal(1, #problems("wire/sse.c", "#include <uv.h>\n"))
    assert.same({}, problems("host/worker.c", "#include <uv.h>\n"))
    assert.equal(1, #problems("base/buf.c", "#include <sodium.h>\n"))
    assert.same({}, problems("base/buf.c", "#include <string.h>\n"))
  end)

  it("misses no .c without its .h", function()
    assert.same({ "wire/a.c" }, headless {
      ["wire/a.c"] = "", ["wire/b.c"] = "", ["wire/b.h"] = "",
      ["methods/ping.c"] = "", ["cli/main.c"] = "",
    })
  end)
end)
