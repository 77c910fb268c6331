# shellcheck shell=bash disable=SC2034,SC2154 # used, and set, in the other files
# What a machine has and lacks, and the error messages for what setup cannot install.

emcc_oldest=3.1.61 # the first whose --emit-tsd, EMBIND_AOT and wasm exceptions all hold together
browsers=chromium  # a word each; has_WORD and WORD_step say how
host_pieces='engines light_generators generators courses'  # a word each, for the goal hosts; has_WORD, require_WORD and WORD_step say how

require_compiler() {
  local version
  version=$(cmake --version 2>/dev/null | sed -n '1s/^cmake version \([0-9.]*\).*/\1/p' || true)
  at_least 3.25.0 "${version:-0}" ||
    missing "CMake 3.25 or newer is missing${version:+ (this is $version)}; it builds the C++ core" \
      'apt-get install cmake' 'apt-get install cmake (24.04 or newer)' 'dnf install cmake' 'brew install cmake'
  have "${CXX:-c++}" || have g++ || have clang++ ||
    missing 'A C++ compiler is missing; it builds the core and its tests for this machine' \
      'apt-get install g++' 'apt-get install g++' 'dnf install gcc-c++' 'xcode-select --install'
}

require_make() {
  have make || have ninja ||
    missing 'make is missing; CMake builds with it' \
      'apt-get install make' 'apt-get install make' 'dnf install make' 'xcode-select --install'
}

require_node() {
  local version
  version=$(node --version 2>/dev/null | tr -d v || true)
  at_least 20.0.0 "${version:-0}" ||
    missing "Node 20 or newer is missing${version:+ (this is $version)}; it builds and serves the page" \
      'apt-get install nodejs npm (Debian 13; on 12 from nodejs.org)' 'apt-get install nodejs npm (25.04; before that from nodejs.org)' \
      'dnf install nodejs' 'brew install node'
  have npm ||
    missing 'npm is missing; it installs what the page is built with' \
      'apt-get install npm' 'apt-get install npm' 'dnf install nodejs-npm' 'brew install node'
}

# Sets emcc_root: the folder of the emcc on PATH when it is new enough, else the private one.
find_emcc() {
  local root version
  emcc_root=$emscripten/emscripten
  have emcc || return 0
  root=$(dirname "$(readlink -f "$(command -v emcc)")")
  [ -e "$root/emscripten-version.txt" ] || root=$(em-config EMSCRIPTEN_ROOT 2>/dev/null) || return 0
  version=$(tr -cd '0-9.' <"$root/emscripten-version.txt")
  [ -e "$root/cmake/Modules/Platform/Emscripten.cmake" ] || return 0
  if at_least "$emcc_oldest" "$version"; then emcc_root=$root; else emcc_too_old=$version; fi
}

require_emcc() {
  is_debian || missing "Emscripten $emcc_oldest or newer is missing${emcc_too_old:+ (this is $emcc_too_old)}; it compiles the core to WebAssembly" \
    'configure a Debian package mirror (none was found), or put emsdk (emscripten.org) on PATH' \
    'emsdk (emscripten.org) on PATH, or apt-get install emscripten (25.04)' 'emsdk (emscripten.org) on PATH' 'brew install emscripten'
}

require_library() {
  is_debian || missing "$1 or newer is missing; the C++ core $2" \
    'apt-get install libxsimd-dev catch2 (13 or newer; no Debian package mirror was found)' \
    'apt-get install libxsimd-dev catch2 (24.04 or newer)' 'dnf install xsimd-devel catch-devel' 'brew install xsimd catch2'
}

require_catch2_sources() {
  is_debian || [ -e "${CATCH2_SOURCE:-/nowhere}/extras/catch_amalgamated.cpp" ] ||
    fail "The sources of Catch2 3.7 are missing; the tests compile them to WebAssembly. Unpack its v3.7.1 release and set CATCH2_SOURCE to that folder. (On Debian this is automatic.)"
}

# Room for what is downloaded and unpacked at once.
require_room() {
  local free
  free=$(df -Pk "$cache" | awk 'NR == 2 { print int($4 / 1024) }')
  [ "$free" -ge "$1" ] || fail "The cache folder $cache needs $1 MB of free space and has $free MB. Set ATTENTION_CACHE to a folder with more."
}

web_packages_stamp() { { cat "$root/web/package-lock.json"; node --version; uname -sm; } | checksum; }
web_packages_installed() {
  [ "$(cat "$root/web/node_modules/.setup" 2>/dev/null)" = "$(web_packages_stamp)" ]
}
web_packages_step() {
  (cd "$root/web" && npm ci --no-progress --loglevel=error)
  web_packages_stamp >"$root/web/node_modules/.setup"
}

# The libraries that tools/bench peers measures beside ours; npm's scripts among them are not needed.
peers=$root/tools/lib/bench/peers
peers_stamp() { { cat "$peers/package-lock.json"; node --version; } | checksum; }
peers_installed() { [ "$(cat "$peers/node_modules/.setup" 2>/dev/null)" = "$(peers_stamp)" ]; }
peers_step() {
  (cd "$peers" && npm ci --ignore-scripts --no-progress --loglevel=error)
  peers_stamp >"$peers/node_modules/.setup"
}

# The documentation systems that npm brings, each beside its course in tests/hosts, where its build looks for it.
npm_courses() { ls "$root"/tests/hosts/*/package-lock.json; }
course_stamp() { { cat "$1"; node --version; uname -sm; } | checksum; }
has_course() { [ "$(cat "$(dirname "$1")/node_modules/.setup" 2>/dev/null)" = "$(course_stamp "$1")" ]; }
has_courses() {
  local lock
  for lock in $(npm_courses); do has_course "$lock" || return 1; done
}
require_courses() { :; }
courses_step() {
  local lock
  for lock in $(npm_courses); do
    if has_course "$lock"; then continue; fi
    (cd "$(dirname "$lock")" && npm ci --ignore-scripts --no-audit --no-fund --cache "$cache/npm" --prefer-offline --no-progress --loglevel=error)
    course_stamp "$lock" >"$(dirname "$lock")/node_modules/.setup"
  done
}

chromium_path() {
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    ! command -v "$name" || return 0
  done
  name='/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  [ ! -x "$name" ] || printf '%s\n' "$name"
}
has_chromium() { [ -n "$(chromium_path)" ]; }
chromium_step() { system_install chromium; }
# Headless Chromium opens a page with a third of the work. Tests use it where Debian has it.
has_headless_shell() { have chromium-headless-shell; }
headless_shell_step() { system_install chromium-headless-shell || say 'chromium-headless-shell is not available here. The tests use the full browser.'; }
test_browser_path() { command -v chromium-headless-shell || chromium_path; }

# A font with 注 and 意: without one, Chinese text is drawn as boxes of another width.
has_chinese_font() { have fc-list && [ -n "$(fc-list ':charset=6ce8 610f')" ]; }
chinese_font_step() { system_install fonts-droid-fallback; }

has_minibrowser() { find /usr/lib /usr/libexec -maxdepth 3 -path '*/webkit2gtk-4.1/MiniBrowser' 2>/dev/null | grep -q .; }
has_engines() { { have firefox-esr || have firefox; } && have WebKitWebDriver && have Xvfb && has_minibrowser; }
require_engines() {
  may_install || missing 'Firefox, WebKitWebDriver, its MiniBrowser or Xvfb is missing; the element is tested in them, and only root can install them' \
    'sudo apt-get install firefox-esr webkit2gtk-driver xvfb' 'sudo apt-get install webkit2gtk-driver xvfb, and a Firefox from mozilla.org' \
    'sudo dnf install firefox webkit2gtk4.1 xorg-x11-server-Xvfb' 'not possible: WebKitGTK runs on Linux only'
}
engines_step() { system_install firefox-esr webkit2gtk-driver xvfb; }

# The documentation systems that Debian has: those that every tools/test tries, and the others.
python_has() { /usr/bin/python3 -c "import $1" 2>/dev/null || python3 -c "import $1" 2>/dev/null; }
has_light_generators() { have hugo && have mkdocs && { [ -d /usr/share/mkdocs/themes/material ] || python_has material; }; }
require_light_generators() {
  may_install || missing 'Hugo or MkDocs Material is missing; the element is tested in them, and only root can install them' \
    'sudo apt-get install hugo mkdocs-material' 'sudo apt-get install hugo mkdocs-material' \
    'sudo dnf install hugo, and pip install mkdocs-material' 'brew install hugo, and pip install mkdocs-material'
}
light_generators_step() { system_install hugo mkdocs mkdocs-material; }
has_generators() { have jekyll && have sphinx-build && python_has 'myst_parser, sphinx_rtd_theme'; }
require_generators() {
  may_install || missing 'Jekyll, Sphinx, MyST-Parser or the Read the Docs theme is missing; the element is tested in them, and only root can install them' \
    'sudo apt-get install jekyll python3-sphinx python3-myst-parser python3-sphinx-rtd-theme' \
    'sudo apt-get install jekyll python3-sphinx python3-myst-parser python3-sphinx-rtd-theme' \
    'sudo dnf install rubygem-jekyll python3-sphinx python3-myst-parser python3-sphinx_rtd_theme' 'brew install jekyll sphinx-doc, and pip install myst-parser sphinx-rtd-theme'
}
generators_step() { system_install jekyll python3-sphinx python3-myst-parser python3-sphinx-rtd-theme; }

may_install() { is_debian && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; }
require_browser() {
  may_install || missing "The browser $1 is missing; the page's tests drive it, and only root can install it" \
    "sudo apt-get install $1" 'a Chrome from google.com/chrome, as the snap cannot be driven' "sudo dnf install $1" 'brew install --cask google-chrome'
}
has_fuzzer() {
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -x c++ - -fsanitize=fuzzer,address,undefined -o /dev/null 2>/dev/null
}
require_fuzzer() {
  may_install || missing 'A Clang with libFuzzer is missing; it drives the fuzz targets, and only root can install it' \
    'sudo apt-get install clang libclang-rt-dev' 'sudo apt-get install clang libclang-rt-dev' \
    'sudo dnf install clang compiler-rt' 'brew install llvm'
}
has_torch() { /usr/bin/python3 -c 'import numpy, torch' 2>/dev/null; }
require_torch() {
  may_install || missing 'PyTorch is missing; tools/train trains with it, and only root can install it' \
    'sudo apt-get install python3-torch' 'sudo apt-get install python3-torch' \
    'sudo dnf install python3-torch' 'brew install pytorch'
}
torch_packages='libopenblas-dev python3-torch'
# shellcheck disable=SC2086 # two words
torch_step() { system_install $torch_packages; }
has_rivals() { [ -e /usr/include/benchmark/benchmark.h ] && has_torch; }
require_rivals() {
  may_install || missing "Google Benchmark or PyTorch is missing; tools/bench native compares with them, and only root can install them" \
    'sudo apt-get install libbenchmark-dev libopenblas-dev python3-torch' 'sudo apt-get install libbenchmark-dev libopenblas-dev python3-torch' \
    'sudo dnf install google-benchmark-devel openblas-devel python3-torch' 'brew install google-benchmark openblas pytorch'
}
# shellcheck disable=SC2086 # two words
rivals_step() { system_install libbenchmark-dev $torch_packages; }
has_cross() { have aarch64-linux-gnu-g++ && have qemu-aarch64; }
cross_step() { system_install g++-aarch64-linux-gnu qemu-user; }
processors_step() { system_install qemu-user; }
fuzzer_step() { system_install clang libclang-rt-dev; }
system_install() {
  local as_root=
  [ "$(id -u)" = 0 ] || as_root='sudo -n'
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086 # nothing, or two words
  {
    $as_root apt-get -q update
    $as_root apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "$@"
  }
}

# Prints why this machine cannot run the build for wider vectors or for ARM; prints nothing when it can.
cannot_run() {
  case $1 in
    avx2) has_flags avx2 fma bmi2 f16c || say 'this processor has no AVX2.' ;;
    avx512) has_flags avx512f avx512bw avx512cd avx512dq avx512vl || say 'this processor has no AVX-512.' ;;
    neon) has_cross || may_install || say 'aarch64-linux-gnu-g++ or qemu-aarch64 is missing (Debian: g++-aarch64-linux-gnu, qemu-user).' ;;
  esac
}
has_flags() {
  local flag
  for flag in "$@"; do grep -qw "$flag" /proc/cpuinfo 2>/dev/null || return 1; done
}
