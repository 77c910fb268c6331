# shellcheck shell=bash disable=SC2034,SC2154 # used, and set, in the other files
# Building: what tools/serve and tools/test have in common.

# configure PRESET [CMAKE-OPTION…]: afresh when the toolchain has moved since the last time.
configure() {
  local cached fresh=
  cached=$(sed -n 's/^CMAKE_TOOLCHAIN_FILE:[A-Z]*=//p' "$root/build/$1/CMakeCache.txt" 2>/dev/null || true)
  case $cached in
    '' | "${EMSCRIPTEN_ROOT:-}"/*) ;;
    *) fresh=--fresh ;;
  esac
  (cd "$root" && cmake $fresh --preset "$@")
}

# The page's two modules alone, or with their tests when the framework is here.
build_module() {
  configure_wasm
  (cd "$root" && cmake --build --preset module)
}
configure_wasm() {
  local catch2_source=${CATCH2_SOURCE:-$catch2}
  if [ -e "$catch2_source/extras/catch_amalgamated.cpp" ]; then configure wasm; else configure wasm -DATTENTION_BUILD_TESTS=OFF; fi
}

# What the module's and the page's numbers and sentences are compared with.
build_dumps() {
  configure native
  (cd "$root" && cmake --build --preset native --target trace_dump message_dump train_dump)
}

# build/operators: the operators, to be copied.
build_operators() {
  configure_wasm
  (cd "$root" && cmake --build --preset module --target attention_operators && node web/build-operators.mjs plain)
}
# The same with the builds for relaxed SIMD and threads.
build_variants() {
  configure_wasm
  (cd "$root" && cmake --build --preset operators && node web/build-operators.mjs)
}

# build/package whole: with what editors and TypeScript read, which the page does not need.
build_npm() { (cd "$root/web" && npm run --silent package); }

build_page() { (cd "$root/web" && npm run --silent build); }

build_preset() {
  configure "$1"
  (cd "$root" && cmake --build --preset "$1")
}
