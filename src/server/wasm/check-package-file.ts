import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { scanModule } from '../../shared/findings/scan-module.ts'
import { checkCommandModule, type PackageProblem } from '../../shared/wasm/check-command-module.ts'
import { describeModule } from '../../shared/wasm/describe-module.ts'
import { describeModuleProblem } from '../../shared/wasm/module-problem.ts'
import { LIMITS } from '../../shared/wasm/module-summary.ts'
import { printable } from '../../shared/wasm/printable.ts'
import { readModule } from '../../shared/wasm/read-module.ts'
import type { ValidationResult } from './validator-messages.ts'

// Node has this global, but its type declarations do not.
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean
  Module: new (bytes: Uint8Array) => unknown
}

// One buffer for all files: a fresh one for each would lie about until the next garbage collection.
let buffer = new Uint8Array(0)

/** The file's bytes, valid until the next call; null when it is larger than a package may be. */
const readBounded = (path: string): Uint8Array | null => {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size > LIMITS.moduleBytes) return null
    if (buffer.length < size) buffer = new Uint8Array(size)
    let filled = 0
    while (filled < size) {
      const read = readSync(file, buffer, filled, size - filled, null)
      if (read === 0) break
      filled += read
    }
    return buffer.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}

/**
 * Why the engine refuses the module. Only the constructor gives a reason; it checks before it compiles,
 * so for a module that does not validate it never comes to compiling.
 */
const engineReason = (bytes: Uint8Array): string => {
  try {
    void new WebAssembly.Module(bytes)
    return 'it gave no reason'
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return printable(reason.replace(/^WebAssembly\.Module\(\): /, ''), 300)
  }
}

const inWasm = (message: string): PackageProblem => ({ path: 'wasm', message })

/**
 * Checks the file at `path` against all rules for a package: the outline, the rules for commands, and
 * every function body with the engine's own validation, and says what is in it. Nothing of it is compiled
 * or run. Throws only when the file cannot be read.
 */
export const checkPackageFile = (path: string): ValidationResult => {
  const bytes = readBounded(path)
  if (!bytes) return { ok: false, problems: [inWasm('The module is larger than 16 MiB.')] }
  const reading = readModule(bytes)
  if (!reading.ok) return { ok: false, problems: [inWasm(describeModuleProblem(reading.problem))] }
  const problems = checkCommandModule(reading.module)
  if (!WebAssembly.validate(bytes)) {
    problems.push(inWasm(`The module does not validate: ${engineReason(bytes)}`))
  }
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    module: describeModule(bytes, reading.module),
    scan: scanModule(bytes, reading.module.sections),
  }
}
