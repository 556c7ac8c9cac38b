import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'

/** What Debian calls the four things that building C for WASI needs. */
export const C_TOOLCHAIN_PACKAGES = ['clang', 'lld', 'wasi-libc', 'libclang-rt-dev-wasm32'] as const

export const C_TARGET = '--target=wasm32-wasi'

export type CToolchainPackage = (typeof C_TOOLCHAIN_PACKAGES)[number]

/**
 * Asks clang itself where it would find its linker, its C library and its run-time library, so that the
 * answer holds for whichever version and layout is installed. An empty list means that C can be built.
 */
export const missingCToolchain = (): CToolchainPackage[] => {
  if (ask('--version') === null) return [...C_TOOLCHAIN_PACKAGES]
  const needed: [CToolchainPackage, string | null][] = [
    ['lld', ask('-print-prog-name=wasm-ld')],
    ['wasi-libc', ask('-print-file-name=crt1-command.o')],
    ['libclang-rt-dev-wasm32', ask('-rtlib=compiler-rt', '-print-libgcc-file-name')],
  ]
  return needed.filter(([, file]) => !isThere(file)).map(([name]) => name)
}

const ask = (...question: string[]): string | null => {
  const answer = spawnSync('clang', [C_TARGET, ...question], { encoding: 'utf8' })
  return answer.status === 0 ? answer.stdout.trim() : null
}

// clang answers with the bare name when it has found no file.
const isThere = (file: string | null): boolean => file !== null && isAbsolute(file) && existsSync(file)
