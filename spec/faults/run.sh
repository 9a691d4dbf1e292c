#!/bin/sh
# What is stored when things fail: the host is killed while meetings are booked (kills.lua), and
# the disk does not take what is written (disk.lua).
#
#   sh spec/faults/run.sh [--rounds N] [--seed N]       200 rounds; ends with "N passed, N failed"
#
# A round that failed prints its seed: --rounds 1 --seed SEED runs it again. LUNASK names another
# program than build/lunask, LUA_CPATH where shim.so is, if not in build/spec.
set -eu
cd "$(dirname "$0")/../.."
export LUA_CPATH="${LUA_CPATH:-$PWD/build/spec/?.so;;}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
lua5.4 spec/faults/disk.lua >"$log" 2>&1 || :
lua5.4 spec/faults/kills.lua "$@" >>"$log" 2>&1 || :
grep -v '^[0-9]* passed, [0-9]* failed$' "$log" || :
counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log")
# shellcheck disable=SC2086 # numbers: two of each program that came to its end
set -- ${counts:-0 1}
[ $# = 4 ] || set -- "$1" "$2" 0 1
echo "$(($1 + $3)) passed, $(($2 + $4)) failed"
[ $(($2 + $4)) = 0 ]
