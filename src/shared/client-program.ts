export const clientFileName = 'skill'
export const installScriptFileName = 'install.sh'

const unserved = `const servedBy = ''`

/**
 * The first lines of the client's single file. The registry that serves the file inserts its own address into them, and
 * the install script reads the version and the registry from them. `src/client/registry/built-in-registry.ts` reads
 * `servedBy`.
 */
export const clientHeader = (version: string): string =>
  [
    '#!/usr/bin/env node',
    `// skill ${version}, the client of Skilldock registries: one file that needs Node 20 or newer and nothing else.`,
    "'use strict'",
    unserved,
    "if (Number(process.versions.node.split('.')[0]) < 20) {",
    "  console.error('skill requires Node 20 or newer, but this is ' + process.version + '. See https://nodejs.org')",
    '  process.exit(1)',
    '}',
  ].join('\n')

/** The version of a built client. Throws if the file is not one. */
export function versionOfClient(file: string): string {
  const version = /^.*\n\/\/ skill ([^,\s]+),/.exec(file)?.[1]
  if (version === undefined) throw new Error('The file is not a built client')
  return version
}

/** Inserts the registry's address into a built client. Throws if the file is not one or already has an address. */
export function withRegistry(file: string, registry: string): string {
  const [shebang, title, strict, address, ...rest] = file.split('\n')
  if (address !== unserved) throw new Error('The client has no place for a registry address')
  return [shebang, title, strict, `const servedBy = ${JSON.stringify(registry)}`, ...rest].join('\n')
}
