import type { ModuleProblem } from './module-problem.ts'

/** Value types in the syntax of the text format: `i32`, `v128`, `externref`, `(ref null 3)`. */
export interface FunctionSignature {
  params: string[]
  results: string[]
}

export type ExternalKind = 'function' | 'table' | 'memory' | 'global' | 'tag'

export type ModuleImport = { module: string; name: string } & (
  | ({ kind: 'function' } & FunctionSignature)
  | { kind: Exclude<ExternalKind, 'function'> }
)

/** `index` is in the index space of its kind, with imported entries first. */
export type ModuleExport = { name: string; index: number } & (
  | ({ kind: 'function' } & FunctionSignature)
  | { kind: Exclude<ExternalKind, 'function'> }
)

/** Sizes in pages of 64 KiB. `maxPages` is null if the module declares no maximum. */
export interface ModuleMemory {
  imported: boolean
  minPages: number
  maxPages: number | null
  shared: boolean
  is64: boolean
}

export interface ModuleTable {
  imported: boolean
  elementType: string
  min: number
  max: number | null
  is64: boolean
}

/** `offset` is that of the section's id byte. `size` is that of its contents, without id and length. */
export interface ModuleSection {
  id: number
  name: string
  offset: number
  size: number
}

/** The result of reading the sections. Plain data of bounded size: see `LIMITS`. */
export interface ModuleSummary {
  size: number
  imports: ModuleImport[]
  exports: ModuleExport[]
  memories: ModuleMemory[]
  tables: ModuleTable[]
  start: number | null
  /** Number of functions with a body, without imported ones. */
  functionCount: number
  /** Total number of local variables declared by all bodies. */
  declaredLocals: number
  sections: ModuleSection[]
  customSections: string[]
}

export type ModuleReading = { ok: true; module: ModuleSummary } | { ok: false; problem: ModuleProblem }

/**
 * The reader's limits. Those marked (engine) are the limits of engines (WebAssembly JavaScript interface,
 * "Implementation-defined limits"); the others keep the result small.
 */
export const LIMITS = {
  moduleBytes: 16 * 1024 * 1024,
  /** Entries of each list: imports, exports, sections, memories and tables. */
  listEntries: 10_000,
  /** One name (engine), and all names in the result. */
  nameBytes: 100_000,
  allNameChars: 1024 * 1024,
  /** Types, functions (engine), and parameters or results of a function (engine). */
  types: 1_000_000,
  functions: 1_000_000,
  signatureValues: 1_000,
  /** Parameters and results of all imported and exported functions. */
  allSignatureValues: 100_000,
  /** Engines allow 50,000 per function and take 17 s to validate a million such functions. */
  declaredLocals: 100_000_000,
} as const
