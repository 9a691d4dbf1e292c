# Packages that specs need from npm. Sourced by scripts whose working folder is the top.
# shellcheck shell=sh

# npm_packages DIR: installs what DIR/package-lock.json names into DIR/node_modules, once for each
# state of the package files.
npm_packages() {
  mark=$1/node_modules/.package-lock.json
  if [ -f "$mark" ] && [ -z "$(find "$1"/package*.json -newer "$mark")" ]; then return 0; fi
  npm_config_cache="$PWD/build/npm" npm_config_update_notifier=false \
    timeout -k 10 600 npm ci --prefix "$1" --no-audit --no-fund
}
