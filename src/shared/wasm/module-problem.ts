/** What kind of thing stops a file from being read as a core WebAssembly module. */
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

/** One refusal: `message` is a sentence without the place, `offset` counts bytes from the file's start. */
export interface ModuleProblem {
  code: ModuleProblemCode
  message: string
  offset: number
}

/** The only exception the reading functions throw; `readModule` turns it into a plain result. */
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

// These say what the whole file is; a byte offset would only confuse.
const ABOUT_THE_FILE: ReadonlySet<ModuleProblemCode> = new Set(['empty', 'not-wasm', 'component', 'version'])

/** The problem as one sentence for a person, with the byte offset where that helps to find it. */
export const describeModuleProblem = ({ code, message, offset }: ModuleProblem): string =>
  offset === 0 || ABOUT_THE_FILE.has(code) ? message : `${message} (at byte ${offset})`
