/** Why a file cannot be read as a core WebAssembly module. */
export type ModuleProblemCode =
  | 'empty'
  | 'not-wasm'
  | 'component'
  | 'version'
  | 'truncated'
  | 'malformed'
  | 'section-order'
  | 'unsupported'
  | 'limit'

/** `message` does not include the place; `offset` is in bytes from the start of the file. */
export interface ModuleProblem {
  code: ModuleProblemCode
  message: string
  offset: number
}

/** The only exception that the readers throw. `readModule` converts it to a result. */
export class ModuleRefusal extends Error {
  readonly problem: ModuleProblem

  constructor(problem: ModuleProblem) {
    super(problem.message)
    this.name = 'ModuleRefusal'
    this.problem = problem
  }
}

export function refuse(code: ModuleProblemCode, message: string, offset: number): never {
  throw new ModuleRefusal({ code, message, offset })
}

// Problems of the whole file, for which a byte offset would be confusing.
const ABOUT_THE_FILE: ReadonlySet<ModuleProblemCode> = new Set(['empty', 'not-wasm', 'component', 'version'])

/** The problem as a sentence, with the byte offset if it is helpful. */
export const describeModuleProblem = ({ code, message, offset }: ModuleProblem): string =>
  offset === 0 || ABOUT_THE_FILE.has(code) ? message : `${message} (at byte ${offset})`
