import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { checkPackage, wasmProblem } from '../../shared/findings/check-package.ts'
import type { PackageCheck } from '../../shared/findings/check-package.ts'
import { runChecks } from '../../shared/findings/run-checks.ts'
import { LIMITS } from '../../shared/wasm/module-summary.ts'
import type { ReleaseFacts, ValidationResult } from './validator-messages.ts'
import { texts } from './wasm.texts.ts'

// One buffer for all files: a new one for each would stay in memory until the next garbage collection.
let buffer = new Uint8Array(0)

/** The file's bytes, valid until the next call; null if it is larger than a module may be. */
const readBounded = (path: string): Uint8Array<ArrayBuffer> | null => {
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
 * Checks the file at `path` against all rules for a package (structure, rules for commands, and the engine's validation
 * of every function body) and returns its facts. Does not compile or run it. Throws only if the file can't be read.
 */
const checkPackageFile = (path: string): PackageCheck => {
  const bytes = readBounded(path)
  return bytes === null ? { ok: false, problems: [wasmProblem(texts.tooLarge)] } : checkPackage(bytes)
}

/** Checks the module at `path`, and with `facts` also runs all checks of the release. */
export const checkRelease = (path: string, facts: ReleaseFacts | null): ValidationResult => {
  const known = facts?.problem ?? null
  const checked: PackageCheck =
    known === null ? checkPackageFile(path) : { ok: false, problems: [wasmProblem(known)] }
  const result = checked.ok
    ? { ok: true as const, module: checked.module }
    : { ok: false as const, problems: checked.problems }
  if (facts === null) return { ...result, findings: null }
  const seen = checked.ok
    ? { module: checked.module, scan: checked.scan, problem: null }
    : { scan: null, problem: checked.problems[0]?.message ?? texts.invalid }
  return { ...result, findings: runChecks({ ...facts, ...seen, runs: null }) }
}
