#!/bin/sh
# Builds lunask and serves the tools of scripts/ on http://127.0.0.1:3000/mcp.
#
#   sh core/run.sh [arguments of "lunask serve"]      for example: --listen 127.0.0.1:8080
#
# Installs the Debian packages that are missing (as root; otherwise it says which). Run it again at
# any time: what is there already is not done twice.
set -eu
cd "$(dirname "$0")/.."
. core/packages.sh

# shellcheck disable=SC2086 # the names are words
need_packages $BUILD_PACKAGES
log=build/build.log
if ! mkdir -p build || ! : >"$log"; then
  echo "$PWD/build can't be written to; build in a folder of your own" >&2
  exit 1
fi
if ! { configure build && cmake --build build --target lunask -j 2; } >"$log" 2>&1 </dev/null; then
  cat "$log" >&2
  echo "The build failed; its output is above and in $log" >&2
  exit 1
fi
exec build/lunask serve --scripts scripts "$@"
