// Builds lines-to-json.wasm: node build.mjs
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCES = ['src/main.c']
const RESULT = 'lines-to-json.wasm'
const FLAGS = ['-std=c11', '-Os', '-Wall', '-Wextra']
// Strips debug data and declares the module's maximum memory in bytes.
const LINKER_FLAGS = ['-Wl,--strip-all', '-Wl,--max-memory=16777216']

const HELP = `No clang with a WASI target was found.
  Debian, Ubuntu: sudo apt-get install clang lld wasi-libc libclang-rt-dev-wasm32
  Any system:     https://github.com/WebAssembly/wasi-sdk/releases, then set WASI_SDK_PATH to its folder
`

// Older toolchains use the older name of the target.
const TARGETS = ['wasm32-wasip1', 'wasm32-wasi']

const program = process.platform === 'win32' ? 'clang.exe' : 'clang'
const folders = [
  join(process.env.WASI_SDK_PATH ?? '/opt/wasi-sdk', 'bin'),
  ...(process.env.PATH ?? '').split(delimiter),
  '/opt/homebrew/opt/llvm/bin',
]

/** Whether clang finds a part of its toolchain. */
function has(clang, target, ...question) {
  const { status, stdout } = spawnSync(clang, [`--target=${target}`, ...question], { encoding: 'utf8' })
  return status === 0 && isAbsolute(stdout.trim()) && existsSync(stdout.trim())
}

function findCompiler() {
  const compilers = folders.map((folder) => join(folder, program)).filter((file) => existsSync(file))
  for (const clang of compilers) {
    const target = TARGETS.find(
      (name) =>
        has(clang, name, '-print-file-name=crt1-command.o') &&
        has(clang, name, '-print-prog-name=wasm-ld') &&
        has(clang, name, '-rtlib=compiler-rt', '-print-libgcc-file-name'),
    )
    if (target !== undefined) return { clang, target }
  }
  return null
}

const found = findCompiler()
if (found === null) {
  process.stderr.write(HELP)
  process.exitCode = 1
} else {
  const args = [`--target=${found.target}`, ...FLAGS, ...LINKER_FLAGS, '-o', RESULT, ...SOURCES]
  const { status } = spawnSync(found.clang, args, {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
  if (status === 0) console.log(`Built ${RESULT} (${found.clang}, ${found.target})`)
}
