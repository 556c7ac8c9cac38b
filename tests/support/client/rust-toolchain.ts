import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What Debian calls what building Rust for WASI needs. */
export const RUST_PACKAGES = ['cargo', 'rustc', 'libstd-rust-dev-wasm32', 'lld'] as const

export interface Rust {
  cargo: string
  rustc: string
  /** The name by which it knows WASI preview 1. */
  target: string
}

const ENDING = process.platform === 'win32' ? '.exe' : ''

/**
 * Asks each Rust on PATH whether it has the standard library for WASI, for a computer may have rustup's and the
 * system's. Null where none has it.
 */
export const findRust = (): Rust | null => {
  const folders = new Set((process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''))
  for (const folder of folders) {
    const cargo = join(folder, `cargo${ENDING}`)
    const rustc = join(folder, `rustc${ENDING}`)
    // A shim of rustup without a toolchain is there and cannot run.
    if (!existsSync(rustc) || spawnSync(cargo, ['--version'], { stdio: 'ignore' }).status !== 0) continue
    const target = ['wasm32-wasip1', 'wasm32-wasi'].find((name) => hasLibrary(rustc, name))
    if (target !== undefined) return { cargo, rustc, target }
  }
  return null
}

const hasLibrary = (rustc: string, target: string): boolean => {
  const answer = spawnSync(rustc, ['--print', 'target-libdir', '--target', target], { encoding: 'utf8' })
  const folder = answer.status === 0 ? answer.stdout.trim() : ''
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('libstd-'))
}
