/**
 * The first lines of the client's one file. The registry that serves it writes its own address there, and the
 * installer knows by them which file is a client, and which one.
 */
export const clientFileName = 'skill'

/** How the second line starts; the version stands behind it, and a comma. */
export const clientMark = '// skill '

const unserved = `const servedBy = ''`

/** What stands above the program. `src/client/built-in-registry.ts` reads `servedBy`. */
export const clientHeader = (version: string): string =>
  [
    '#!/usr/bin/env node',
    `${clientMark}${version}, the client of Skilldock registries: one file that needs Node 20 or newer and nothing else.`,
    "'use strict'",
    unserved,
    "if (Number(process.versions.node.split('.')[0]) < 20) {",
    "  console.error('skill needs Node 20 or newer, and this is ' + process.version + '. See https://nodejs.org')",
    '  process.exit(1)',
    '}',
  ].join('\n')

/** The file as a registry gives it away; null where it is no client that was built here. */
export function withRegistry(file: string, registry: string): string | null {
  const [shebang, title, strict, address, ...rest] = file.split('\n')
  if (title?.startsWith(clientMark) !== true || address !== unserved) return null
  return [shebang, title, strict, `const servedBy = ${JSON.stringify(registry)}`, ...rest].join('\n')
}
