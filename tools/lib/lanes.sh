# shellcheck shell=bash disable=SC2034,SC2154 # used, and set, in the other files
# The lanes of tests. A new lane is a new line here, and a function when it runs by no known means.

# lane | * when only --all runs it | what setup must bring | what is built first | how it runs | about
lane_table="
native   | | native | native                     | ctest    | the C++ tests on this machine
wasm     | | web    | wasm                       | ctest    | the same tests as WebAssembly, under Node
module   | | web    | native wasm operators      | node     | the shipped modules in Node, against the native build and PyTorch
page     | | test   | native wasm page operators | node     | the built page in a browser
embed    | | embed  | native wasm page operators npm | node     | the element in other people's pages, in one browser
hosts    |*| hosts  | native wasm page operators npm | node     | the same in Chromium, Firefox and WebKit, and at length
labs     |*| test   | native wasm page operators | node     | each lab in a browser, at every width, its numbers against the double reference
gallery  |*| test   | native wasm page operators | node     | pictures of the page's states at three widths and in both themes, to be looked at
docs     | | web    | wasm page operators        | checks   | promises name their tests, types hold, sizes keep their budgets
package  |*| native | native                     | ctest    | a stranger's project built against the library, both ways
sanitize |*| native | sanitize                   | ctest    | the C++ tests under address and undefined-behaviour sanitisers
races    |*| native | races                      | ctest    | attend() by several threads, under the thread sanitiser
scalar   |*| native | scalar                     | ctest    | the C++ tests without SIMD
python   |*| scripts | native wasm               | node     | the scripts that the page gives, run by Python with PyTorch and NumPy
wide     |*| wide   |                            | wide     | the C++ tests on wider vectors and on ARM's, as far as this processor goes
soak     |*| test   | native wasm page           | soak     | ten thousand random interactions with the page
fuzz     |*| fuzz   | fuzz                       | ctest    | a minute of libFuzzer on each target, under the sanitisers
"

# each_lane SKIPPED COMMAND…: with lane, more, goal, builds, runner and about set from each line of the table.
each_lane() {
  local leave=$1 line
  shift
  while IFS= read -r line; do
    [ -n "$line" ] || continue
    # shellcheck disable=SC2001 # spaces of any number
    IFS='|' read -r lane more goal builds runner about <<<"$(sed 's/ *| */|/g' <<<"$line")"
    if [ -n "$leave" ] && [ "$more" = "$leave" ]; then continue; fi
    "$@"
  done <<<"$lane_table"
}
is_lane() { grep -q "^$1 " <<<"$lane_table"; }
each_chosen() { each_lane '' when_chosen "$1"; }
when_chosen() { case " $chosen " in *" $lane "*) "$1" ;; esac; }

run_lane() {
  local build
  case " $ready " in
    *" $goal "*) ;;
    *)
      unwell="$unwell
  $lane: tools/setup $goal failed"
      failed=$((failed + 1))
      return
      ;;
  esac
  for build in $builds; do
    build_once "$build"
    case $built in
      *" $build:failed "*)
        unwell="$unwell
  $lane: the $build build failed"
        failed=$((failed + 1))
        return
        ;;
    esac
  done
  log=$reports/$lane.log
  : >"$log"
  counts='0 0 0'
  timed "$lane: testing" "${runner}_lane"
  "${runner}_counts"
  tally
}

built=' '
build_once() {
  case $built in *" $1:"*) return ;; esac
  log=$reports/build-$1.log
  : >"$log"
  case $1 in
    page) timed 'page: building' build_page ;;
    operators) timed 'operators: building' build_operators ;;
    npm) timed 'npm package: building' build_npm ;;
    *) timed "$1: building" build_preset "$1" ;;
  esac
  if [ "$timed_status" = 0 ]; then
    built="$built$1:ok "
  else
    built="$built$1:failed "
    tail -n 60 "$log" | sed 's/^/    /'
  fi
}

# Adds the lane's "passed failed skipped" to the whole; a lane without a test has failed, whatever it says.
tally() {
  local now_passed now_failed now_skipped
  read -r now_passed now_failed now_skipped <<<"$counts"
  say "  $now_passed of $((now_passed + now_failed)) pass$([ "$now_skipped" = 0 ] || printf ', %d left out' "$now_skipped")"
  if [ $((now_passed + now_failed)) = 0 ]; then
    unwell="$unwell
  $lane: no test ran"
    now_failed=1
  elif [ "$timed_status" != 0 ] && [ "$now_failed" = 0 ]; then
    unwell="$unwell
  $lane: the tests pass, but their runner failed"
    now_failed=1
  fi
  [ "$now_failed" = 0 ] || "${runner}_failures" | tail -n 250 | sed 's/^/    /'
  passed=$((passed + now_passed))
  failed=$((failed + now_failed))
  skipped=$((skipped + now_skipped))
}

ctest_lane() {
  (cd "$root" && ctest --preset "$lane" --timeout 300 --output-junit "$reports/$lane.xml")
}
ctest_counts() {
  [ -e "$reports/$lane.xml" ] || return 0
  counts=$(sed -n '/<testcase/q; s/.*[[:space:]]\(tests\|failures\|disabled\|skipped\)="\([0-9]*\)".*/\1 \2/p' "$reports/$lane.xml" |
    awk '{ n[$1] = $2 } END { out = n["disabled"] + n["skipped"]; print n["tests"] - n["failures"] - out, n["failures"] + 0, out }')
}
ctest_failures() { grep -vE '^ *Start +[0-9]+:|^ *[0-9]+/[0-9]+ Test .* Passed ' "$log"; }

# Every width that this machine can run, each with a build of its own.
wide_lane() {
  local width status=0
  for width in avx2 avx512 neon; do
    if ! "can_run_$width"; then
      say "-- $width is left out: $(why_not "$width")"
      continue
    fi
    say "-- $width"
    { build_preset "$width" && ctest_width "$width"; } || status=1
  done
  return $status
}
ctest_width() { (cd "$root" && ctest --preset "$1" --timeout 600 --output-junit "$reports/wide-$1.xml"); }
wide_counts() {
  local width sums='0 0 0'
  for width in avx2 avx512 neon; do
    counts='0 0 0'
    lane=wide-$width ctest_counts
    sums=$(awk '{ for (i = 1; i <= 3; i++) n[i] += $i } END { print n[1], n[2], n[3] }' <<<"$sums
$counts")
  done
  counts=$sums
}
wide_failures() { ctest_failures; }
has_flags() {
  local flag
  for flag in "$@"; do grep -qw "$flag" /proc/cpuinfo 2>/dev/null || return 1; done
}
can_run_avx2() { has_flags avx2 fma bmi2 f16c; }
can_run_avx512() { can_run_avx2 && has_flags avx512f avx512bw avx512cd avx512dq avx512vl; }
can_run_neon() { has_cross; }
why_not() {
  case $1 in
    neon) say 'aarch64-linux-gnu-g++ or qemu-aarch64 is missing (Debian: g++-aarch64-linux-gnu, qemu-user).' ;;
    *) say 'this processor has no such instructions.' ;;
  esac
}

# The tests of a folder: bindings/ and language-model/ for the module, python/, web/ for the page, labs/ for each lab, embed/ and hosts/ for the element elsewhere.
node_lane() {
  # An unmatched pattern stays a pattern: node then says that there is no such file.
  case $lane in
    python) node_tests 600000 "$root"/tests/python/*.test.ts ;;
    module) node_tests 600000 "$root"/tests/bindings/*.test.ts "$root"/tests/language-model/*.test.ts ;;
    embed) ATTENTION_HOSTS=hugo,mkdocs browser_tests 600000 "$root"/tests/embed/*.test.ts "$root"/tests/hosts/{hosts,snippets,iframe}.test.ts ;;
    hosts) ATTENTION_ENGINES=chromium,firefox,webkit ATTENTION_CYCLES=10000 browser_tests 1800000 "$root"/tests/embed/*.test.ts "$root"/tests/hosts/*.test.ts ;;
    labs | gallery) browser_tests 600000 "$root/tests/$lane"/*.test.ts ;;
    *) browser_tests 600000 "$root"/tests/web/*.test.ts ;;
  esac
}
soak_lane() { ATTENTION_STEPS=10000 node_tests 7200000 "$root/tests/web/soak.test.ts"; }
soak_counts() { node_counts; }
soak_failures() { node_failures; }
# node_tests MILLISECONDS FILE…: each file may take that long.
at_once=
node_tests() {
  local most=$1
  shift
  (cd "$root" && ATTENTION_CHROMIUM=$(chromium_path) node --import ./tools/lib/web-packages.mjs --test --test-timeout="$most" ${at_once:+--test-concurrency="$at_once"} \
    --test-reporter=tap --test-reporter-destination="$reports/$lane.tap" \
    --test-reporter=spec --test-reporter-destination=stdout "$@")
}
# Two files at once even on two processors, where Node would run one: a browser waits for much of its time.
# A browser on a processor that others use as well misses a moment now and then. Up to three files in which something
# failed run once more, by themselves: what fails again has failed, and what passes then is named.
browser_tests() {
  local most=$1 again
  at_once=$(getconf _NPROCESSORS_ONLN | awk '{ print $1 > 3 ? $1 - 1 : 2 }') node_tests "$@" && return
  again=$(failed_names location)
  case $(wc -w <<<"$again" | tr -d ' ') in 1 | 2 | 3) ;; *) return 1 ;; esac
  say "-- once more: $again"
  # shellcheck disable=SC2086 # one argument a file
  (cd "$root" && lane=$lane-again node_tests "$most" $again)
}
# failed_names location|name: the files, from the root, or the names of the tests that failed.
failed_names() {
  awk -v root="$root/" -v what="$1" '/^not ok [0-9]+ - / { name = $0; sub(/^not ok [0-9]+ - /, "", name); next }
    /^  location: / && name != "" { sub(root, ""); gsub(/^  location: .|:[0-9]+:[0-9]+.$/, ""); print what == "name" ? name : $0; name = "" }' "$reports/$lane.tap" | sort -u
}
node_counts() {
  local once again
  counts=$(tap_counts "$reports/$lane.tap")
  [ -e "$reports/$lane-again.tap" ] || return 0
  once=$counts
  again=$(tap_counts "$reports/$lane-again.tap")
  counts=$(awk '{ p[NR] = $1; f[NR] = $2; s[NR] = $3 } END { print p[1] + f[1] - f[2], f[2], s[1] }' <<<"$once
$again")
  say "  failed at first, and run once more:"
  failed_names name | sed 's/^/    /'
}
tap_counts() {
  [ -e "$1" ] || { say '0 0 0'; return; }
  awk '/^# (pass|fail|cancelled|skipped|todo) [0-9]+$/ { n[$2] = $3 }
    END { print n["pass"] + 0, n["fail"] + n["cancelled"], n["skipped"] + n["todo"] }' "$1"
}
node_failures() { if grep -q 'failing tests:' "$log"; then sed -n '/failing tests:/,$p' "$log"; else cat "$log"; fi; }

# Each check counts as a test; all of them run.
checks='promises links words types'
checks_lane() {
  local check status=0
  for check in $checks; do
    say "-- $check"
    if "check_$check"; then say "ok $check"; else say "not ok $check" && status=1; fi
  done
  return $status
}
checks_counts() { counts="$(grep -c '^ok ' "$log") $(grep -c '^not ok ' "$log") 0" || true; }
checks_failures() { grep -vE '^ok ' "$log"; }
check_promises() { node "$root/tools/lib/check-promises.mjs"; }
check_links() { node "$root/tools/lib/check-links.mjs"; }
check_words() { node "$root/tools/lib/check-words.mjs"; }
check_types() { (cd "$root/web" && npm run --silent check); }
