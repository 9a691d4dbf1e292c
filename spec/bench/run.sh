#!/bin/sh
# Measures lunask beside a bare libmicrohttpd server: requests a second, latency, CPU time of the
# server for each request, memory, and the time from start to the first reply.
#
#   sh spec/bench/run.sh            takes about three minutes; LUNASK_BENCH_SECONDS (3) a run of wrk
#   sh spec/bench/run.sh bare       the bare server alone
#
# Each figure is the median of five runs, all cases taking turns. Client and server share the
# machine, so the CPU time is the fairest figure: compare it with the bare row of the same run.
# LUNASK names another program than build/lunask.
set -eu
cd "$(dirname "$0")/../.."
. core/packages.sh

mkdir -p build
targets=bare
[ "${1:-}" = bare ] || [ -n "${LUNASK:-}" ] || targets="bare lunask"
# shellcheck disable=SC2086 # the targets are words
if ! { configure build && cmake --build build -j 2 --target $targets; } >build/build.log 2>&1; then
  cat build/build.log >&2
  exit 1
fi

folder=$(mktemp -d)
clean_up() {
  for file in "$folder"/*.pid; do
    [ ! -f "$file" ] || kill "$(cat "$file")" 2>/dev/null || :
  done
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

mkdir "$folder/scripts"
for part in spec/bench/scripts/echo.lua scripts/book_meeting.lua scripts/host.lua scripts/lib; do
  [ ! -e "$part" ] || cp -R "$part" "$folder/scripts/"
done
lua5.4 spec/bench/bench.lua "$folder" "$@"
