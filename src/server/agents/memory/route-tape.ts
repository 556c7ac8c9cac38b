import { handlerTypes } from '../../../shared/contracts/desk-agents-tables.ts'
import type { HandlerType } from '../../../shared/contracts/desk-agents-tables.ts'
import type { Row } from '../agents-database.ts'
import { millisecondsOf, numberOf, textOf } from '../cell-values.ts'
import { createTape } from './row-tape.ts'
import type { Tape } from './row-tape.ts'
import { createWords } from './words.ts'
import type { Words } from './words.ts'

/** Numbers that cannot be read are NaN. */
export interface RouteCells {
  at: Float64Array
  cents: Float64Array
  latency: Float64Array
  handler: Uint32Array
  /** Place in `handlerTypes`. */
  type: Uint8Array
}

export interface RouteTape {
  tape: Tape<RouteCells>
  handlers: Words
}

export function typeOf(cell: unknown): HandlerType {
  const text = textOf(cell)?.toLowerCase()
  return handlerTypes.find((type) => type === text) ?? 'other'
}

export function createRouteTape(): RouteTape {
  const handlers = createWords()
  const read = (rows: readonly Row[]): RouteCells => ({
    at: Float64Array.from(rows, (row) => millisecondsOf(row['created_at']) ?? Number.NaN),
    cents: Float64Array.from(rows, (row) => numberOf(row['cost_cents']) ?? Number.NaN),
    latency: Float64Array.from(rows, (row) => numberOf(row['latency_ms']) ?? Number.NaN),
    handler: Uint32Array.from(rows, (row) => handlers.codeOf(textOf(row['handler']))),
    type: Uint8Array.from(rows, (row) => handlerTypes.indexOf(typeOf(row['handler_type']))),
  })
  const columns = ['handler', 'handler_type', 'cost_cents', 'latency_ms', 'created_at']
  return { tape: createTape({ table: 'broker_routes', key: 'rowid', columns, read }), handlers }
}
