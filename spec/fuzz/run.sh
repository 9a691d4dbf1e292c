#!/bin/sh
# Fuzzes the targets of spec/fuzz (all, or those named), each for LUNASK_FUZZ_SECONDS (10).
#
#   sh spec/fuzz/run.sh [NAME…]       NAME is spec/fuzz/NAME.c
#
# Seeds come from spec/fuzz/corpus/NAME/ and words from spec/fuzz/NAME.dict, where there are any.
# What is learned stays in build/fuzz/corpus/NAME; an input that breaks the target is kept as
# build/fuzz/NAME-crash-…: pass it to build/fuzz/spec/fuzz_NAME to see it again.
set -eu
cd "$(dirname "$0")/../.."
. core/packages.sh

if [ $# = 0 ]; then
  for source in spec/fuzz/*.c; do
    set -- "$@" "$(basename "$source" .c)"
  done
fi
{
  configure build/fuzz -DCMAKE_C_COMPILER=clang -DLUNASK_FUZZ=ON -DLUNASK_WERROR=ON
  cmake --build build/fuzz --target fuzz -j 2
} >&2

status=0
for name; do
  learned=build/fuzz/corpus/$name
  mkdir -p "$learned"
  set -- "$learned"
  [ ! -d "spec/fuzz/corpus/$name" ] || set -- "$@" "spec/fuzz/corpus/$name"
  [ ! -f "spec/fuzz/$name.dict" ] || set -- "$@" "-dict=spec/fuzz/$name.dict"
  echo "fuzz $name"
  "build/fuzz/spec/fuzz_$name" -max_total_time="${LUNASK_FUZZ_SECONDS:-10}" -timeout=5 \
    -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 -artifact_prefix="build/fuzz/$name-" \
    "$@" || status=1
done
exit $status
