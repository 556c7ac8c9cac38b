// Builds lines-to-json.wasm: node build.mjs
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const RESULT = 'lines-to-json.wasm'

const HELP = `No Rust toolchain with a WASI target was found.
  With rustup:    rustup target add wasm32-wasip1
  Debian, Ubuntu: sudo apt-get install cargo libstd-rust-dev-wasm32 lld
`

// Rust before 1.78, as in Debian 12, uses the older name of the target.
const TARGETS = ['wasm32-wasip1', 'wasm32-wasi']

const folder = fileURLToPath(new URL('.', import.meta.url))
const ending = process.platform === 'win32' ? '.exe' : ''

/** Whether this rustc supports the target and has its standard library. */
function canBuildFor(rustc, target) {
  const { status, stdout } = spawnSync(rustc, ['--print', 'target-libdir', '--target', target], {
    cwd: folder,
    encoding: 'utf8',
  })
  const libraries = stdout?.trim() ?? ''
  return (
    status === 0 && existsSync(libraries) && readdirSync(libraries).some((name) => name.startsWith('libstd-'))
  )
}

/** Finds the first suitable toolchain in PATH. There may be several, such as rustup's and the system's. */
function findRust() {
  for (const entry of new Set((process.env.PATH ?? '').split(delimiter))) {
    const cargo = join(entry, `cargo${ending}`)
    const rustc = join(entry, `rustc${ending}`)
    if (!existsSync(cargo) || !existsSync(rustc)) continue
    const target = TARGETS.find((name) => canBuildFor(rustc, name))
    if (target !== undefined) return { cargo, rustc, target }
  }
  return null
}

const found = findRust()
if (found === null) {
  process.stderr.write(HELP)
  process.exitCode = 1
} else {
  const { cargo, rustc, target } = found
  const { status } = spawnSync(cargo, ['build', '--release', '--target', target, '--target-dir', 'target'], {
    cwd: folder,
    env: { ...process.env, RUSTC: rustc },
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
  if (status === 0) {
    copyFileSync(join(folder, 'target', target, 'release', 'skill.wasm'), join(folder, RESULT))
    console.log(`Built ${RESULT} (${rustc}, ${target})`)
  }
}
