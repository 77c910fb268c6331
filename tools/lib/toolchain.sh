# shellcheck shell=bash disable=SC2034,SC2154 # used, and set, in the other files
# What the cache folder holds, and how each piece is put together. A piece is assembled in a temporary
# folder and moved into place whole; its stamp names its recipe, so that a changed recipe is noticed.
# Function NAME_recipe assembles into $1; the variables below say where it ends up.

xsimd=$cache/xsimd-13.2.0
xsimd_packages=$cache/xsimd-packages
catch2=$cache/catch2-3.7.1
emscripten=$cache/emscripten-3.1.69
python=$cache/python
ninja=$cache/ninja

recipe_of() { { declare -f "$1_recipe" launcher; declare -p newer "$1"; } | checksum; }
assembled() { [ "$(cat "${!1}/.recipe" 2>/dev/null)" = "$(recipe_of "$1")" ]; }

assemble() {
  local name=$1 place=${!1} work=$cache/assembling
  rm -rf "$work"
  mkdir -p "$work"
  "$1_recipe" "$work"
  recipe_of "$name" >"$work/.recipe"
  rm -rf "$place"
  mv "$work" "$place"
}

# A C++ library on the system, and its prefix: its CMake files tell, and a look at them takes no compiler.
system_has() {
  local file found
  for prefix in /usr/local /usr /opt/homebrew; do
    for file in "$prefix"/share/cmake/"$1"/"$1"ConfigVersion.cmake "$prefix"/lib*/cmake/"$1"/"$1"ConfigVersion.cmake \
      "$prefix"/lib/*/cmake/"$1"/"$1"ConfigVersion.cmake; do
      [ -e "$file" ] || continue
      found=$(sed -n 's/^set *(PACKAGE_VERSION "\([0-9.]*\)").*/\1/p' "$file")
      ! at_least "$2" "${found:-0}" || return 0
    done
  done
  return 1
}

# xsimd apart from /usr/include, which a WebAssembly compiler must never be shown.
xsimd_recipe() {
  if ! is_debian; then
    system_has xsimd 11.0.0
    mkdir -p "$1/include" && cp -R "$prefix/include/xsimd" "$1/include/"
    return
  fi
  fetch "$newer" libxsimd-dev
  unpack libxsimd-dev "$1" --strip-components=2 ./usr/include ./usr/share/doc/libxsimd-dev/copyright
}

# What a stranger has installed, each a prefix: xsimd as two releases of Debian pack it, with its CMake files, and an
# older one, headers alone, from the sources of a JavaScript engine that holds it.
newest=forky # Debian 14, for xsimd 14
xsimd_packages_recipe() {
  printf '%s\n' "$(sed "s/^Suites: .*/Suites: $newest/; s/^Types: .*/Types: deb/" "$apt/sources/newer.sources")" >"$apt/sources/newest.sources"
  private apt-get update -q
  local release major package
  for release in "$newer" "$newest"; do
    rm -f "$debs"/{libxsimd,xtl}-dev_*.deb
    (cd "$debs" && private apt-get -q -t "$release" download libxsimd-dev xtl-dev) # the one's CMake files ask for the other
    major=$(cd "$debs" && ls libxsimd-dev_*.deb | sed 's/^[^_]*_\([0-9]*\).*/\1/')
    for package in libxsimd-dev xtl-dev; do unpack "$package" "$1/$major" --strip-components=2 ./usr; done
  done
  rm -f "$apt/sources/newest.sources" "$debs"/{libxsimd,xtl}-dev_*.deb
  (cd "$debs" && private apt-get -q source --download-only mozjs128)
  mkdir -p "$1/12"
  tar -x -C "$1/12" --strip-components=3 -f "$debs"/mozjs128_*.orig.tar.xz --wildcards '*/third_party/xsimd/include' '*/third_party/xsimd/LICENSE'
  grep -q 'XSIMD_VERSION_MAJOR 12' "$1/12/include/xsimd/config/xsimd_config.hpp"
  [ -d "$1/13" ] && [ -d "$1/14" ]
}

# Catch2 as sources: Debian's library holds only the machine's own code, the tests also run as WebAssembly.
catch2_recipe() {
  (cd "$debs" && private apt-get -q source --download-only catch2)
  tar -x -C "$1" --strip-components=1 -f "$debs"/catch2_3.7.1.orig.tar.gz
}

# launcher FILE COMMAND: a program started with libraries of its own, wherever the folder lies.
launcher() {
  # shellcheck disable=SC2016 # for the launcher's own shell
  printf '#!/bin/sh\nhere=${0%%/*}\n%s\n' "$2" >"$1"
  chmod +x "$1"
}

emscripten_recipe() {
  local em=$1/emscripten llvm=$1/llvm binaryen=$1/binaryen packages=$1/packages package tool
  # Without the libraries for dynamic linking, graphics and sanitisers, and of those for threads only what
  # the operators' module needs: 1.4 of 1.6 GB.
  unpack emscripten "$1" --strip-components=3 \
    --exclude='*/wasm32-emscripten/pic' --exclude='*/wasm32-emscripten/lto-pic' \
    --exclude='*-ww*.a' --exclude='*/lto/*-mt*.a' --exclude='*-mt-[!n]*.a' --exclude='*debug-mt*.a' \
    --exclude='libc++*-mt.a' --exclude='libGL-[!g]*' --exclude='*asan*.a' \
    --exclude='libwasmfs*' --exclude='libwebgpu*' --exclude='libmimalloc*' --exclude='libfetch*' \
    --exclude='libsanitizer*' --exclude='liblsan*' --exclude='libubsan_rt*' --exclude='libstandalonewasm*' \
    --exclude='./usr/share/emscripten/test' --exclude='./usr/share/emscripten/system/lib' \
    --exclude='./usr/share/emscripten/ChangeLog*' ./usr/share/emscripten
  # Emscripten imports acorn by name: Node finds it in a node_modules beside the importer.
  unpack node-acorn "$em/node_modules" --strip-components=4 ./usr/share/nodejs/acorn
  printf "LLVM_ROOT = '%s'\nBINARYEN_ROOT = '%s'\nCACHE = '%s'\nFROZEN_CACHE = True\n" \
    "$emscripten/llvm/bin" "$emscripten/binaryen" "$emscripten/emscripten/cache" >"$1/config"

  # Clang finds its headers from where its program lies, so this keeps its place beside lib/.
  # shellcheck disable=SC2046 # a word a package
  for package in $llvm_packages $(cat "$debs/llvm-libraries"); do unpack "$package" "$packages"; done
  mkdir -p "$llvm"/{bin,programs,lib/clang}
  for tool in clang clang++ lld wasm-ld llvm-ar llvm-ranlib llvm-nm llvm-objcopy llvm-strip llvm-readobj llvm-dwarfdump; do
    mv "$packages/usr/lib/llvm-19/bin/$tool" "$llvm/programs/"
    launcher "$llvm/bin/$tool" "LD_LIBRARY_PATH=\$here/../lib exec \"\$here/../programs/$tool\" \"\$@\""
  done
  mv "$packages/usr/lib/llvm-19/lib/clang/19" "$llvm/lib/clang/"
  find "$packages" -regex '.*/lib/[^/]*-linux-gnu[^/]*/[^/]*\.so\.[.0-9]*' -exec mv {} "$llvm/lib/" \;
  rm -rf "$packages"

  # Binaryen is built for the newer release: it runs with that release's loader and libraries.
  for package in $binaryen_packages; do unpack "$package" "$packages"; done
  mkdir -p "$binaryen"/{bin,programs,lib}
  find "$packages" -regex '.*/lib/[^/]*-linux-gnu[^/]*/\(ld-linux\|lib\(c\|m\|gcc_s\|stdc\+\+\|binaryen\)\.so\)[^/]*' \
    -exec mv {} "$binaryen/lib/" \;
  for tool in wasm-opt wasm-as wasm-dis wasm-ctor-eval wasm-emscripten-finalize wasm-merge wasm-metadce wasm-split wasm2js; do
    mv "$packages/usr/bin/$tool" "$binaryen/programs/"
    launcher "$binaryen/bin/$tool" \
      "exec \"\$here\"/../lib/ld-linux*.so.* --library-path \"\$here/../lib\" \"\$here/../programs/$tool\" \"\$@\""
  done
  rm -rf "$packages"
}

llvm_packages='clang-19 lld-19 llvm-19 libclang-common-19-dev libllvm19 libclang-cpp19'
binaryen_packages='binaryen libc6 libstdc++6 libgcc-s1'
emscripten_packages_step() {
  local release
  # shellcheck disable=SC2046,SC2086 # a word a package
  {
    fetch "$newer" emscripten node-acorn $binaryen_packages
    release=$(release_of clang-19)
    libraries_of "$release" libllvm19 libclang-cpp19 lld-19 | grep -vxE 'libllvm19|libclang-cpp19' >"$debs/llvm-libraries"
    fetch "$release" $llvm_packages $(cat "$debs/llvm-libraries")
  }
}

# Node's own packages bring a Python too small for Emscripten: a whole one, from this machine's release.
python_modules='argparse,ctypes,fnmatch,hashlib,json,logging,pprint,shlex,tarfile,textwrap,typing,urllib.request,uuid,zlib'
python_works() {
  local found
  found=$(command -v python3) || return 1
  [ "$(cat "$cache/python-works" 2>/dev/null)" != "$found" ] || return 0 # asking takes a quarter of a second
  "$found" -E -c "import $python_modules" >/dev/null 2>&1 || return 1
  mkdir -p "$cache" && printf '%s\n' "$found" >"$cache/python-works"
}
python_recipe() {
  local release package packages
  release=$(release_of python3)
  packages=$(private apt-cache -o APT::Default-Release="$release" depends --recurse --important \
    python3-minimal libpython3-stdlib | grep -E '^(lib|python3)' |
    grep -vE '^(libc6|libgcc-s1|libstdc\+\+6|libcrypt1)$|perl' | sort -u) # perl: for a table of media types
  # shellcheck disable=SC2086 # a word a package
  fetch "$release" $packages
  for package in $packages; do unpack "$package" "$1"; done
  rm -rf "${1:?}/usr/share"
  mkdir -p "$1/lib" "$1/bin"
  find "$1" -regex '.*/lib/[^/]*-linux-gnu[^/]*/[^/]*\.so\.[.0-9]*' -exec mv {} "$1/lib/" \;
  launcher "$1/bin/python3" "LD_LIBRARY_PATH=\$here/../lib exec \"\$here/../usr/bin/python3\" \"\$@\""
}

ninja_recipe() {
  fetch "$(release_of ninja-build)" ninja-build
  unpack ninja-build "$1" --strip-components=2 ./usr/bin/ninja
}
