import { functionHead, nameCalls } from '../../../../shared/wasm/function-text.ts'
import { arrangeFunctions, functionRow } from '../../../../shared/wasm/function-view.ts'
import { functionName, readFunctions } from '../../../../shared/wasm/functions.ts'
import type { FunctionTable } from '../../../../shared/wasm/functions.ts'
import { describeModuleProblem } from '../../../../shared/wasm/module-problem.ts'
import type { ModuleSummary } from '../../../../shared/wasm/module-summary.ts'
import { extractFunction } from '../../../../shared/wasm/one-function.ts'
import { readModule } from '../../../../shared/wasm/read-module.ts'
import { arrangeStrings, stringRow } from '../../../../shared/wasm/string-view.ts'
import { findStrings } from '../../../../shared/wasm/strings.ts'
import type { StringTable } from '../../../../shared/wasm/strings.ts'
import type {
  ModuleAnswer,
  ModuleOutline,
  ModuleQuestion,
  ModuleQuestions,
  Rows,
} from './module-questions.ts'

// Holds one module outside of the page, so that parsing, sorting and searching never block it. The module is never
// compiled or run here.

const stringLimits = { known: 200_000, other: 1_000_000 }

interface Module {
  bytes: Uint8Array<ArrayBuffer>
  summary: ModuleSummary
  functions: FunctionTable
  strings: StringTable
}

const nothing: ModuleSummary = {
  size: 0,
  imports: [],
  exports: [],
  memories: [],
  tables: [],
  start: null,
  functionCount: 0,
  declaredLocals: 0,
  sections: [],
  customSections: [],
}

/** Caches the order of the last view, since the page requests it in parts. */
function createOrder(): (key: string, arrange: () => Uint32Array) => Uint32Array {
  let known: { key: string; order: Uint32Array } = { key: '', order: new Uint32Array(0) }
  return (key, arrange) => {
    if (known.key !== key) known = { key, order: arrange() }
    return known.order
  }
}

const functionOrder = createOrder()
const stringOrder = createOrder()

const rowsOf = <Row>(
  order: Uint32Array,
  from: number,
  count: number,
  row: (entry: number) => Row,
): Rows<Row> => ({
  items: Array.from(order.subarray(from, from + count), row),
  total: order.length,
})

let module: Module | null = null

function openModule(buffer: ArrayBuffer): ModuleOutline {
  const bytes = new Uint8Array(buffer)
  const reading = readModule(bytes)
  const summary = reading.ok ? reading.module : nothing
  const functions = readFunctions(bytes, summary)
  const strings = findStrings(bytes, summary.sections, stringLimits)
  module = { bytes, summary, functions, strings }
  return {
    size: bytes.length,
    sections: summary.sections,
    functions: { imported: functions.imported, count: functions.count, codeSize: functions.codeSize },
    strings: strings.totals,
    problem: reading.ok ? null : describeModuleProblem(reading.problem),
  }
}

function theModule(): Module {
  if (module === null) throw new Error('No module is open.')
  return module
}

function functionToRead(place: number): ModuleQuestions['function']['answer'] {
  const { bytes, summary, functions } = theModule()
  const one = extractFunction(bytes, summary, functions, place)
  if (one === null) return null
  const { index, name } = functionRow(bytes, functions, place)
  return { index, name, head: functionHead(one, index, name), one }
}

function answerTo(question: ModuleQuestion): { answer: unknown; transfer?: ArrayBuffer[] } {
  switch (question.kind) {
    case 'open':
      return { answer: openModule(question.ask.bytes) }
    case 'functions': {
      const { bytes, functions } = theModule()
      const { view, from, count } = question.ask
      const order = functionOrder(JSON.stringify(view), () => arrangeFunctions(bytes, functions, view))
      return { answer: rowsOf(order, from, count, (place) => functionRow(bytes, functions, place)) }
    }
    case 'strings': {
      const { bytes, strings } = theModule()
      const { view, from, count } = question.ask
      const order = stringOrder(JSON.stringify(view), () => arrangeStrings(bytes, strings, view))
      return { answer: rowsOf(order, from, count, (index) => stringRow(bytes, strings, index)) }
    }
    case 'bytes': {
      const { from, count } = question.ask
      const part = theModule().bytes.slice(from, from + count)
      return { answer: part, transfer: [part.buffer] }
    }
    case 'function': {
      const found = functionToRead(question.ask.place)
      return found === null ? { answer: null } : { answer: found, transfer: [found.one.module.buffer] }
    }
    default: {
      const { bytes, functions } = theModule()
      const nameOf = (index: number): string | null => functionName(bytes, functions, index)?.name ?? null
      return { answer: nameCalls(question.ask.text, nameOf) }
    }
  }
}

addEventListener('message', ({ data }: MessageEvent<ModuleQuestion>) => {
  const send = (message: ModuleAnswer, transfer: ArrayBuffer[] = []): void =>
    postMessage(message, { transfer })
  try {
    const { answer, transfer } = answerTo(data)
    send({ id: data.id, answer }, transfer)
  } catch (error) {
    send({ id: data.id, failed: error instanceof Error ? error.message : String(error) })
  }
})
