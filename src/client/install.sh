#!/bin/sh
# Installs skill, the client of the registry that gives away this script: one file, in ~/.local/bin or in the
# folder that SKILL_INSTALL_DIR names. It needs Node 20 or newer, and curl or wget. To install or to upgrade:
#
#   curl -fsSL @registry@/install.sh | sh
#
# To remove it, or to be told more:
#
#   curl -fsSL @registry@/install.sh | sh -s -- --uninstall
#   curl -fsSL @registry@/install.sh | sh -s -- --help

{ # No shell begins before this is closed in the last line: what a broken connection leaves does nothing.

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

  --uninstall   Removes skill. Tokens that it keeps stay where they are
  --help        This text

Environment
  SKILL_INSTALL_DIR       The folder to install into; ~/.local/bin without it
  SKILL_INSTALL_TIMEOUT   Seconds without a byte after which the download ends; 30 without it

It writes this one file. To upgrade, run it again.
HELP
}

main() {
  action=install
  for word in "$@"; do
    case $word in
      --uninstall) action=uninstall ;;
      --help | -h) action=help ;;
      *)
        say "\"$word\" is no option of this script. It knows --uninstall and --help." >&2
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
      'Name one: SKILL_INSTALL_DIR=/path/to/a/folder'
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
  say "skill $installed is removed from $folder."
  kept=${XDG_CONFIG_HOME:-${HOME:-}/.config}/skill
  if [ -d "$kept" ]; then say "What it keeps for you, such as tokens, stays in $kept."; fi
}

install() {
  require_node
  require_safe_address
  assert_ours
  if [ -f "$file" ] && [ "$(digest_of "$file")" = "$sha256" ]; then
    [ -x "$file" ] || chmod 755 "$file" || fail "$file cannot be made executable."
    say "skill $version is installed already: $file"
  else
    put_in_place
    tell_what_came
    assert_runs
  fi
  tell_about_path
}

require_node() {
  next='Install it from https://nodejs.org or with the package manager of this system, then run this again.'
  found=$(command -v node) ||
    fail 'skill needs Node 20 or newer, and there is no program called node in your PATH.' "$next"
  node_version=$(node -p process.versions.node 2>/dev/null </dev/null) || node_version=''
  case ${node_version%%.*} in
    '' | *[!0-9]*) fail "skill needs Node 20 or newer, and $found does not tell its version." "$next" ;;
  esac
  [ "${node_version%%.*}" -ge 20 ] || fail "skill needs Node 20 or newer, and $found is Node $node_version." "$next"
}

# Sets `scheme`. On any other way than these somebody between could change what comes.
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
  fail "$registry is plain HTTP, which can be read and changed on its way." \
    'Nothing was installed. Whoever runs this registry can give it an address that starts with https://.'
}

# Sets `installed` to the version of the skill that is there, or to nothing.
assert_ours() {
  installed=''
  if [ ! -e "$file" ] && [ ! -L "$file" ]; then return; fi
  if [ -f "$file" ] && [ ! -L "$file" ]; then
    installed=$(line_of 2 's|^// skill \([^, ]*\), the client of Skilldock registries:.*|\1|')
    former=$(line_of 4 "s|^const servedBy = \"\(.*\)\"\$|\1|")
  fi
  [ -n "$installed" ] || fail "$file is something else than the client of a registry. Nothing was changed." \
    'Move it away, or name another folder: SKILL_INSTALL_DIR=/path/to/a/folder'
}

# What the substitution makes of a line of the file; nothing where it does not match.
line_of() { LC_ALL=C sed -n "$1{${2}p;q;}" "$file" 2>/dev/null; }

digest_of() {
  node -e 'const digest = require("node:crypto").createHash("sha256")
    process.stdout.write(digest.update(require("node:fs").readFileSync(process.argv[1])).digest("hex"))' "$1" </dev/null
}

# The file is complete and checked before it gets its name, and gets it at once.
put_in_place() {
  make_folder
  part=$(mktemp "${folder%/}/.skill.XXXXXXXX" 2>/dev/null) || {
    part=''
    fail "$folder cannot be written to." 'Name another folder: SKILL_INSTALL_DIR=/path/to/a/folder'
  }
  download
  actual=$(digest_of "$part")
  [ "$actual" = "$sha256" ] || fail \
    "What came from $address is not what this script was made for: its SHA-256 is $actual and not $sha256." \
    'Nothing was installed. The registry may have been upgraded just now: run the same command again.'
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
    fail "$folder cannot be made." 'Name another folder: SKILL_INSTALL_DIR=/path/to/a/folder'
}

# Leaves nothing of what did not come to its end; a folder that holds anything stays.
clean_up() {
  [ -z "$part" ] || rm -f "$part"
  while [ "$made_folders" -gt 0 ]; do
    rmdir "$folder" 2>/dev/null
    folder=${folder%/*}
    made_folders=$((made_folders - 1))
  done
}

# Writes what the registry gives into the file `part`.
download() {
  address=$registry/api/skilldock/client
  timeout=${SKILL_INSTALL_TIMEOUT:-30}
  case $timeout in
    *[!0-9]* | 0* | ??????*) fail "SKILL_INSTALL_TIMEOUT is $timeout, and must be a number of seconds." ;;
  esac
  # What is on this computer is reached without anybody between.
  if [ "$scheme" = http ]; then unset http_proxy all_proxy ALL_PROXY; fi
  if command -v curl >/dev/null; then
    download_with_curl
  elif command -v wget >/dev/null; then
    download_with_wget
  else
    fail 'This needs curl or wget, and neither is in your PATH.' 'Install one of them, then run this again.'
  fi
}

download_with_curl() {
  status=$(curl --silent --show-error --globoff --no-location --proto "=$scheme" --connect-timeout "$timeout" \
    --speed-limit 1 --speed-time "$timeout" --max-time $((timeout * 10)) \
    --output "$part" --write-out '%{http_code}' "$address" </dev/null) || fail_download "$?"
  case $status in
    200) ;;
    3??)
      fail "$address sends elsewhere ($status), which this script does not follow." \
        'Nothing was installed. Use the address of the registry itself.'
      ;;
    *)
      fail "$address answers with status $status.$(sentence_of "$part")" \
        'Nothing was installed. Wait a minute, then run this again.'
      ;;
  esac
}

fail_download() {
  case $1 in
    18) reason='The connection broke before all of it had come.' ;;
    23) reason="It could not be written to $folder. Is the disk full?" ;;
    28) reason="The registry did not send it in time." ;;
    *) reason='The registry cannot be reached.' ;;
  esac
  fail "$address could not be downloaded. $reason" 'Nothing was installed. Run this again.'
}

# What the registry says of a refusal, on one line behind a space.
sentence_of() {
  node -e 'try {
      const { error } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"))
      if (typeof error === "string") process.stdout.write(" " + error.replace(/[\x00-\x1f\x7f-\x9f]+/g, " ").slice(0, 500))
    } catch {}' "$1" </dev/null
}

# The wget of BusyBox follows where it is sent, for it knows no other way; what comes from there is checked the same.
download_with_wget() {
  case $(wget --help 2>&1) in
    *--max-redirect*) set -- --no-verbose --tries=1 --max-redirect=0 "--timeout=$timeout" ;;
    *' -T '*) set -- -T "$timeout" ;;
    *) set -- ;;
  esac
  said=$(wget "$@" -O "$part" "$address" 2>&1 </dev/null) || fail "$address could not be downloaded: $said" \
    "Nothing was installed. See whether the registry can be reached and $folder has room, then run this again."
}

tell_what_came() {
  if [ -z "$installed" ]; then
    say "skill $version is installed: $file"
  elif [ "$installed" = "$version" ]; then
    say "skill $version is installed anew: $file"
  else
    say "skill is upgraded from $installed to $version: $file"
  fi
  if [ -n "$installed" ] && [ "$former" != "$registry" ]; then
    say "It came from ${former:-no registry} before, and uses $registry from now on."
  else
    say "It uses $registry unless it is told otherwise."
  fi
}

# What keeps a good file from running is the place or the Node, such as a folder of modules and an early Node 20.
assert_runs() {
  said=$("$file" --version 2>&1 </dev/null) && return
  fail "But it does not run: $said" \
    "Use a newer Node than $node_version, or name another folder: SKILL_INSTALL_DIR=/path/to/a/folder"
}

tell_about_path() {
  first=$(command -v skill) || first=''
  if [ "$first" = "$file" ]; then
    say 'Begin with: skill --help'
    return
  fi
  case :$PATH: in
    *:"$folder":*)
      say "Another program called skill comes first in your PATH: $first"
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
  say '' "$folder is not in your PATH yet. So that skill is found there, $place:" '' "  $line" '' \
    "Until then: $named/skill --help"
}

# Sets `named` to the folder as it is written in a line for a shell.
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
