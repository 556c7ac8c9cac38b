import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'

/** The Debian packages that are needed to compile C for WASI. */
export const C_TOOLCHAIN_PACKAGES = ['clang', 'lld', 'wasi-libc', 'libclang-rt-dev-wasm32'] as const

export const C_TARGET = '--target=wasm32-wasi'

export type CToolchainPackage = (typeof C_TOOLCHAIN_PACKAGES)[number]

/**
 * Asks clang where it finds its linker, its C library and its runtime library, so that the answer is correct for the
 * installed version and layout. An empty list means that C can be compiled.
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

// clang prints only the name if it cannot find the file.
const isThere = (file: string | null): boolean => file !== null && isAbsolute(file) && existsSync(file)
