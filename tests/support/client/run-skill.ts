import { ConsoleStdout, File, OpenFile, WASI } from '@bjorn3/browser_wasi_shim'

export interface SkillRun {
  exitCode: number
  /** Decoded as UTF-8; bytes that are not UTF-8 become U+FFFD. */
  stdout: string
  stderr: string
}

/**
 * Runs a WASI preview 1 command in this process, without files, arguments or environment, and returns its
 * output. A trap is thrown as WebAssembly.RuntimeError, a missing import as WebAssembly.LinkError.
 */
export const runSkill = async (bytes: Uint8Array, stdin: string | Uint8Array): Promise<SkillRun> => {
  const stdout: Uint8Array[] = []
  const stderr: Uint8Array[] = []
  const input = typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin
  const wasi = new WASI(
    ['skill'],
    [],
    [
      new OpenFile(new File(input)),
      new ConsoleStdout((written) => stdout.push(written)),
      new ConsoleStdout((written) => stderr.push(written)),
    ],
    { debug: false },
  )
  const module = await WebAssembly.compile(new Uint8Array(bytes))
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport })
  const { _start: start, memory } = instance.exports
  if (typeof start !== 'function' || !(memory instanceof WebAssembly.Memory)) {
    throw new TypeError('The module exports no _start function or no memory.')
  }
  const exitCode = wasi.start({ exports: { memory, _start: () => void start() } })
  return { exitCode, stdout: decode(stdout), stderr: decode(stderr) }
}

const decode = (chunks: Uint8Array[]): string => new TextDecoder().decode(Buffer.concat(chunks))
