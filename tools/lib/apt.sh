# shellcheck shell=bash disable=SC2034,SC2154 # used, and set, in the other files
# Packages of Debian, unpacked into the cache folder: a private apt with the machine's own mirror, keys
# and proxy, but lists and downloads of its own. Needs no root and leaves the system's apt alone.

apt=$cache/apt
debs=$cache/downloads
newer=trixie # Debian 13: the first with an Emscripten, an xsimd and a Catch2 new enough

debian_codename() { sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null | tr -d '"'; }

# The machine's first source of Debian itself, as "URI keyring"; the keyring may be empty.
debian_source() {
  local file
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -e "$file" ] || continue
    awk -v RS= -v suite="$(debian_codename)" '
      { types = uris = suites = key = ""; enabled = 1; inline_key = 0
        count = split($0, lines, "\n")
        for (i = 1; i <= count; i++) {
          line = lines[i]
          if (line ~ /^#/) continue
          value = line; sub(/^[^:]*:[ \t]*/, "", value)
          if (line ~ /^Types:/) types = value
          if (line ~ /^URIs:/) uris = value
          if (line ~ /^Suites:/) suites = value
          if (line ~ /^Enabled:[ \t]*no/) enabled = 0
          if (line ~ /^Signed-By:/) { key = value; inline_key = (value !~ /^\//) }
        }
        if (!enabled || inline_key || types !~ /(^| )deb( |$)/ || (" " suites " ") !~ (" (" suite "|oldstable|stable|testing|unstable|sid) ")) next
        split(uris, uri, " "); split(key, keys, /[ ,]/)
        if (uri[1] ~ /^(https?|mirror|mirror\+file|file|tor\+https?):/) { print uri[1], keys[1]; exit } }' "$file"
  done
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | awk -v suite="$(debian_codename)" '
    $1 == "deb" { line = $0; key = ""
      if (match(line, /\[[^]]*\]/)) { options = substr(line, RSTART + 1, RLENGTH - 2); sub(/\[[^]]*\]/, "", line)
        if (match(options, /signed-by=[^ ,]*/)) key = substr(options, RSTART + 10, RLENGTH - 10) }
      split(line, field, " ")
      if (field[3] ~ ("^(" suite "|oldstable|stable|testing|unstable|sid)$") && field[2] !~ /^cdrom:/) {
        print field[2], key; exit } }'
}

is_debian() { have apt-get && [ -n "$(debian_source | head -n 1)" ]; }

# Lists of the newer release (with its sources) and, for what this machine can run as it is, of its own.
apt_lists() {
  local uri key own part
  rm -rf "$apt"
  mkdir -p "$apt"/{conf,none,sources,lists/partial,archives/partial} "$debs"
  # shellcheck disable=SC2046 # one line, two words
  set -- $(debian_source | head -n 1)
  uri=$1 key=${2:+Signed-By: $2} own=$(debian_codename)
  source_entry() { printf 'Types: %s\nURIs: %s\nSuites: %s\nComponents: main\n%s\n' "$1" "$uri" "$2" "$key"; }
  source_entry 'deb deb-src' "$newer" >"$apt/sources/newer.sources"
  [ "$own" = "$newer" ] || source_entry deb "$own" >"$apt/sources/own.sources"
  # The system's settings (proxy, credentials) hold; its hooks, which act on the system, do not.
  for part in /etc/apt/apt.conf.d/* /etc/apt/apt.conf; do
    [ ! -e "$part" ] || ln -s "$part" "$apt/conf/"
  done
  cat >"$apt/conf/zz-private" <<CONF
#clear APT::Update;
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt/sources";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "$apt/none";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt";
Dir::Cache::archives "$apt/archives";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Sandbox::User "root";
CONF
  printf 'Dir::Etc::parts "%s/conf";\nDir::Etc::main "/dev/null";\n' "$apt" >"$apt/apt.conf"
  private apt-get update -q
}

private() { APT_CONFIG=$apt/apt.conf "$@"; }

# The release a package is taken from: this machine's own where that has it.
release_of() {
  local own
  own=$(debian_codename)
  if private apt-cache -o APT::Default-Release="$own" madison "$1" | grep " $own/" >/dev/null; then echo "$own"; else echo "$newer"; fi
}

# fetch RELEASE PACKAGE…: signed by Debian, checked by apt; a package fetched before is not fetched again.
fetch() {
  local release=$1 wanted package file
  shift
  set -- -q -o APT::Default-Release="$release" download "$@"
  wanted=$(cd "$debs" && private apt-get "$@" --print-uris | awk '{ print $2 }')
  for package in $wanted; do
    for file in "$debs/${package%%_*}"_*.deb; do
      [ ! -e "$file" ] || printf '%s\n' "$wanted" | grep -xF "${file##*/}" >/dev/null || rm "$file"
    done
  done
  (cd "$debs" && private apt-get "$@")
}

# The libraries that packages need, less those that every machine with a C++ compiler has.
libraries_of() {
  local release=$1
  shift
  private apt-cache -o APT::Default-Release="$release" depends --recurse --important "$@" |
    grep '^lib' | grep -vE '^(libc6|libgcc-s1|libstdc\+\+6|libcrypt1)$' | sort -u
}

# unpack PACKAGE FOLDER [TAR-OPTION…]
unpack() {
  local package=$1 folder=$2
  shift 2
  mkdir -p "$folder"
  dpkg-deb --fsys-tarfile "$debs/${package}"_*.deb | tar -x -C "$folder" "$@"
}
