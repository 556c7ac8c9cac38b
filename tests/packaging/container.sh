#!/usr/bin/env bash
# Builds the image of the Containerfile and runs it as compose.yaml does: read-only, without capabilities and as its own user.
# Needs root on Debian with podman, runc and debootstrap: `npm run container`.
#
# The base images are made with debootstrap, so nothing is pulled. The one that builds gets this project's Node and
# the npm that runs this.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

image=localhost/skilldock-test
container=skilldock-test
work=$(mktemp -d)
port=$(node -e "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port); this.close() })")
url=http://127.0.0.1:$port

# Also runs where both versions of control groups are mounted.
pod() { podman --runtime runc --cgroup-manager cgroupfs --log-level fatal "$@"; }
end() {
  pod rm --force --time 0 "$container" > /dev/null 2>&1 || true
  rm -rf "$work"
}
trap end EXIT
ok() { echo "ok    $1"; }
fail() { echo "FAILED: $1" >&2; exit 1; }

import() {
  tar -C "$work/root" -c . | pod import --change "ENV NODE_EXTRA_CA_CERTS=$certificates" - "$1" > /dev/null 2>&1
}
certificates=/etc/ssl/certs/ca-certificates.crt
debootstrap --variant=minbase --include=ca-certificates bookworm "$work/root" > /dev/null
cp "$certificates" "$work/root$certificates"
import docker.io/library/debian:12-slim
npm=$(dirname "$(dirname "$(readlink -f "${npm_execpath:?Start it with: npm run container}")")")
cp "$(readlink -f "$(command -v node)")" "$work/root/usr/local/bin/node"
mkdir -p "$work/root/usr/local/lib/node_modules"
cp -rL "$npm" "$work/root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/root/usr/local/bin/npm"
import docker.io/library/node:24-bookworm-slim
rm -r "$work/root"

pod build --format docker --isolation chroot --network host --pull=never --tag "$image" . > "$work/build.log" 2>&1 \
  || { tail -30 "$work/build.log"; fail 'the image is not built'; }
ok "the image is built: $(pod image inspect --format '{{.Size}}' "$image" | numfmt --to=iec)"
# shellcheck disable=SC2016 # a Go template
[ "$(pod image inspect --format '{{.User}} {{range $path, $_ := .Config.Volumes}}{{$path}}{{end}}' "$image")" = '10001 /data' ] \
  || fail 'it has another user or other volumes'
ok 'it runs as user 10001 and has one volume, /data'

limits=(--network host --ulimit nofile=4096:4096 --ulimit nproc=4096:4096)
status=0
pod run --rm "${limits[@]}" "$image" > "$work/refused.log" 2>&1 || status=$?
[ "$status" = 2 ] || fail 'it starts on all addresses'
grep -q 'set SKILLDOCK_PUBLIC_URL' "$work/refused.log" || fail 'it does not say what to set'
ok 'without a certificate or a trusted proxy it refuses to listen on all addresses, and says what to set'

mkdir "$work/data"
chown 10001 "$work/data"
start() {
  pod run --detach --name "$container" "${limits[@]}" --read-only --tmpfs /tmp --cap-drop ALL \
    --security-opt no-new-privileges --volume "$work/data:/data" \
    --env SKILLDOCK_HOST=127.0.0.1 --env SKILLDOCK_PORT="$port" "$image" > /dev/null 2>&1
  curl --fail --silent --retry 40 --retry-delay 1 --retry-connrefused "$url/api/health" > /dev/null
}
stop() {
  local before=$SECONDS
  pod stop --time 60 "$container" > /dev/null 2>&1
  [ "$((SECONDS - before))" -lt 10 ] || fail "it stops after $((SECONDS - before)) s"
  [ "$(pod inspect --format '{{.State.ExitCode}}' "$container")" = 0 ] || fail 'it ends with an error'
  pod rm "$container" > /dev/null
}

start
ok 'with a read-only root file system and no capabilities it answers'
pod exec "$container" sh -c '! touch /opt/x 2> /dev/null && touch /data/x && rm /data/x' || fail 'the root file system is writable'
ok 'it can write to /data, and not to its program'
pod healthcheck run "$container" > /dev/null 2>&1 || fail 'the health check fails'
ok 'the health check passes'

token=$(pod exec "$container" skilldock token --subject alice --name Alice --scope publish)
skill=resources/skills/word-count
sent=$(curl --silent --output /dev/null --write-out '%{http_code}' --header "Authorization: Bearer $token" \
  --form "manifest=<$skill/manifest.json" --form "wasm=@$skill/word-count.wasm" "$url/api/marketplace/publish")
[ "$sent" = 201 ] || fail "publishing answers $sent"
ok 'a release can be submitted'
stop
ok 'SIGTERM stops it in less than 10 s with exit status 0'

start
[ "$(pod exec "$container" skilldock people list | grep -c alice)" = 1 ] || fail 'the volume has lost data'
pod exec "$container" skilldock verify > /dev/null || fail 'the data folder has problems'
stop
ok 'another container on the same volume has the same data, and verify finds no problems'
