#include "script/run_time.h"

#include "base/clock.h"
#include "script/run_state.h"

#include <string.h>

int64_t run_time_ms(const struct vm *vm)
{
    return vm->running ? vm->running->started_ms : clock_wall_ms();
}

static uint64_t rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

uint64_t run_time_random(struct vm *vm)
{
    uint64_t *s = vm->running ? vm->running->random : vm->random;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

/* splitmix64 spreads the seed: xoshiro must not start from zeros. */
void run_time_seed(uint64_t state[4], const unsigned char seed[16])
{
    uint64_t parts[2];
    memcpy(parts, seed, sizeof parts);
    uint64_t x = parts[0] ^ rotate(parts[1], 32);
    for (int i = 0; i < 4; i++) {
        uint64_t z = (x += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        state[i] = z ^ (z >> 31) ^ (i == 3 ? parts[1] : 0);
    }
}
