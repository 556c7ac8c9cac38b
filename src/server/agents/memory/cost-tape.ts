import type { Row } from '../agents-database.ts'
import { integerOf, millisecondsOf, numberOf, textOf } from '../cell-values.ts'
import { createTape } from './row-tape.ts'
import type { Tape } from './row-tape.ts'
import { createWords } from './words.ts'
import type { Words } from './words.ts'

/** Numbers that cannot be read are NaN. */
export interface CostCells {
  at: Float64Array
  cents: Float64Array
  tokensIn: Float64Array
  tokensOut: Float64Array
  agent: Uint32Array
  model: Uint32Array
}

export interface CostTape {
  tape: Tape<CostCells>
  agents: Words
  models: Words
}

export function createCostTape(): CostTape {
  const agents = createWords()
  const models = createWords()
  const numbers = (
    rows: readonly Row[],
    read: (cell: unknown) => number | null,
    column: string,
  ): Float64Array => Float64Array.from(rows, (row) => read(row[column]) ?? Number.NaN)

  const read = (rows: readonly Row[]): CostCells => ({
    at: numbers(rows, millisecondsOf, 'created_at'),
    cents: numbers(rows, numberOf, 'amount_cents'),
    tokensIn: numbers(rows, integerOf, 'tokens_in'),
    tokensOut: numbers(rows, integerOf, 'tokens_out'),
    agent: Uint32Array.from(rows, (row) => agents.codeOf(textOf(row['agent_name']))),
    model: Uint32Array.from(rows, (row) => models.codeOf(textOf(row['model']))),
  })

  const columns = ['agent_name', 'amount_cents', 'model', 'tokens_in', 'tokens_out', 'created_at']
  return { tape: createTape({ table: 'cost_events', key: 'rowid', columns, read }), agents, models }
}
