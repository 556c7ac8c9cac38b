import type { AuditSummary } from '../../../shared/contracts/desk-agents-audit.ts'
import { agentPageSize } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentAnswer } from '../../../shared/contracts/desk-agents.ts'
import { unfinished } from '../agents-query.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { auditRowsOf } from './audit-rows.ts'
import { viewQuery, where } from './desk-query.ts'
import type { QueryContext, ViewParams, Where } from './desk-query.ts'
import { textFilter } from './public-audit.ts'
import { dayMs, isoOf, startOfDay } from './times.ts'

const highest = Number.MAX_SAFE_INTEGER
/** Milliseconds of searching after which an incomplete page is sent; the next page continues. */
const searchMs = 1000
const sliceMs = 20
/** Rows searched for the text at once. */
const searchRows = 1024

/** With a limit, the rows are part of an export and are not counted. */
type AuditParams = ViewParams<'listAudit'>

/** The filter without the text search. */
const auditWhere = ({ agent, event, from, to, trouble }: AuditParams): Where =>
  where(
    ['agent = ?', agent],
    ['event = ?', event],
    ['at >= ?', from === undefined ? undefined : Date.parse(from)],
    ['at < ?', to === undefined ? undefined : Date.parse(to)],
    ['(mismatch OR gap)', trouble ? 1 : undefined],
  )

/** A scan of matching rows in one direction. */
interface Walk {
  isOlder: boolean
  /** It continues beyond this id, which is not included. */
  from: number
  keys: number[]
  target: number
  isExhausted: boolean
}

/** Looks for one row more than requested, to know whether there is another page. */
const startWalk = (isOlder: boolean, from: number, rows: number): Walk => ({
  isOlder,
  from,
  keys: [],
  target: rows + 1,
  isExhausted: false,
})

/** The walks for a page; two when it is centered on a row. */
function walksOf(mirror: Mirror, { sql, values }: Where, params: AuditParams): Walk[] {
  const { before = highest, after, around, top = highest, offset, limit = agentPageSize } = params
  if (around !== undefined) {
    const half = agentPageSize / 2
    return [startWalk(false, around, half), startWalk(true, Math.min(around, top) + 1, half)]
  }
  if (after !== undefined) return [startWalk(false, after, agentPageSize)]
  const nth = `SELECT key FROM audit WHERE ${sql} AND key <= ? ORDER BY key DESC LIMIT 1 OFFSET ?`
  const first = offset === 0 ? top : (mirror.value<number>(nth, ...values, top, offset) ?? -1)
  return [startWalk(true, Math.min(before, first + 1), limit)]
}

interface Search {
  filter: Where
  /** The text that rows must contain, if any. */
  q: string
  /** Newer rows are skipped. */
  top: number
}

/** Adds the next matching rows. */
function takeStep(context: QueryContext, { filter, q, top }: Search, walk: Walk): void {
  const { mirror } = context
  const { isOlder, from, target, keys } = walk
  const limit = q === '' ? target - keys.length : searchRows
  const next = mirror.list<number>(
    `SELECT key FROM audit WHERE ${filter.sql} AND ${isOlder ? 'key < ?' : 'key > ? AND key <= ?'}
     ORDER BY key ${isOlder ? 'DESC' : 'ASC'} LIMIT ?`,
    ...filter.values,
    ...(isOlder ? [from] : [from, top]),
    limit,
  )
  const matching = q === '' ? null : keysWithText(context, q, next)
  for (const key of next) {
    if (keys.length >= target) break
    walk.from = key
    if (matching === null || matching.has(key)) keys.push(key)
  }
  if (next.length === limit || keys.length >= target) return
  if (isOlder && !mirror.tables.audit.isComplete) walk.target = keys.length
  else walk.isExhausted = true
}

function keysWithText({ mirror, database }: QueryContext, q: string, keys: readonly number[]): Set<number> {
  const key = mirror.tables.audit.keyOf(database)
  const filter = textFilter(database, q)
  const rows = database.all(
    `SELECT ${key} AS "key" FROM audit_log WHERE ${key} IN (SELECT value FROM json_each(?)) AND (${filter.sql})`,
    JSON.stringify(keys),
    ...filter.values,
  )
  return new Set(rows.map((row) => Number(row['key'])))
}

const isDone = (walk: Walk): boolean => walk.isExhausted || walk.keys.length >= walk.target

/** The rows of the page. */
const pageKeys = ({ keys, target }: Walk): number[] => keys.slice(0, Math.max(0, target - 1))

/** Where the next page begins; null if this is the last one. */
function nextPageFrom(walk: Walk): number | null {
  const page = pageKeys(walk)
  if (walk.keys.length > page.length) return page.at(-1) ?? walk.from
  return walk.isExhausted ? null : walk.from
}

interface SearchState {
  walks: Walk[]
  startedAt: number
}

export const listAudit = viewQuery<'listAudit'>({
  needs: ['audit'],
  compute(context, requested, state: Partial<SearchState>) {
    const { mirror } = context
    const { exists } = mirror.tables.audit
    // A missing table cannot be searched.
    const params = exists ? requested : { trouble: false, offset: 0 }
    const search = { filter: auditWhere(params), q: params.q ?? '', top: params.top ?? highest }
    const startedAt = (state.startedAt ??= performance.now())
    const walks = (state.walks ??= exists ? walksOf(mirror, search.filter, params) : [])
    const sliceEnd = performance.now() + sliceMs
    for (const walk of walks) {
      while (!isDone(walk)) {
        takeStep(context, search, walk)
        const now = performance.now()
        if (now - startedAt > searchMs) break
        if (now > sliceEnd && !isDone(walk)) return unfinished
      }
    }
    return toPage(context, search, walks, params)
  },
})

function toPage(
  context: QueryContext,
  { filter, q }: Search,
  walks: readonly Walk[],
  params: AuditParams,
): AgentAnswer<'listAudit'> {
  const { mirror } = context
  const older = walks.find(({ isOlder }) => isOlder)
  const newer = walks.find(({ isOlder }) => !isOlder)
  const keys = walks.flatMap((walk) => (walk.isOlder ? pageKeys(walk) : pageKeys(walk).toReversed()))
  const items = auditRowsOf(context, keys)
  const summary = summaryOf(context)
  const top = params.top ?? summary.lastId
  const isCounted = q === '' && params.limit === undefined && mirror.tables.audit.isComplete
  return {
    items,
    older: older === undefined ? (keys.at(-1) ?? null) : nextPageFrom(older),
    newer: newer === undefined ? newerThan(mirror, filter, keys[0]) : nextPageFrom(newer),
    top,
    ...(isCounted
      ? countRows(mirror, filter, items[0]?.id ?? highest, top ?? highest)
      : { total: null, above: null, fresh: null }),
    summary,
  }
}

/** For a page read from newer to older rows: its first row, if there are newer matching ones. */
const newerThan = (mirror: Mirror, { sql, values }: Where, first = highest): number | null =>
  mirror.value<number>(`SELECT ? FROM audit WHERE ${sql} AND key > ? LIMIT 1`, first, ...values, first)

/** Counts matching rows up to `top`, those above `aboveKey`, and those newer than `top`. */
function countRows(mirror: Mirror, { sql, values }: Where, aboveKey: number, top: number) {
  const countFrom = (key: number): number =>
    mirror.value<number>(`SELECT count(*) FROM audit WHERE ${sql} AND key > ?`, ...values, key) ?? 0
  const fresh = countFrom(top)
  const all = sql === 'TRUE' ? mirror.tables.audit.rows : countFrom(-highest)
  return { total: all - fresh, above: Math.max(0, countFrom(aboveKey) - fresh), fresh }
}

export function summaryOf({ mirror, now }: QueryContext): AuditSummary {
  const { rows, isComplete, checkedAt } = mirror.tables.audit
  const today = startOfDay(now)
  const { firstId, ...found } = mirror.get(
    `SELECT count(*) FILTER (WHERE mismatch) AS mismatches, total(gap) AS missing, count(*) FILTER (WHERE gap) AS gaps,
       (SELECT min(key) FROM audit) AS firstId, (SELECT max(key) FROM audit) AS lastId
     FROM audit WHERE mismatch OR gap`,
  ) as Pick<AuditSummary, 'mismatches' | 'missing' | 'gaps' | 'firstId' | 'lastId'>
  const ofToday = 'SELECT count(*) FROM audit WHERE at >= ? AND at < ?'
  return {
    total: isComplete ? rows : null,
    today: isComplete ? mirror.value<number>(ofToday, today, today + dayMs) : null,
    checked: rows,
    ...found,
    checkedAt: isoOf(checkedAt),
    firstId: isComplete ? firstId : null,
  }
}

type Facets = AgentAnswer<'getAuditFacets'>

const maxNames = 10_000

/** The names in a column with their row counts, by name; if there are too many, those with the most rows. */
const facetsOf = (mirror: Mirror, facet: 'agent' | 'event'): Facets['agents'] =>
  mirror.all<Facets['agents'][number]>(
    `SELECT name, rows FROM (
       SELECT name, rows FROM audit_names WHERE facet = ? ORDER BY rows DESC LIMIT ${maxNames}
     ) ORDER BY name`,
    facet,
  )

export const getAuditFacets = viewQuery<'getAuditFacets'>({
  needs: ['audit'],
  compute: ({ mirror }) => ({ agents: facetsOf(mirror, 'agent'), events: facetsOf(mirror, 'event') }),
})
