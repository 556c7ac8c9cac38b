import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** The Debian packages for building Rust for WASI. */
export const RUST_PACKAGES = ['cargo', 'rustc', 'libstd-rust-dev-wasm32', 'lld'] as const

export interface Rust {
  cargo: string
  rustc: string
  /** Its name for the WASI preview 1 target. */
  target: string
}

const ENDING = process.platform === 'win32' ? '.exe' : ''

/**
 * Finds a Rust on PATH with the standard library for WASI, or returns null. A computer may have both rustup's and the
 * system's Rust.
 */
export const findRust = (): Rust | null => {
  const folders = new Set((process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''))
  for (const folder of folders) {
    const cargo = join(folder, `cargo${ENDING}`)
    const rustc = join(folder, `rustc${ENDING}`)
    // A rustup shim without a toolchain exists but cannot run.
    if (!existsSync(rustc) || spawnSync(cargo, ['--version'], { stdio: 'ignore' }).status !== 0) continue
    const target = ['wasm32-wasip1', 'wasm32-wasi'].find((name) => hasLibrary(rustc, name))
    if (target !== undefined) return { cargo, rustc, target }
  }
  return null
}

/**
 * PATH of a developer: this Node, and a Rust that can build for WASI if there is one, because the first Rust on a computer
 * may be a rustup shim without a toolchain. Without the programs of npm packages, which npm adds: with one of them, clang
 * would optimize each module for more than a second.
 */
export const developerPath = (): string => {
  const rust = findRust()
  const folders = [process.execPath, ...(rust === null ? [] : [rust.cargo])].map((program) =>
    dirname(program),
  )
  const others = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  return [...folders, ...others].join(delimiter)
}

const hasLibrary = (rustc: string, target: string): boolean => {
  const answer = spawnSync(rustc, ['--print', 'target-libdir', '--target', target], { encoding: 'utf8' })
  const folder = answer.status === 0 ? answer.stdout.trim() : ''
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('libstd-'))
}
