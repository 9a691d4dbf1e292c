/* Our find, match, gmatch and gsub answer what Lua's own do, or raise the same error. What takes
 * ours too many steps, or is too complex for Lua's own, is not compared.
 *
 * The first two bytes of an input choose the function and its numbers; the rest is cut at the first
 * line's end into the pattern and the subject. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "script/patterns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 256 }; /* bytes: Lua's own has no step budget */

/* run(name, pattern, subject, a, b) -> a text with all results, or with the error */
static const char RUN[] =
    "local function all(...)\n"
    "  local list = {...}\n"
    "  for i = 1, select('#', ...) do list[i] = tostring(list[i]) end\n"
    "  return table.concat(list, '\\1')\n"
    "end\n"
    "local function walk(s, p, init)\n"
    "  local found = {}\n"
    "  for a, b, c in string.gmatch(s, p, init) do\n"
    "    found[#found + 1] = all(a, b, c)\n"
    "    if #found == 8 then break end\n" /* each has a step budget of its own */
    "  end\n"
    "  return table.concat(found, '\\2')\n"
    "end\n"
    "local function pick(...) return #... % 3 > 0 and all(...) end\n"
    "local values = setmetatable({}, {__index = function(_, k) return #k % 3 > 0 and k end})\n"
    "local calls = {\n"
    "  function(s, p, a, b) return string.find(s, p, a, b > 250) end,\n"
    "  function(s, p, a) return string.match(s, p, a) end,\n"
    "  function(s, p, a) return walk(s, p, a) end,\n"
    "  function(s, p, _, b) return string.gsub(s, p, '<%0%1>', b) end,\n"
    "  function(s, p, _, b) return string.gsub(s, p, pick, b) end,\n"
    "  function(s, p, _, b) return string.gsub(s, p, values, b) end,\n"
    "  function(s, p) return string.gsub(p, '%w', s) end,\n"
    "}\n"
    "return function(which, p, s, a, b)\n"
    "  return all(pcall(calls[which % #calls + 1], s, p, a, b))\n"
    "end\n";

/* Returns a state that has the function of RUN on its stack. */
static lua_State *new_state(bool ours)
{
    lua_State *L = luaL_newstate();
    if (!L) abort();
    luaL_openlibs(L);
    lua_getglobal(L, "string");
    if (ours) patterns_open(L, NULL);
    lua_settop(L, 0);
    if (luaL_dostring(L, RUN) != LUA_OK) abort();
    return L;
}

/* The text is on the stack, and borrowed until it is emptied. */
static struct bytes run(lua_State *L, const uint8_t *numbers, struct bytes pattern,
                        struct bytes subject)
{
    struct bytes text;
    lua_pushvalue(L, 1);
    lua_pushinteger(L, numbers[0] >> 5);
    lua_pushlstring(L, pattern.p, pattern.n);
    lua_pushlstring(L, subject.p, subject.n);
    lua_pushinteger(L, (numbers[0] & 31) - 16);
    lua_pushinteger(L, numbers[1]);
    if (lua_pcall(L, 5, 1, 0) != LUA_OK) abort();
    text.p = lua_tolstring(L, -1, &text.n);
    return text;
}

static bool has(struct bytes text, const char *words)
{
    return memmem(text.p, text.n, words, strlen(words)) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static lua_State *ours, *stock;
    if (size < 2 || size > MOST) return 0;
    if (!ours) {
        ours = new_state(true);
        stock = new_state(false);
    }
    struct bytes subject = {(const char *)data + 2, size - 2};
    struct bytes pattern = {"", 0};
    bytes_split(&subject, '\n', &pattern);
    if (!subject.p) subject = (struct bytes){"", 0};

    struct bytes mine = run(ours, data, pattern, subject);
    if (!has(mine, "pattern matching took")) {
        struct bytes theirs = run(stock, data, pattern, subject);
        if (!has(theirs, "pattern too complex") && !bytes_equal(mine, theirs)) {
            fprintf(stderr, "ours:  %.*s\nstock: %.*s\n", BYTES_ARG(mine), BYTES_ARG(theirs));
            abort();
        }
    }
    lua_settop(ours, 1);
    lua_settop(stock, 1);
    return 0;
}
