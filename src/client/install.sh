#!/bin/sh
# Installs skill, the client of the registry that serves this script: one file, in ~/.local/bin or in
# SKILL_INSTALL_DIR. Requires Node 20 or newer, and curl or wget. To install or upgrade:
#
#   curl -fsSL @registry@/install.sh | sh
#
# To uninstall it, or for help:
#
#   curl -fsSL @registry@/install.sh | sh -s -- --uninstall
#   curl -fsSL @registry@/install.sh | sh -s -- --help

{ # The shell runs nothing until it has read the closing brace on the last line, so an incomplete download does nothing.

set -u
unset CDPATH

registry='@registry@'
version='@version@'
sha256='@sha256@'

part=''
made_folders=0

say() { printf '%s\n' "$@"; }

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

help() {
  cat <<HELP
Installs skill $version, the client of $registry.

Usage  curl -fsSL $registry/install.sh | sh [-s -- OPTION]

  --uninstall   Uninstall skill. Saved tokens are kept
  --help        Show this help

Environment
  SKILL_INSTALL_DIR       The folder to install into (default: ~/.local/bin)
  SKILL_INSTALL_TIMEOUT   Seconds without data after which the download fails (default: 30)

This installs a single file. To upgrade, run it again.
HELP
}

main() {
  action=install
  for word in "$@"; do
    case $word in
      --uninstall) action=uninstall ;;
      --help | -h) action=help ;;
      *)
        say "Unknown option: $word. The options are --uninstall and --help." >&2
        exit 2
        ;;
    esac
  done
  if [ "$action" = help ]; then
    help
    return
  fi
  find_folder
  if [ "$action" = uninstall ]; then uninstall; else install; fi
}

# Sets `folder`, and `file` in it.
find_folder() {
  folder=${SKILL_INSTALL_DIR:-}
  if [ -z "$folder" ]; then
    [ -n "${HOME:-}" ] || fail 'HOME is not set, so there is no folder to install into.' \
      'Set one: SKILL_INSTALL_DIR=/path/to/a/folder'
    folder=${HOME%/}/.local/bin
  fi
  case $folder in
    /*) ;;
    *) folder=$PWD/$folder ;;
  esac
  [ "$folder" = / ] || folder=${folder%/}
  file=${folder%/}/skill
}

uninstall() {
  if [ ! -e "$file" ] && [ ! -L "$file" ]; then
    say "skill is not installed in $folder."
    return
  fi
  assert_ours
  rm -f "$file" || fail "$file cannot be removed."
  say "Removed skill $installed from $folder."
  config=${XDG_CONFIG_HOME:-${HOME:-}/.config}/skill
  if [ -d "$config" ]; then say "Saved data, such as tokens, is still in $config."; fi
}

install() {
  require_node
  require_safe_address
  assert_ours
  if [ -f "$file" ] && [ "$(digest_of "$file")" = "$sha256" ]; then
    [ -x "$file" ] || chmod 755 "$file" || fail "$file cannot be made executable."
    say "skill $version is already installed: $file"
  else
    put_in_place
    report_installed
    assert_runs
  fi
  report_path
}

require_node() {
  next='Install Node from https://nodejs.org or with your package manager, then run this again.'
  found=$(command -v node) ||
    fail 'skill requires Node 20 or newer, but node is not in your PATH.' "$next"
  node_version=$(node -p process.versions.node 2>/dev/null </dev/null) || node_version=''
  case ${node_version%%.*} in
    '' | *[!0-9]*) fail "skill requires Node 20 or newer, but the version of $found is unknown." "$next" ;;
  esac
  [ "${node_version%%.*}" -ge 20 ] || fail "skill requires Node 20 or newer, but $found is Node $node_version." "$next"
}

# Sets `scheme`. Accepts only addresses where an attacker on the network cannot change the download.
require_safe_address() {
  case $registry in
    https://*)
      scheme=https
      return
      ;;
    http://\[::1\] | http://\[::1\][:/]*) host=localhost ;;
    *)
      host=${registry#http://}
      host=${host%%[:/]*}
      ;;
  esac
  scheme=http
  case $host in
    localhost) ;;
    127.*[!0-9.]*) refuse_plain_http ;;
    127.*) ;;
    *) refuse_plain_http ;;
  esac
}

refuse_plain_http() {
  fail "$registry uses plain HTTP, which is not secure." \
    "Nothing was installed. Ask the registry's administrator for an address that starts with https://."
}

# Sets `installed` to the installed version, or to nothing. Fails if the file is something else.
assert_ours() {
  installed=''
  if [ ! -e "$file" ] && [ ! -L "$file" ]; then return; fi
  if [ -f "$file" ] && [ ! -L "$file" ]; then
    installed=$(line_of 2 's|^// skill \([^, ]*\), the client of Skilldock registries:.*|\1|')
    former=$(line_of 4 "s|^const servedBy = \"\(.*\)\"\$|\1|")
  fi
  [ -n "$installed" ] || fail "$file exists and is not the client of a registry. Nothing was changed." \
    'Move it, or choose another folder: SKILL_INSTALL_DIR=/path/to/a/folder'
}

# A line of the file after the substitution, or nothing if it does not match.
line_of() { LC_ALL=C sed -n "$1{${2}p;q;}" "$file" 2>/dev/null; }

digest_of() {
  node -e 'const digest = require("node:crypto").createHash("sha256")
    process.stdout.write(digest.update(require("node:fs").readFileSync(process.argv[1])).digest("hex"))' "$1" </dev/null
}

# Downloads to a temporary file, verifies it, and renames it atomically.
put_in_place() {
  make_folder
  part=$(mktemp "${folder%/}/.skill.XXXXXXXX" 2>/dev/null) || {
    part=''
    fail "$folder is not writable." 'Choose another folder: SKILL_INSTALL_DIR=/path/to/a/folder'
  }
  download
  actual=$(digest_of "$part")
  [ "$actual" = "$sha256" ] || fail \
    "The download from $address has the SHA-256 $actual instead of $sha256." \
    'Nothing was installed. The registry may have just been upgraded: run the same command again.'
  if ! chmod 755 "$part" || ! mv -f "$part" "$file"; then fail "$file cannot be written."; fi
  part=''
  made_folders=0
}

make_folder() {
  parent=$folder
  while [ ! -d "$parent" ]; do
    made_folders=$((made_folders + 1))
    parent=${parent%/*}
    parent=${parent:-/}
  done
  mkdir -p "$folder" 2>/dev/null ||
    fail "$folder cannot be created." 'Choose another folder: SKILL_INSTALL_DIR=/path/to/a/folder'
}

# Removes the temporary file and new folders after a failure. Folders that are not empty remain.
clean_up() {
  [ -z "$part" ] || rm -f "$part"
  while [ "$made_folders" -gt 0 ]; do
    rmdir "$folder" 2>/dev/null
    folder=${folder%/*}
    made_folders=$((made_folders - 1))
  done
}

# Downloads the client to the file `part`.
download() {
  address=$registry/api/skilldock/client
  timeout=${SKILL_INSTALL_TIMEOUT:-30}
  case $timeout in
    *[!0-9]* | 0* | ??????*) fail "SKILL_INSTALL_TIMEOUT is $timeout but must be a number of seconds." ;;
  esac
  # A registry on this computer is reached without a proxy.
  if [ "$scheme" = http ]; then unset http_proxy all_proxy ALL_PROXY; fi
  if command -v curl >/dev/null; then
    download_with_curl
  elif command -v wget >/dev/null; then
    download_with_wget
  else
    fail 'curl or wget is required, but neither is in your PATH.' 'Install one of them, then run this again.'
  fi
}

download_with_curl() {
  status=$(curl --silent --show-error --globoff --no-location --proto "=$scheme" --connect-timeout "$timeout" \
    --speed-limit 1 --speed-time "$timeout" --max-time $((timeout * 10)) \
    --output "$part" --write-out '%{http_code}' "$address" </dev/null) || fail_download "$?"
  case $status in
    200) ;;
    3??)
      fail "$address answers with a redirect ($status), which this script does not follow." \
        "Nothing was installed. Use the registry's own address."
      ;;
    *)
      fail "$address answers with status $status.$(sentence_of "$part")" \
        'Nothing was installed. Wait a minute, then run this again.'
      ;;
  esac
}

fail_download() {
  case $1 in
    18) reason='The connection was closed early.' ;;
    23) reason="It could not be written to $folder. The disk may be full." ;;
    28) reason='The download timed out.' ;;
    *) reason='The registry is unreachable.' ;;
  esac
  fail "$address could not be downloaded. $reason" 'Nothing was installed. Run this again.'
}

# The registry's error message on one line, preceded by a space.
sentence_of() {
  node -e 'try {
      const { error } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"))
      if (typeof error === "string") process.stdout.write(" " + error.replace(/[\x00-\x1f\x7f-\x9f]+/g, " ").slice(0, 500))
    } catch {}' "$1" </dev/null
}

# The wget of BusyBox always follows redirects. The SHA-256 is verified in any case.
download_with_wget() {
  case $(wget --help 2>&1) in
    *--max-redirect*) set -- --no-verbose --tries=1 --max-redirect=0 "--timeout=$timeout" ;;
    *' -T '*) set -- -T "$timeout" ;;
    *) set -- ;;
  esac
  output=$(wget "$@" -O "$part" "$address" 2>&1 </dev/null) || fail "$address could not be downloaded: $output" \
    "Nothing was installed. Check that the registry is reachable and the disk of $folder is not full, then run this again."
}

report_installed() {
  if [ -z "$installed" ]; then
    say "Installed skill $version: $file"
  elif [ "$installed" = "$version" ]; then
    say "Reinstalled skill $version: $file"
  else
    say "Upgraded skill from $installed to $version: $file"
  fi
  if [ -n "$installed" ] && [ "$former" != "$registry" ]; then
    say "Its default registry was ${former:-not set} and is now $registry."
  else
    say "Its default registry is $registry."
  fi
}

# A verified file can still fail because of its folder or the version of Node: an early Node 20 cannot run it below a
# package.json that says "type": "module".
assert_runs() {
  output=$("$file" --version 2>&1 </dev/null) && return
  fail "$file does not run: $output" \
    "Use a newer Node than $node_version, or choose another folder: SKILL_INSTALL_DIR=/path/to/a/folder"
}

report_path() {
  first=$(command -v skill) || first=''
  if [ "$first" = "$file" ]; then
    say 'To get started, run: skill --help'
    return
  fi
  case :$PATH: in
    *:"$folder":*)
      say "Another program named skill comes first in your PATH: $first"
      return
      ;;
  esac
  name_folder
  case ${SHELL:-} in
    */fish) line="fish_add_path $named" place='run this once' ;;
    */zsh) line="export PATH=$named:\"\$PATH\"" place='add this line to ~/.zshrc and open a new terminal' ;;
    */bash) line="export PATH=$named:\"\$PATH\"" place='add this line to ~/.bashrc and open a new terminal' ;;
    *) line="export PATH=$named:\"\$PATH\"" place='add this line to ~/.profile and sign in again' ;;
  esac
  say '' "$folder is not in your PATH yet. To add it, $place:" '' "  $line" '' \
    "Until then, run: $named/skill --help"
}

# Sets `named` to the folder, quoted for a shell.
name_folder() {
  rest=$folder
  [ -z "${HOME:-}" ] || rest=${folder#"${HOME%/}"/}
  case $rest in
    /* | *[!A-Za-z0-9._/-]*) named=\'$(printf '%s' "$folder" | sed "s/'/'\\\\''/g")\' ;;
    *) named="\"\$HOME\"/$rest" ;;
  esac
}

trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
main "$@"
}
