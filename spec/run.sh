#!/bin/sh
# Runs everything CI runs, or the steps named, and ends with the line "N passed, N failed".
#
#   sh spec/run.sh [STEP…]       --help lists the steps
#
# Each spec counts as one, and so does each other check. The output of a step is kept in
# build/log/STEP.log and shown only when the step fails.
set -u
cd "$(dirname "$0")/.." || exit 1
. core/packages.sh
. spec/npm.sh

STEPS="gcc clang unit wire scripts interop conformance faults
  asan asan-unit asan-wire asan-scripts asan-interop luacheck cppcheck tidy format style fuzz"
SPEC_LIMIT=900 # seconds a pass over one folder of specs may take
passed=0
failed=0
pid=

help() {
  cat <<'END'
usage: sh spec/run.sh [STEP…]       all of them by default; what a step needs is built first

  gcc clang           warning-free builds, in build/gcc and build/clang
  unit wire           busted over spec/unit (with the direction of the includes) and spec/wire
  scripts interop     busted over spec/scripts and spec/interop
  conformance         the official conformance suite: spec/conformance/run.sh
  faults              what is stored when host or disk fail: spec/faults/run.sh, 200 rounds
  asan                the build with AddressSanitizer and UndefinedBehaviorSanitizer, in build/asan
  asan-unit …         the same four passes over that build
  luacheck cppcheck tidy format
                      the linters, and clang-format
  style               lengths and the share of comments: spec/style/measure.lua
  fuzz                each target of spec/fuzz for LUNASK_FUZZ_SECONDS (10), and 200,000 cases
                      of spec/fuzz/patterns_many.lua
END
}

# Runs a command that may hang: at most $1 seconds, and not longer than this script.
limited() {
  timeout -k 10 "$@" &
  pid=$!
  wait "$pid"
  result=$?
  pid=
  return $result
}

interrupted() {
  [ -z "$pid" ] || kill "$pid"
  echo "interrupted" >&2
  exit 130
}
trap interrupted INT TERM

# run NAME COMMAND…: runs it with its output in build/log/NAME.log; its seconds come in $took.
run() {
  log=build/log/$1.log
  shift
  begun=$(date +%s%N)
  "$@" >"$log" 2>&1 </dev/null
  result=$?
  took=$((($(date +%s%N) - begun) / 100000000))
  took=$((took / 10)).$((took % 10))
  return $result
}

# say WORD NAME [DETAIL]: the one line of a step.
say() {
  printf '%-4s %-18s %6s s  %s\n' "$1" "$2" "$took" "${3:-}"
}

show_log() {
  sed 's/^/     | /' "$log"
}

# check NAME COMMAND…: a step that counts as one.
check() {
  name=$1
  if run "$@"; then
    passed=$((passed + 1))
    say ok "$name"
  else
    failed=$((failed + 1))
    say FAIL "$name"
    show_log
    return 1
  fi
}

skip() {
  printf '%-4s %-18s           %s\n' -- "$1" "$2"
}

build() {
  case $1 in
    clang) set -- clang -DCMAKE_C_COMPILER=clang ;;
    asan) set -- asan -DCMAKE_C_COMPILER=clang -DLUNASK_SANITIZE=ON ;;
    fuzz) set -- fuzz -DCMAKE_C_COMPILER=clang -DLUNASK_FUZZ=ON ;;
    *) set -- gcc -DCMAKE_C_COMPILER=gcc ;;
  esac
  kind=$1
  shift
  target=all
  [ "$kind" != fuzz ] || target=fuzz
  configure "build/$kind" -DLUNASK_WERROR=ON "$@" &&
    cmake --build "build/$kind" --target $target -j 2
}

# built KIND: builds build/KIND, once a run.
built() {
  eval "state=\${built_$1:-}"
  if [ -z "$state" ]; then
    state=broken
    ! check "$1" build "$1" || state=whole
    eval "built_$1=$state"
  fi
  [ "$state" = whole ]
}

# What a sanitizer finds goes to files, so that no spec can swallow it (clang's runtime writes the
# reports of both sanitizers there; gcc's does not). Leaks are looked for in the host only.
prepare_asan() {
  rm -rf build/asan/reports
  mkdir -p build/asan/reports
  cat >build/asan/host <<END
#!/bin/sh
unset LD_PRELOAD
export ASAN_OPTIONS=detect_leaks=1:log_path=$PWD/build/asan/reports/host
export UBSAN_OPTIONS=print_stacktrace=1
exec "$PWD/build/asan/lunask" "\$@"
END
  chmod +x build/asan/host
}

# busted_in KIND FOLDER: one pass; specs find the program by LUNASK and unit.so by LUA_CPATH.
busted_in() {
  lunask=$PWD/build/$1/lunask
  cpath="$PWD/build/$1/spec/?.so;;"
  if [ "$1" = asan ]; then
    prepare_asan
    runtime=$(clang -print-file-name="libclang_rt.asan-$(uname -m).so")
    limited $SPEC_LIMIT env LUNASK="$PWD/build/asan/host" LUA_CPATH="$cpath" LD_PRELOAD="$runtime" \
      ASAN_OPTIONS="detect_leaks=0:log_path=$PWD/build/asan/reports/spec" \
      UBSAN_OPTIONS=print_stacktrace=1 busted --lua=lua5.4 -o plainTerminal "spec/$2"
    result=$?
    cat build/asan/reports/* 2>/dev/null && result=1
    return $result
  fi
  limited $SPEC_LIMIT env LUNASK="$lunask" LUA_CPATH="$cpath" \
    busted --lua=lua5.4 -o plainTerminal "spec/$2"
}

has_specs() {
  [ -n "$(find "spec/$1" -name node_modules -prune -o -name '*_spec.lua' -print 2>/dev/null)" ]
}

# specs NAME KIND FOLDER: a pass that counts each spec. One that ended badly without naming a spec
# (a crash, a report of a sanitizer) counts as one failure.
specs() {
  built "$2" || { skip "$1" "not run: build/$2 is broken" && return 1; }
  run "$1" busted_in "$2" "$3"
  status=$?
  counts=$(sed -n 's,^\([0-9]*\) success[a-z]* / \([0-9]*\) failure[s]* / \([0-9]*\) error[s]* / \([0-9]*\) pending.*,\1 \2 \3 \4,p' \
    "$log" | tail -n 1)
  # shellcheck disable=SC2086 # four numbers
  set -- "$1" ${counts:-0 0 0 0}
  bad=$(($3 + $4))
  [ "$status" = 0 ] || [ $bad != 0 ] || bad=1
  passed=$((passed + $2))
  failed=$((failed + bad))
  detail="$2 passed, $bad failed"
  [ "$5" = 0 ] || detail="$detail, $5 pending"
  if [ $bad = 0 ]; then
    say ok "$1" "$detail"
  else
    say FAIL "$1" "$detail"
    show_log
  fi
}

# The clients of spec/interop come from npm.
interop_ready() {
  check interop-packages npm_packages spec/interop
}

# counted NAME SECONDS COMMAND…: a step whose last line counts for itself.
counted() {
  name=$1
  shift
  built gcc || return
  run "$name" limited "$@"
  result=$?
  counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log" | tail -n 1)
  # shellcheck disable=SC2086 # two words, or none when it did not come that far
  set -- ${counts:-0 1}
  passed=$((passed + $1))
  failed=$((failed + $2))
  if [ $result = 0 ] && [ "$2" = 0 ]; then
    say ok "$name" "$1 passed, 0 failed"
  else
    say FAIL "$name" "$1 passed, $2 failed"
    show_log
  fi
}

specs_of() { # NAME KIND FOLDER
  case $3 in
    scripts) has_specs scripts || { skip "$1" "spec/scripts has no specs" && return; } ;;
    interop)
      [ -f spec/interop/package.json ] ||
        { skip "$1" "spec/interop has no package.json" && return; }
      has_specs interop || { skip "$1" "spec/interop has no specs" && return; }
      interop_ready || { skip "$1" "not run: its packages are missing" && return; }
      ;;
  esac
  specs "$@"
}

c_files() {
  find core spec -name node_modules -prune -o -name "$1" -print
}

run_luacheck() {
  luacheck --no-color -q .
}

run_cppcheck() {
  # shellcheck disable=SC2046 # no file name has a space
  cppcheck -j 2 -q --std=c11 --enable=warning,performance,portability --inline-suppr \
    --error-exitcode=1 --suppress=missingIncludeSystem --suppress=identicalInnerCondition \
    -D_GNU_SOURCE -I core $(c_files '*.c')
}

run_tidy() {
  notes=build/log/tidy.notes # how many warnings it left out, a line a file
  find core -name '*.c' -print0 |
    xargs -0 -n 4 -P 2 clang-tidy -p build/clang --quiet 2>"$notes" && return
  grep -v ' generated\.$' "$notes"
  return 1
}

run_format() {
  # shellcheck disable=SC2046 # no file name has a space
  clang-format --dry-run -Werror $(c_files '*.[ch]')
}

step_style() {
  check style lua5.4 spec/style/measure.lua && show_log
}

step_fuzz() {
  [ -n "$(find spec/fuzz -name '*.c')" ] || { skip fuzz "spec/fuzz has no targets" && return; }
  built fuzz || return
  for source in spec/fuzz/*.c; do
    target=$(basename "$source" .c)
    check "fuzz-$target" limited 300 sh spec/fuzz/run.sh "$target"
  done
  built gcc || return
  check fuzz-patterns-many limited 300 env LUA_CPATH="$PWD/build/gcc/spec/?.so;;" \
    lua5.4 spec/fuzz/patterns_many.lua 200000
}

step() {
  case $1 in
    gcc | clang | asan) built "$1" ;;
    unit | wire | scripts | interop) specs_of "$1" gcc "$1" ;;
    asan-unit | asan-wire | asan-scripts | asan-interop) specs_of "$1" asan "${1#asan-}" ;;
    luacheck | cppcheck | format) check "$1" "run_$1" ;;
    tidy) built clang && check tidy run_tidy ;;
    style) step_style ;;
    conformance)
      counted conformance 600 env LUNASK=build/gcc/lunask sh spec/conformance/run.sh
      ;;
    faults)
      counted faults 300 env LUNASK="$PWD/build/gcc/lunask" LUA_CPATH="$PWD/build/gcc/spec/?.so;;" \
        sh spec/faults/run.sh
      ;;
    fuzz) step_fuzz ;;
    *)
      echo "spec/run.sh: there is no step \"$1\"; sh spec/run.sh --help lists them" >&2
      exit 2
      ;;
  esac
}

case ${1:-} in
  -h | --help) help && exit 0 ;;
esac
# shellcheck disable=SC2086 # the names are words
[ $# != 0 ] || set -- $STEPS
packages="$BUILD_PACKAGES $SPEC_PACKAGES"
command -v node >/dev/null || packages="$packages nodejs"
command -v npm >/dev/null || packages="$packages npm"
# shellcheck disable=SC2086 # the names are words
need_packages $packages
mkdir -p build/log
for name; do
  step "$name"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
