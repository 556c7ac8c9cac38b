import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetPrograms, requireProgram } from './programs.ts'
import { findRust } from './client/rust-toolchain.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skilldock-path-'))
  vi.stubEnv('PATH', folder)
  forgetPrograms()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  forgetPrograms()
  await rm(folder, { recursive: true })
})

const put = async (name: string, script: string): Promise<void> => {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, name), 0o755)
}

test.skipIf(process.platform === 'win32')(
  'a program on PATH that cannot run is treated as missing',
  async () => {
    await put('xmllint', 'exit 1')
    expect(requireProgram('xmllint')).toBeNull()
    await put('xmllint', 'exit 0')
    forgetPrograms()
    expect(requireProgram('xmllint')).toBe(join(folder, 'xmllint'))
  },
)

test.skipIf(process.platform === 'win32')(
  'a cargo shim of rustup without a toolchain is treated as missing',
  async () => {
    await put('rustc', `echo ${folder}`)
    await writeFile(join(folder, 'libstd-1.rlib'), '')
    await put('cargo', 'echo "error: no override and no default toolchain set" >&2; exit 1')
    expect(findRust()).toBeNull()
    await put('cargo', 'exit 0')
    expect(findRust()).toMatchObject({ cargo: join(folder, 'cargo') })
  },
)
