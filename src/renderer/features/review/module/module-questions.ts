import type { FunctionRow, FunctionView } from '../../../../shared/wasm/function-view.ts'
import type { ModuleSection } from '../../../../shared/wasm/module-summary.ts'
import type { OneFunction } from '../../../../shared/wasm/one-function.ts'
import type { StringRow, StringView } from '../../../../shared/wasm/string-view.ts'
import type { StringKind } from '../../../../shared/wasm/strings.ts'

// Messages between the desk's page and the worker that holds a module. The page never has the module itself, only
// the parts that it shows.

/** The size and the parts of an open module. */
export interface ModuleOutline {
  size: number
  sections: ModuleSection[]
  functions: { imported: number; count: number; codeSize: number }
  /** The number of strings by kind. */
  strings: Record<StringKind, number>
  /** Why the file is not a valid module, in which case only its bytes can be shown; otherwise null. */
  problem: string | null
}

export interface Rows<Row> {
  items: Row[]
  /** The number of rows in the view. */
  total: number
}

interface Range {
  from: number
  count: number
}

/** One function for the disassembler, and the lines above its instructions. */
export interface FunctionToRead {
  index: number
  name: string | null
  head: string[]
  one: OneFunction
}

/** The questions and the types of their answers. */
export interface ModuleQuestions {
  open: { ask: { bytes: ArrayBuffer }; answer: ModuleOutline }
  functions: { ask: { view: FunctionView } & Range; answer: Rows<FunctionRow> }
  strings: { ask: { view: StringView } & Range; answer: Rows<StringRow> }
  bytes: { ask: Range; answer: Uint8Array<ArrayBuffer> }
  /** Null if there is no such function, or its local variables can't be read. */
  function: { ask: { place: number }; answer: FunctionToRead | null }
  /** Adds the names of called functions to disassembled text. */
  nameCalls: { ask: { text: string }; answer: string }
}

export type QuestionKind = keyof ModuleQuestions

export type ModuleQuestion = {
  [Kind in QuestionKind]: { id: number; kind: Kind; ask: ModuleQuestions[Kind]['ask'] }
}[QuestionKind]

export type ModuleAnswer = { id: number; answer: unknown } | { id: number; failed: string }
