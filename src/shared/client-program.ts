/**
 * The first lines of the client's one file. The registry that serves it writes its own address there, and the
 * installer knows by them which file is a client, and which one.
 */
export const clientFileName = 'skill'
/** The script beside it that installs it. */
export const installerFileName = 'install.sh'

const unserved = `const servedBy = ''`

/** What stands above the program. `src/client/registry/built-in-registry.ts` reads `servedBy`. */
export const clientHeader = (version: string): string =>
  [
    '#!/usr/bin/env node',
    `// skill ${version}, the client of Skilldock registries: one file that needs Node 20 or newer and nothing else.`,
    "'use strict'",
    unserved,
    "if (Number(process.versions.node.split('.')[0]) < 20) {",
    "  console.error('skill needs Node 20 or newer, and this is ' + process.version + '. See https://nodejs.org')",
    '  process.exit(1)',
    '}',
  ].join('\n')

/** The version of a built client. Throws where it is none that was built here. */
export function versionOfClient(file: string): string {
  const version = /^.*\n\/\/ skill ([^,\s]+),/.exec(file)?.[1]
  if (version === undefined)
    throw new Error('The file of the client does not start as one that was built here')
  return version
}

/** A built client as a registry gives it away. Throws where it is none, or has been given away already. */
export function withRegistry(file: string, registry: string): string {
  const [shebang, title, strict, address, ...rest] = file.split('\n')
  if (address !== unserved) throw new Error('The file of the client has no place for an address')
  return [shebang, title, strict, `const servedBy = ${JSON.stringify(registry)}`, ...rest].join('\n')
}
