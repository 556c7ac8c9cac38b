import type { ModuleProblem } from './module-problem.ts'

/** Value types in the words of the text format: `i32`, `v128`, `externref`, `(ref null 3)`. */
export interface FunctionSignature {
  params: string[]
  results: string[]
}

export type ExternalKind = 'function' | 'table' | 'memory' | 'global' | 'tag'

export type ModuleImport = { module: string; name: string } & (
  | ({ kind: 'function' } & FunctionSignature)
  | { kind: Exclude<ExternalKind, 'function'> }
)

/** `index` counts in the index space of its kind, imported entries first. */
export type ModuleExport = { name: string; index: number } & (
  | ({ kind: 'function' } & FunctionSignature)
  | { kind: Exclude<ExternalKind, 'function'> }
)

/** Sizes in pages (64 KiB each); `maxPages` is null when the module sets no maximum. */
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

/** `offset` is that of the section's id byte, `size` counts its contents without id and length. */
export interface ModuleSection {
  id: number
  name: string
  offset: number
  size: number
}

/** What the section reader found. Plain data, and bounded however large the file is: see `LIMITS`. */
export interface ModuleSummary {
  size: number
  imports: ModuleImport[]
  exports: ModuleExport[]
  memories: ModuleMemory[]
  tables: ModuleTable[]
  start: number | null
  /** Functions with a body in this module; imported ones are not counted. */
  functionCount: number
  /** The sum of the local variables which all bodies declare. */
  declaredLocals: number
  sections: ModuleSection[]
  customSections: string[]
}

export type ModuleReading = { ok: true; module: ModuleSummary } | { ok: false; problem: ModuleProblem }

/**
 * What the reader refuses to go beyond. Those marked (engine) are the limits which engines share
 * (WebAssembly JavaScript interface, "Implementation-defined limits"); the others keep the result small.
 */
export const LIMITS = {
  moduleBytes: 16 * 1024 * 1024,
  /** Imports, exports, sections, memories and tables, each list for itself. */
  listEntries: 10_000,
  /** One name (engine), and all names in the result together. */
  nameBytes: 100_000,
  allNameChars: 1024 * 1024,
  /** Types, functions (engine), and parameters or results of one function (engine). */
  types: 1_000_000,
  functions: 1_000_000,
  signatureValues: 1_000,
  /** Parameters and results of all imported and exported functions together. */
  allSignatureValues: 100_000,
  /** Engines allow 50,000 a function, and take 17 s to check a million such functions. */
  declaredLocals: 100_000_000,
} as const
