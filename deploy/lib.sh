# shellcheck shell=bash
# What the deploy scripts share. Sourced, never run.

set -euo pipefail
# A failure inside $(…) ends the script as one outside does.
shopt -s inherit_errexit

# The checkout.
export root
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# The toolchain release that the manifest and the sources need.
readonly minimumSwift=6.2

say() {
  printf '\n== %s\n' "$*"
}

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# usage ARGUMENT: prints the script's opening comment, and ends it: well if help was asked for.
usage() {
  local text
  text=$(sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0")
  case "${1:-}" in
    -h | --help)
      printf '%s\n' "$text"
      exit 0
      ;;
    *)
      printf '%s\n' "$text" >&2
      exit 64
      ;;
  esac
}

# Runs a command with the right to change the system.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "'$*' needs root, and neither root nor sudo is here: run it as root once, then repeat"
  fi
}

# Prints those of the named Debian packages that are not installed.
missing_packages() {
  local name
  for name in "$@"; do
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" != installed ]; then
      printf '%s\n' "$name"
    fi
  done
}

# Installs the named Debian packages that are missing, and nothing else.
install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  command -v apt-get >/dev/null ||
    fail "these packages are missing and apt-get is not here to install them: ${missing[*]}"
  say "install ${missing[*]}"
  as_root apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# Puts the directory of a usable `swift` first in PATH, or says where to get one.
find_swift() {
  local candidate version
  for candidate in "$(command -v swift || true)" /opt/swift/usr/bin/swift \
    "$HOME/.local/share/swiftly/bin/swift" /usr/local/swift/usr/bin/swift; do
    [ -x "$candidate" ] || continue
    version=$("$candidate" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p') ||
      continue
    [ -n "$version" ] || continue
    if [ "$(printf '%s\n%s\n' "$minimumSwift" "$version" | sort -V | head -n 1)" = "$minimumSwift" ]
    then
      PATH="$(dirname "$candidate"):$PATH"
      export PATH
      return 0
    fi
  done
  fail "Swift $minimumSwift or newer is needed and was not found on PATH (found: ${version:-none}).
Get it from https://www.swift.org/install/linux/ and put its usr/bin on PATH."
}
