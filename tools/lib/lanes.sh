# shellcheck shell=bash disable=SC2034,SC2154 # used, and set, in the other files
# The lanes of tests: a new lane is a line here. CTest runs a preset's tests, Node files of tests/.

# lane | + when tools/test alone leaves it out | what tools/setup brings | what is built | ctest, or Node's files | about
lane_table='
native   | | native  | native                              | ctest | the C++ tests on this machine
wasm     |+| web     | wasm                                | ctest | the same tests as WebAssembly, under Node
module   | | web     | dumps module operators              | bindings/*.test.ts language-model/*.test.ts | the shipped modules in Node, against the native build and PyTorch
page     | | test    | dumps module operators page         | web/*.test.ts | the built page in a browser
models   |+| test    | dumps module operators page         | models/*.test.ts | models in the built page: trained ones, those that readers open, the designed heads, and writing on
embed    |+| embed   | dumps module variants page npm      | embed/*.test.ts hosts/hosts.test.ts hosts/iframe.test.ts hosts/snippets.test.ts | the element and the operators in pages of other people, in one browser
docs     | | web     | module operators page               | docs/*.test.* | links lead somewhere, words are translated, types hold
sweeps   |+| test    | dumps module operators page         | sweeps/*.test.ts | the built page over every setting, number and language, over slow networks and none
looks    |+| test    | dumps module operators page         | looks/*.test.ts | the page at every width, in both themes and at 200 %: nothing is cut, colours are right, axe finds nothing
random   |+| test    | dumps module operators page         | random/*.test.ts | random links, and random interactions with the page
labs     |+| test    | dumps module operators page         | labs/*.test.ts | each lab in a browser, at every width, its numbers against the double reference
package  |+| package | native                              | ctest | projects of strangers, built against the library in every way
sanitize |+| native  | sanitize                            | ctest | the C++ tests under address and undefined-behaviour sanitisers
hosts    |+| hosts   | dumps module variants page npm      | embed/*.test.ts hosts/*.test.ts | as embed, in Chromium, Firefox and WebKit, and at length
gallery  |+| test    | dumps module operators page         | gallery/*.test.ts | pictures of the states of the page at three widths and in both themes, to be looked at
races    |+| native  | races                               | ctest | attend() by several threads, under the thread sanitiser
promises |+| native  | native                              | ctest | what the lessons of training promise, over all their seeds
scalar   |+| native  | scalar                              | ctest | the C++ tests without SIMD
avx2     |+| native  | avx2                                | ctest | the C++ tests on eight lanes, where the processor has them
avx512   |+| native  | avx512                              | ctest | the C++ tests on sixteen lanes, where the processor has them
neon     |+| wide    | neon                                | ctest | the C++ tests on the lanes of ARM, under an emulator
python   |+| scripts | dumps module                        | python/*.test.ts | the scripts that the page gives, run by Python with PyTorch and NumPy
soak     |+| test    | dumps module page                   | soak/*.test.ts random/soak.test.ts language-model/tokenizers.test.ts | ten thousand random interactions with the page, two hundred models and a hundred trainings one after another, twenty thousand texts for each tokenizer
fuzz     |+| fuzz    | fuzz                                | ctest | a minute of libFuzzer on each target, under the sanitisers
'

# each_lane COMMAND…: with lane, more, goal, builds, tests and about set from each line of the table.
each_lane() {
  while IFS='|' read -r lane more goal builds tests about; do
    [ -z "$lane" ] || "$@"
  done <<<"$(sed 's/ *| */|/g' <<<"$lane_table")"
}

# files_named LANE FILE: the lane's files of that name, in which * stands for any.
files_named() { each_lane print_files "$1" "$2"; }
print_files() {
  [ "$lane" = "$1" ] && [ "$tests" != ctest ] || return 0
  # shellcheck disable=SC2086 # patterns
  (cd "$root/tests" && ls $tests | grep -E "/${2//\*/.*}\.test\.m?[jt]s$") || true
}

# A lane whose needs cannot be met fails by itself: the others still run.
run_lane() {
  local build why
  why=$(cannot_run "$lane")
  [ -z "$why" ] || { say "$lane: left out, as $why"; return; }
  bring "$goal" || { unwell "tools/setup $goal failed"; return; }
  for build in $builds; do
    build_once "$build" # not in a condition, where bash goes on after a step that fails
    case $built in *" $build:failed "*) unwell "the $build build failed"; return ;; esac
  done
  log=$reports/$lane.log
  : >"$log"
  if [ "$tests" = ctest ]; then timed "$lane: testing" run_ctest; else timed "$lane: testing" run_node; fi
  tally
}

brought=' '
bring() {
  case $brought in *" $1 "*) return ;; esac
  "$root/tools/setup" "$1" </dev/null || return
  case $1 in native | fuzz | wide | package) ;; *) eval "$("$root/tools/setup" --print-env web)" ;; esac
  brought="$brought$1 "
}

built=' '
build_once() {
  case $built in *" $1:"*) return ;; esac
  log=$reports/build-$1.log
  : >"$log"
  case $1 in
    dumps | module | operators | variants | page | npm) timed "$1: building" "build_$1" ;;
    *) timed "$1: building" build_preset "$1" ;;
  esac
  if [ "$timed_status" = 0 ]; then built="$built$1:ok "; else
    built="$built$1:failed "
    tail -n 60 "$log" | sed 's/^/    /'
  fi
}

# The words asked for as a regular expression, in which * stands for any.
name_pattern() { sed 's/[].[\^$+?(){}|]/\\&/g; s/\*/.*/g' <<<"$name"; }

run_ctest() {
  (cd "$root" && ctest --preset "$lane" --timeout 600 ${name:+-R "$(name_pattern)"} --output-junit "$reports/$lane.xml")
}

run_node() {
  cd "$root"
  case $lane in
    embed) export ATTENTION_HOSTS=hugo,mkdocs ;;
    hosts) export ATTENTION_ENGINES=chromium,firefox,webkit ATTENTION_CYCLES=10000 ;;
    soak) export ATTENTION_STEPS=10000 ;;
  esac
  # shellcheck disable=SC2046 # one argument a file
  ATTENTION_CHROMIUM=$(test_browser_path) TEST_TIMES=$reports/$lane.times node --import ./tools/lib/web-packages.mjs tools/lib/run-tests.mjs "$(name_pattern)" \
    $(files_named "$lane" "${file:-*}" | sed 's|^|tests/|')
}

# Adds up what the runner says at its end, as CTest does: "1 tests failed out of 2".
# A lane without a test has failed, whatever it says.
tally() {
  local bad all
  read -r bad _ _ _ _ all <<<"$(grep -oE '[0-9]+ tests failed out of [0-9]+' "$log" | tail -n 1)"
  bad=${bad:-0} all=${all:-0}
  say "  $((all - bad)) of $all pass"
  passed=$((passed + all - bad)) failed=$((failed + bad))
  if [ "$all" = 0 ]; then unwell 'no test ran'; elif [ "$timed_status" != 0 ] && [ "$bad" = 0 ]; then unwell 'the tests pass, but their runner failed'; fi
  if [ -n "$file$name" ]; then show_log "$log"; elif [ "$timed_status" != 0 ]; then show_log "$log" | tail -n 250; fi
}
show_log() { grep -vE '^ *Start +[0-9]+:|name does not match pattern|^ℹ' "$1" | sed 's/^/    /'; }
unwell() {
  besides="$besides
  $lane: $1"
  failed=$((failed + 1))
}
