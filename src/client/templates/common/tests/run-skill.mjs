import { existsSync, readFileSync } from 'node:fs'

const manifestFile = new URL('../manifest.json', import.meta.url)
export const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))

const moduleFile = new URL(`../${manifest.name}.wasm`, import.meta.url)

/** Maximum bytes per read or write: few, as in a pipe, and an odd number, so that characters are split. */
const PIECE = 4093

const SUCCESS = 0
const BAD_FILE = 8
const NOT_SUPPORTED = 58

/**
 * Runs the module with standard input, output and error, and nothing else: no files, no arguments, no environment.
 * Resolves to `{ exitCode, stdout, stderr }`. A trap is thrown as WebAssembly.RuntimeError.
 */
export async function runSkill(input) {
  if (!existsSync(moduleFile))
    throw new Error(`${manifest.name}.wasm does not exist. Build it first (see README.md).`)
  const module = await WebAssembly.compile(readFileSync(moduleFile))
  const host = createHost(typeof input === 'string' ? Buffer.from(input) : input)
  // Imports that the compiler adds but the skill does not need return an error.
  const names = WebAssembly.Module.imports(module).map(({ name }) => name)
  const calls = Object.fromEntries(names.map((name) => [name, host.calls[name] ?? (() => NOT_SUPPORTED)]))
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: calls })
  const { _start: start, memory } = exports
  host.memory = memory
  let exitCode = 0
  try {
    start()
  } catch (ending) {
    if (!(ending instanceof Exit)) throw ending
    exitCode = ending.code
  }
  return { exitCode, stdout: host.text(1), stderr: host.text(2) }
}

class Exit extends Error {
  constructor(code) {
    super(`exit code ${code}`)
    this.code = code
  }
}

/** The WASI preview 1 functions of a program that only reads and writes. */
function createHost(input) {
  const written = { 1: [], 2: [] }
  let read = 0
  const host = {
    memory: null,
    text: (file) => Buffer.concat(written[file]).toString(),
  }
  const numbers = () => new DataView(host.memory.buffer)
  const none = (count, size) => {
    numbers().setUint32(count, 0, true)
    numbers().setUint32(size, 0, true)
    return SUCCESS
  }
  /** Calls `move` for each buffer, which returns the number of bytes copied, and stores the total at `done`. */
  const eachBuffer = (buffers, count, done, move) => {
    let left = PIECE
    for (let index = 0; index < count && left > 0; index += 1) {
      const start = numbers().getUint32(buffers + index * 8, true)
      const size = numbers().getUint32(buffers + index * 8 + 4, true)
      left -= move(new Uint8Array(host.memory.buffer, start, Math.min(size, left)))
    }
    numbers().setUint32(done, PIECE - left, true)
    return SUCCESS
  }
  host.calls = {
    fd_read(file, buffers, count, done) {
      if (file !== 0) return BAD_FILE
      return eachBuffer(buffers, count, done, (buffer) => {
        const piece = input.subarray(read, read + buffer.length)
        buffer.set(piece)
        read += piece.length
        return piece.length
      })
    },
    fd_write(file, buffers, count, done) {
      if (written[file] === undefined) return BAD_FILE
      return eachBuffer(buffers, count, done, (buffer) => {
        written[file].push(Buffer.from(buffer))
        return buffer.length
      })
    },
    proc_exit(code) {
      throw new Exit(code)
    },
    args_sizes_get: none,
    args_get: () => SUCCESS,
    environ_sizes_get: none,
    environ_get: () => SUCCESS,
  }
  return host
}
