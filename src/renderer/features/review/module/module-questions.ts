import type { FunctionRow, FunctionView } from '../../../../shared/wasm/function-view.ts'
import type { ModuleSection } from '../../../../shared/wasm/module-summary.ts'
import type { OneFunction } from '../../../../shared/wasm/one-function.ts'
import type { StringRow, StringView } from '../../../../shared/wasm/string-view.ts'
import type { StringKind } from '../../../../shared/wasm/strings.ts'

// What the desk's page and the worker that holds a module say to each other. The page never has the module
// itself, and is given no more of it at once than it shows.

/** What is there to look at. */
export interface ModuleOutline {
  size: number
  sections: ModuleSection[]
  functions: { imported: number; count: number; codeSize: number }
  /** How many strings there are, and how many of them can be listed. */
  strings: { totals: Record<StringKind, number>; kept: number }
  /** Why it cannot be read as a module; then there are bytes alone. */
  problem: string | null
}

export interface Rows<Row> {
  /** How many the view holds in all. */
  matched: number
  rows: Row[]
}

interface Range {
  from: number
  count: number
}

/** One function ready for the disassembler, and the lines that stand above its instructions. */
export interface FunctionToRead {
  index: number
  name: string | null
  offset: number
  head: string[]
  one: OneFunction
}

/** Each question with its answer. */
export interface ModuleQuestions {
  open: { ask: { bytes: ArrayBuffer }; answer: ModuleOutline }
  functions: { ask: { view: FunctionView } & Range; answer: Rows<FunctionRow> }
  strings: { ask: { view: StringView } & Range; answer: Rows<StringRow> }
  bytes: { ask: Range; answer: Uint8Array<ArrayBuffer> }
  /** Null where there is no such function, or its local variables cannot be read. */
  function: { ask: { place: number }; answer: FunctionToRead | null }
  /** Disassembled text with the names of the functions that are called. */
  nameCalls: { ask: { text: string }; answer: string }
}

export type QuestionKind = keyof ModuleQuestions

export type ModuleQuestion = {
  [Kind in QuestionKind]: { id: number; kind: Kind; ask: ModuleQuestions[Kind]['ask'] }
}[QuestionKind]

export type ModuleAnswer = { id: number; answer: unknown } | { id: number; failed: string }
