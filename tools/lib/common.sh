# shellcheck shell=bash disable=SC2034,SC2154 # used, and set, in the other files
# What every tool shares: paths, progress of steps, error messages.
# Runs in the bash 3.2 of macOS, so no associative arrays and no mapfile.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${ATTENTION_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/attention-playground}
log=$cache/setup.log

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

# missing WHAT-AND-WHY DEBIAN UBUNTU FEDORA MACOS: fails with one sentence and the command for each system.
missing() {
  fail "$1. Debian: $2 · Ubuntu: $3 · Fedora: $4 · macOS: $5"
}

have() { command -v "$1" >/dev/null 2>&1; }

# at_least 3.1.61 3.1.69: is the second version the first or newer?
at_least() {
  [ "$(printf '%s\n%s\n' "$1" "$2" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)" = "$1" ]
}

checksum() { cksum | tr ' ' -; }

# timed LABEL COMMAND…: runs it with its output in $log, shows one line with the seconds it took, and sets
# timed_status, and log_from to where its output begins. (Returning the status would invite "timed … || …",
# which switches errexit off inside.)
ticker=
trap '[ -z "$ticker" ] || kill "$ticker" 2>/dev/null' EXIT
trap 'printf "\n"; exit 130' INT TERM
timed() {
  local label=$1 started=$SECONDS
  shift
  log_from=$(($(wc -l <"$log") + 1))
  if [ -t 1 ]; then
    while kill -0 $$ 2>/dev/null; do
      printf '\r%s … %d s ' "$label" $((SECONDS - started))
      sleep 0.5
    done &
    ticker=$!
  fi
  set +e
  (set -e; "$@") >>"$log" 2>&1 </dev/null
  timed_status=$?
  set -e
  if [ -n "$ticker" ]; then
    kill "$ticker" 2>/dev/null || true
    wait "$ticker" 2>/dev/null || true
    ticker=
    printf '\r'
  fi
  case $timed_status in
    0) printf '%s … %d s\n' "$label" $((SECONDS - started)) ;;
    *) printf '%s … failed\n' "$label" ;;
  esac
}

# step LABEL COMMAND…: timed and numbered; ends the tool when it fails.
step_number=0
step_count=0
step() {
  step_number=$((step_number + 1))
  timed "[$step_number/$step_count] $1" "${@:2}"
  [ "$timed_status" = 0 ] || {
    tail -n "+$log_from" "$log" | tail -n 20 | sed 's/^/    /'
    fail "This step failed. Fix it and run this again; downloads are kept. Full log: $log"
  }
}

# Two runs may start at once: the second waits, then finds the work done.
lock_cache() {
  mkdir -p "$cache" 2>/dev/null || fail "The cache folder $cache is not writable. Set ATTENTION_CACHE to a folder that is."
  have flock || return 0
  exec 9>"$cache/lock"
  flock -n 9 && return 0
  say "Another setup is running. Waiting for it to finish."
  flock 9
}
