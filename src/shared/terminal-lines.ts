// Commands for publishers, shown by the public pages, the documents and the desk.

/** Installs or upgrades the client of a registry. */
export const installLine = (registry: string): string => `curl -fsSL ${registry}/install.sh | sh`

/** To be run in the folder of a skill. */
export const publishLine = 'skill login && skill publish'

/** Publishes without the client, with a token in SKILL_TOKEN. */
export const curlPublishLine = (registry: string): string =>
  [
    'curl --fail-with-body',
    '-H "Authorization: Bearer $SKILL_TOKEN"',
    "-F 'manifest=<manifest.json'",
    "-F 'wasm=@skill.wasm;type=application/wasm'",
    `${registry}/api/marketplace/publish`,
  ].join(' ')
