import { adviseOnImport } from './import-advice.ts'
import type { FunctionSignature, ModuleExport, ModuleImport, ModuleSummary } from './module-summary.ts'
import { printable } from './printable.ts'
import { PREVIEW1_FUNCTIONS, PREVIEW1_MODULE } from './wasi-preview1.ts'

/** One problem with a package. `path` is the place, starting with `wasm`; `message` also says what to do. */
export interface PackageProblem {
  path: string
  message: string
}

/** Maximum number of listed problems. If there are more, the last one says how many are omitted. */
export const MAX_PROBLEMS = 20

const showTypes = (types: string[]): string =>
  types.length > 12 ? `${types.slice(0, 12).join(', ')}, … ${types.length} in total` : types.join(', ')

const showSignature = ({ params, results }: FunctionSignature): string =>
  `(${showTypes(params)}) -> (${showTypes(results)})`

const sameTypes = (left: string[], right: string[]): boolean =>
  left.length === right.length && left.every((type, index) => type === right[index])

const checkImport = (found: ModuleImport): string | null => {
  const title = `The import "${printable(found.module)}" "${printable(found.name)}"`
  if (found.module !== PREVIEW1_MODULE) {
    return `${title} is a ${found.kind} from outside ${PREVIEW1_MODULE}. ${adviseOnImport(found)}`
  }
  if (found.kind !== 'function') {
    return `${title} is a ${found.kind}, but WASI preview 1 has only functions; remove this import.`
  }
  const expected = PREVIEW1_FUNCTIONS.get(found.name)
  if (!expected) {
    return `${title} does not exist in WASI preview 1; build for wasm32-wasip1 without extensions to it.`
  }
  if (sameTypes(found.params, expected.params) && sameTypes(found.results, expected.results)) return null
  return (
    `${title} has the signature ${showSignature(found)}, but WASI preview 1 has ` +
    `${showSignature(expected)}; correct the declaration, or build with an SDK for wasm32-wasip1.`
  )
}

const checkStart = (exports: ModuleExport[]): string | null => {
  const start = exports.find(({ name }) => name === '_start')
  if (!start) {
    return exports.some(({ name }) => name === '_initialize')
      ? 'The module exports "_initialize" but no "_start": it is a library (reactor). Build an executable.'
      : 'The module does not export a function "_start". Build an executable (a command) for wasm32-wasip1.'
  }
  if (start.kind !== 'function') {
    return `The export "_start" is a ${start.kind}; it must be a function without parameters or results.`
  }
  if (start.params.length + start.results.length === 0) return null
  return `The export "_start" has the signature ${showSignature(start)}; it must take and return nothing.`
}

const checkMemory = (exports: ModuleExport[]): string | null => {
  const memory = exports.find(({ name }) => name === 'memory')
  if (memory?.kind === 'memory') return null
  if (memory) return `The export "memory" is a ${memory.kind}; it must be the module's memory.`
  const other = exports.find(({ kind }) => kind === 'memory')
  return other
    ? `The module exports its memory as "${printable(other.name)}"; export it as "memory".`
    : 'The module does not export a memory named "memory". Export it: WASI passes all data through it.'
}

const bounded = (problems: PackageProblem[]): PackageProblem[] => {
  if (problems.length <= MAX_PROBLEMS) return problems
  const listed = problems.slice(0, MAX_PROBLEMS - 1)
  const left = problems.length - listed.length
  return [...listed, { path: 'wasm', message: `There are ${left} more problems like these.` }]
}

/**
 * Checks the rules for a package: a command module of WASI preview 1, which exports `_start` and `memory` and imports
 * only preview 1 functions with their exact signatures. Lists each problem once, at most `MAX_PROBLEMS`; an empty list
 * means that the module follows all rules.
 */
export const checkCommandModule = (module: ModuleSummary): PackageProblem[] => {
  const problems = new Map<string, PackageProblem>()
  const note = (path: string, message: string | null): void => {
    if (message !== null) problems.set(message, { path, message })
  }
  note('wasm.exports._start', checkStart(module.exports))
  note('wasm.exports.memory', checkMemory(module.exports))
  for (const found of module.imports) {
    note(`wasm.imports.${printable(found.module)}.${printable(found.name)}`, checkImport(found))
  }
  return bounded([...problems.values()])
}
