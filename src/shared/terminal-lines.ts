// What a developer types, as the public pages, the documents and the desk show it.

/** Installs or upgrades the client of the registry with this address. */
export const installLine = (registry: string): string => `curl -fsSL ${registry}/install.sh | sh`

/** In the folder of a skill. */
export const publishLine = 'skill login && skill publish'

/** The same without the client, with a token in SKILL_TOKEN. */
export const curlPublishLine = (registry: string): string =>
  [
    'curl --fail-with-body',
    '-H "Authorization: Bearer $SKILL_TOKEN"',
    "-F 'manifest=<manifest.json'",
    "-F 'wasm=@skill.wasm;type=application/wasm'",
    `${registry}/api/marketplace/publish`,
  ].join(' ')
