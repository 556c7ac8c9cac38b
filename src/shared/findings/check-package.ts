import { messageOf } from '../errors.ts'
import type { ModuleFacts } from '../contracts/desk-review.ts'
import { engine } from '../sandbox/engine.ts'
import { checkCommandModule } from '../wasm/command-module.rules.ts'
import type { PackageProblem } from '../wasm/command-module.rules.ts'
import { describeModule } from '../wasm/describe-module.ts'
import { describeModuleProblem } from '../wasm/module-problem.ts'
import { printable } from '../wasm/printable.ts'
import { readModule } from '../wasm/read-module.ts'
import type { ModuleScan } from './module-scan.ts'
import { scanModule } from './scan-module.ts'

// No Zod schemas here: the server's helper process that checks modules starts faster without them.

/** The facts about a valid module and the scan of its data, or the problems of an invalid one. */
export type PackageCheck =
  | { ok: true; module: ModuleFacts; scan: ModuleScan }
  | { ok: false; problems: PackageProblem[] }

export const wasmProblem = (message: string): PackageProblem => ({ path: 'wasm', message })

/**
 * Why the engine rejects an invalid module. Only the constructor gives a reason. It validates before it compiles, so an
 * invalid module is never compiled.
 */
const engineReason = (bytes: Uint8Array<ArrayBuffer>): string => {
  try {
    void new engine.Module(bytes)
    return 'it gave no reason'
  } catch (error) {
    const reason = messageOf(error)
    return printable(reason.replace(/^WebAssembly\.Module\(\): /, ''), 300)
  }
}

/**
 * Checks a module against all rules for packages: its structure, the rules for commands, and every function body with
 * the engine's own validation. Nothing is compiled or run. This may take many seconds and can only be interrupted by
 * killing the process.
 */
export const checkPackage = (bytes: Uint8Array<ArrayBuffer>): PackageCheck => {
  const reading = readModule(bytes)
  if (!reading.ok) return { ok: false, problems: [wasmProblem(describeModuleProblem(reading.problem))] }
  const problems = checkCommandModule(reading.module)
  if (!engine.validate(bytes)) {
    problems.push(wasmProblem(`The module does not validate: ${engineReason(bytes)}`))
  }
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    module: describeModule(bytes, reading.module),
    scan: scanModule(bytes, reading.module.sections),
  }
}
