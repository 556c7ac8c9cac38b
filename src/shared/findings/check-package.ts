import type { ModuleFacts } from '../contracts/desk-review.ts'
import { engine } from '../sandbox/engine.ts'
import { checkCommandModule } from '../wasm/check-command-module.ts'
import type { PackageProblem } from '../wasm/check-command-module.ts'
import { describeModule } from '../wasm/describe-module.ts'
import { describeModuleProblem } from '../wasm/module-problem.ts'
import { printable } from '../wasm/printable.ts'
import { readModule } from '../wasm/read-module.ts'
import type { ModuleScan } from './module-scan.ts'
import { scanModule } from './scan-module.ts'

// No schemas here: the server's process that checks modules starts without a parser.

/** What a module in order is, and what is in its data; or what is wrong with it. */
export type PackageCheck =
  | { ok: true; module: ModuleFacts; scan: ModuleScan }
  | { ok: false; problems: PackageProblem[] }

export const inWasm = (message: string): PackageProblem => ({ path: 'wasm', message })

/**
 * Why the engine refuses the module. Only the constructor gives a reason; it checks before it compiles,
 * so for a module that does not validate it never comes to compiling.
 */
const engineReason = (bytes: Uint8Array<ArrayBuffer>): string => {
  try {
    void new engine.Module(bytes)
    return 'it gave no reason'
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return printable(reason.replace(/^WebAssembly\.Module\(\): /, ''), 300)
  }
}

/**
 * Checks a module against all rules for a package: the outline, the rules for commands, and every function body
 * with the engine's own validation, and says what is in it. Nothing of it is compiled or run. It may take many
 * seconds, and nothing but the end of its process interrupts it.
 */
export const checkPackage = (bytes: Uint8Array<ArrayBuffer>): PackageCheck => {
  const reading = readModule(bytes)
  if (!reading.ok) return { ok: false, problems: [inWasm(describeModuleProblem(reading.problem))] }
  const problems = checkCommandModule(reading.module)
  if (!engine.validate(bytes)) {
    problems.push(inWasm(`The module does not validate: ${engineReason(bytes)}`))
  }
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    module: describeModule(bytes, reading.module),
    scan: scanModule(bytes, reading.module.sections),
  }
}
