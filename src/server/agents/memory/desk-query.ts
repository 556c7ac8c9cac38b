import type { AgentsDatabase } from '../agents-database.ts'
import type { AgentsQuery } from '../agents-query.ts'
import { isTape, memoryOf } from './agents-memory.ts'
import type { AgentsMemory, Part } from './agents-memory.ts'

/** Milliseconds of a slice: as long may the owner of the file have to wait. */
const sliceMs = 20
/** After so many milliseconds an answer comes with what is known so far, while the rest is still counted. */
const patienceMs = 700

/** What every answer says of itself. */
export interface Known<Value> {
  missingTables: string[]
  counting: { done: number; total: number } | null
  value: Value
}

export interface QueryContext {
  memory: AgentsMemory
  database: AgentsDatabase
  /** False while rows are gone through the first time: sums over them are not known yet. */
  isWhole: boolean
  now: number
}

interface DeskState {
  startedAt: number
  /** What was written before this serial is in the answer. */
  since: number
  isSynced: boolean
  own: unknown
}

export interface DeskQueryParts<Params, Value> {
  needs: readonly Part[]
  compute(context: QueryContext, params: Params): Value
  empty(params: Params): Value
}

/** A query of the desk: brings into memory what it needs, in slices, and computes its answer from that. */
export function deskQuery<Params, Value>(
  parts: DeskQueryParts<Params, Value>,
): AgentsQuery<Params, Known<Value>, DeskState> {
  return slicedDeskQuery({
    ...parts,
    compute: (context, params) => ({ value: parts.compute(context, params) }),
  })
}

export interface SlicedDeskQueryParts<Params, Value, State> {
  needs: readonly Part[]
  /** Gives the value, or where the next slice goes on. */
  compute(context: QueryContext, params: Params, state: State | undefined): { value: Value } | { more: State }
  empty(params: Params): Value
}

/** The same for an answer that itself takes more than one slice. */
export function slicedDeskQuery<Params, Value, State>(
  parts: SlicedDeskQueryParts<Params, Value, State>,
): AgentsQuery<Params, Known<Value>, DeskState> {
  const { needs, compute, empty } = parts
  return {
    read(database, params, state) {
      const memory = memoryOf(database)
      const now = performance.now()
      const startedAt = state?.startedAt ?? now
      const since = state?.since ?? memory.look()
      if (state?.isSynced !== true) {
        const left = memory.sync(database, needs, since, now + sliceMs)
        if (left === 'tables' || (left === 'rows' && now - startedAt < patienceMs))
          return { more: { startedAt, since, isSynced: false, own: undefined } }
      }
      const counting = countingOf(memory, needs)
      const context = { memory, database, isWhole: counting === null, now: Date.now() }
      const step = compute(context, params, state?.own as State | undefined)
      if ('more' in step) return { more: { startedAt, since, isSynced: true, own: step.more } }
      return { value: { missingTables: missingOf(memory, needs), counting, value: step.value } }
    },
    empty: (params) => ({ missingTables: [], counting: null, value: empty(params) }),
  }
}

function countingOf(memory: AgentsMemory, needs: readonly Part[]): Known<unknown>['counting'] {
  const tapes = needs.filter(isTape).map((part) => memory.tapeOf(part))
  if (tapes.every(({ isComplete }) => isComplete)) return null
  return {
    done: tapes.reduce((sum, { rows }) => sum + rows, 0),
    total: tapes.reduce((sum, { expectedRows }) => sum + expectedRows, 0),
  }
}

function missingOf(memory: AgentsMemory, needs: readonly Part[]): string[] {
  return needs.flatMap((part) => {
    const held = isTape(part) ? memory.tapeOf(part) : memory[part]
    return held.isThere ? [] : [held.table]
  })
}
