#include "script/values_write.h"

#include "vm.h"

int unit_values_write(lua_State *L);

/* members(vm, path): the members and the meta of what the file returns; or nil and the error. Both
 * ways the stack of the VM must be as it was. */
static int members(lua_State *L)
{
    struct vm *vm = unit_vm_test(L, 1);
    struct buf out = {0}, meta = {0};
    struct error error;
    luaL_argcheck(L, vm, 1, "no VM");
    if (vm_run_file(vm, luaL_checkstring(L, 2), &error) != 0)
        return luaL_error(L, "%s", error.text);
    int top = lua_gettop(vm->L);
    int result = values_write_members(vm->L, -1, &out, &meta, &error);
    bool balanced = lua_gettop(vm->L) == top;
    lua_pop(vm->L, 1);
    if (result == 0)
        lua_pushlstring(L, out.p ? out.p : "", out.n);
    else
        lua_pushnil(L);
    lua_pushstring(L, result == 0 ? buf_text(&meta) : error.text);
    buf_free(&out);
    buf_free(&meta);
    return balanced ? 2 : luaL_error(L, "the stack is not as it was");
}

int unit_values_write(lua_State *L)
{
    static const luaL_Reg functions[] = {{"members", members}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
