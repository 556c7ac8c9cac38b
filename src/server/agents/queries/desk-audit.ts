import { auditPageSize } from '../../../shared/contracts/desk-agents-audit.ts'
import type { AuditPage } from '../../../shared/contracts/desk-agents-audit.ts'
import type { AgentsDatabase } from '../agents-database.ts'
import type { AgentsMemory } from '../memory/agents-memory.ts'
import { auditRowsOf } from '../memory/audit-rows.ts'
import type { ReadAuditRow } from '../memory/audit-rows.ts'
import { goOn, nextOf, shownOf, startWalk } from '../memory/audit-walk.ts'
import type { Walk } from '../memory/audit-walk.ts'
import { countRows, emptySummary, isFound, keyAt, summaryOf } from '../memory/audit-view.ts'
import type { AuditFilter } from '../memory/audit-view.ts'
import { deskQuery, slicedDeskQuery } from '../memory/desk-query.ts'

export interface AuditFilterParams {
  q?: string | undefined
  agent?: string | undefined
  event?: string | undefined
  from?: string | undefined
  to?: string | undefined
  trouble: boolean
}

export interface AuditPageParams extends AuditFilterParams {
  before?: number | undefined
  after?: number | undefined
  around?: number | undefined
  top?: number | undefined
  offset?: number | undefined
}

export type AuditPageValue = Omit<AuditPage, 'stamp' | 'items'> & { items: ReadAuditRow[] }

interface SearchState {
  walks: Walk[]
  startedAt: number
}

const filterOf = (memory: AgentsMemory, params: AuditFilterParams): AuditFilter => ({
  agent: params.agent === undefined ? null : (memory.audit.agents.find(params.agent) ?? -1),
  event: params.event === undefined ? null : (memory.audit.events.find(params.event) ?? -1),
  from: params.from === undefined ? null : Date.parse(params.from),
  to: params.to === undefined ? null : Date.parse(params.to),
  trouble: params.trouble,
})

/** The walks of a page: around a place there are two. One row more than is wanted tells that there are more. */
function walksOf({ before, after, around, top = Infinity }: AuditPageParams, offsetKey: number): Walk[] {
  if (around !== undefined) {
    const half = auditPageSize / 2
    return [startWalk('newer', around, half, top), startWalk('older', Math.min(around, top) + 1, half)]
  }
  if (after !== undefined) return [startWalk('newer', after, auditPageSize, top)]
  return [startWalk('older', Math.min(before ?? Infinity, offsetKey + 1), auditPageSize)]
}

/** The newest row that is not passed over. */
function firstKey({ audit }: AgentsMemory, filter: AuditFilter, params: AuditPageParams): number {
  const { top = Infinity, offset = 0 } = params
  return offset === 0 ? top : (keyAt(audit.tape.blocks, filter, top, offset) ?? -Infinity)
}

export const deskAudit = slicedDeskQuery<AuditPageParams, AuditPageValue, SearchState>({
  needs: ['audit'],
  compute({ memory, database, now }, params, state) {
    const filter = filterOf(memory, params)
    const q = textOf(params)
    const { walks, startedAt } = state ?? {
      walks: walksOf(params, firstKey(memory, filter, params)),
      startedAt: performance.now(),
    }
    if (!goOn({ memory, database, filter, q, startedAt }, walks)) return { more: { walks, startedAt } }
    const top = params.top ?? summaryOf(memory, now).lastId
    return { value: toPage({ memory, database, filter, walks, top, canCount: q === null, now }) }
  },
  empty: () => ({
    items: [],
    older: null,
    newer: null,
    top: null,
    total: 0,
    above: 0,
    fresh: 0,
    summary: emptySummary,
  }),
})

const textOf = ({ q }: AuditFilterParams): string | null => (q === undefined || q === '' ? null : q)

export interface AuditRowsParams extends AuditFilterParams {
  before: number | null
  limit: number
}

/** Rows for an export: nothing is counted, and `next` is for `before`. */
export const deskAuditRows = slicedDeskQuery<
  AuditRowsParams,
  { items: ReadAuditRow[]; next: number | null },
  SearchState
>({
  needs: ['audit'],
  compute({ memory, database }, params, state) {
    const { walks, startedAt } = state ?? {
      walks: [startWalk('older', params.before ?? Infinity, params.limit)],
      startedAt: performance.now(),
    }
    const filter = filterOf(memory, params)
    if (!goOn({ memory, database, filter, q: textOf(params), startedAt }, walks))
      return { more: { walks, startedAt } }
    const [walk] = walks
    if (walk === undefined) return { value: { items: [], next: null } }
    return { value: { items: auditRowsOf(memory, database, shownOf(walk)), next: nextOf(walk) } }
  },
  empty: () => ({ items: [], next: null }),
})

interface WalkedPage {
  memory: AgentsMemory
  database: AgentsDatabase
  filter: AuditFilter
  walks: readonly Walk[]
  top: number | null
  canCount: boolean
  now: number
}

function toPage({ memory, database, filter, walks, top, canCount, now }: WalkedPage): AuditPageValue {
  const keys = walks.flatMap((walk) =>
    walk.direction === 'newer' ? shownOf(walk).toReversed() : shownOf(walk),
  )
  const items = auditRowsOf(memory, database, keys)
  const older = walks.find(({ direction }) => direction === 'older')
  const newer = walks.find(({ direction }) => direction === 'newer')
  const { tape } = memory.audit
  const count =
    canCount && tape.isComplete
      ? countRows(tape.blocks, filter, items[0]?.id ?? Infinity, top ?? Infinity)
      : null
  return {
    items,
    older: older === undefined ? (keys.at(-1) ?? null) : nextOf(older),
    newer: newer === undefined ? newest(memory, keys[0], filter) : nextOf(newer),
    top,
    total: count?.total ?? null,
    above: count?.above ?? null,
    fresh: count?.fresh ?? null,
    summary: summaryOf(memory, now),
  }
}

/** Of a page that was read towards the older rows: its first row, where there are newer ones of the filter. */
function newest(memory: AgentsMemory, top: number | undefined, filter: AuditFilter): number | null {
  if (top === undefined) return null
  const { blocks } = memory.audit.tape
  for (let block = blocks.length - 1; block >= 0; block -= 1) {
    const one = blocks[block]
    if (one === undefined || (one.keys.at(-1) ?? -Infinity) <= top) return null
    for (let index = one.keys.length - 1; index >= 0 && (one.keys[index] ?? 0) > top; index -= 1) {
      if (isFound(blocks, filter, block, index)) return top
    }
  }
  return null
}

export interface Facets {
  agents: { name: string; rows: number }[]
  events: { name: string; rows: number }[]
}

const mostNames = 10_000

export const deskAuditFacets = deskQuery<null, Facets>({
  needs: ['audit'],
  compute({ memory }) {
    const { tape, agents, events } = memory.audit
    return memory.remember('facets', [tape.version], () => {
      const byAgent = new Float64Array(agents.size)
      const byEvent = new Float64Array(events.size)
      for (const { cells, keys } of tape.blocks) {
        for (let index = 0; index < keys.length; index += 1) {
          const agent = cells.agent[index] ?? 0
          const event = cells.event[index] ?? 0
          byAgent[agent] = (byAgent[agent] ?? 0) + 1
          byEvent[event] = (byEvent[event] ?? 0) + 1
        }
      }
      return { agents: toFacet(agents, byAgent), events: toFacet(events, byEvent) }
    })
  },
  empty: () => ({ agents: [], events: [] }),
})

function toFacet(
  words: { textOf(code: number): string | null },
  rows: Float64Array,
): { name: string; rows: number }[] {
  return [...rows]
    .flatMap((count, code) => {
      const name = words.textOf(code)
      return count === 0 || name === null ? [] : [{ name, rows: count }]
    })
    .toSorted((one, other) => other.rows - one.rows)
    .slice(0, mostNames)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
