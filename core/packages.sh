# What the build and the specs need from Debian 12, and how it gets there.
# Sourced by core/run.sh and spec/run.sh; the lists are kept here and nowhere else.
# shellcheck shell=sh disable=SC2034

BUILD_PACKAGES="gcc libc6-dev cmake make pkg-config libmicrohttpd-dev libuv1-dev liblua5.4-dev
  libpcre2-dev libsodium-dev libsqlite3-dev libcurl4-openssl-dev lua-cjson"

SPEC_PACKAGES="clang clang-format clang-tidy libclang-rt-14-dev lua5.4 lua-busted lua-socket
  lua-check cppcheck wrk curl sqlite3 git universal-ctags"

# Prints those of the packages "$@" that are not installed. dpkg-query fails when it has never heard
# of one, which on a fresh machine is the rule.
missing_packages() {
  installed=" $(dpkg-query -W -f '${Package}=${db:Status-Status} ' "$@" 2>/dev/null || :) "
  for package; do
    case $installed in
      *" $package=installed "*) ;;
      *) printf ' %s' "$package" ;;
    esac
  done
}

# Installs what is missing of the packages "$@". Without root it ends the script with the command
# to run instead. Where there is no dpkg the build itself says what it lacks.
need_packages() {
  command -v dpkg-query >/dev/null || return 0
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    echo "Missing packages; run as root: apt-get install --no-install-recommends$missing" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  echo "Installing$missing" >&2
  apt-get update -qq >&2 </dev/null || echo "apt-get update failed; trying with what is here" >&2
  # shellcheck disable=SC2086 # the names are words
  apt-get install -qq -y --no-install-recommends $missing >&2 </dev/null || {
    echo "The packages above could not be installed; see apt-get's message" >&2
    exit 1
  }
}

# configure DIR [CMAKE ARGUMENTS]: configures DIR unless that was done, for this very folder.
configure() {
  dir=$1
  shift
  if [ -f "$dir/Makefile" ] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$dir/CMakeCache.txt"
  then
    return 0
  fi
  rm -f "$dir/CMakeCache.txt"
  cmake -S . -B "$dir" -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@"
}
