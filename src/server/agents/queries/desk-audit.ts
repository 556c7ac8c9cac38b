import { auditPageSize } from '../../../shared/contracts/desk-agents-audit.ts'
import type { AuditPage, AuditSummary } from '../../../shared/contracts/desk-agents-audit.ts'
import type { AgentAnswer, AgentQuery } from '../../../shared/contracts/desk-agents.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { auditRowsOf } from './audit-rows.ts'
import type { ReadAuditRow } from './audit-rows.ts'
import { highest, nextPageFrom, pageKeys, runWalks, startWalk } from './audit-walk.ts'
import type { Walk } from './audit-walk.ts'
import { deskQuery, Unfinished, where } from './desk-query.ts'
import type { QueryContext, Where } from './desk-query.ts'
import { dayMs, isoOf, startOfDay } from './times.ts'

/** With a limit, the rows are part of an export and are not counted. */
type AuditParams = Omit<AgentQuery<'listAudit'>, 'offset'> & { offset?: number; limit?: number | undefined }
type AuditPageValue = Omit<AuditPage, 'stamp' | 'items'> & { items: ReadAuditRow[] }

/** The filter without the text search. */
const auditWhere = ({ agent, event, from, to, trouble }: AuditParams): Where =>
  where(
    ['agent = ?', agent],
    ['event = ?', event],
    ['at >= ?', from === undefined ? undefined : Date.parse(from)],
    ['at < ?', to === undefined ? undefined : Date.parse(to)],
    ['(mismatch OR gap)', trouble ? 1 : undefined],
  )

interface SearchState {
  walks: Walk[]
  startedAt: number
}

/** The walks for a page; two when it is centered on a row. */
function walksOf(mirror: Mirror, filter: Where, params: AuditParams): Walk[] {
  const { before, after, around, top = highest, offset = 0, limit = auditPageSize } = params
  if (around !== undefined) {
    const half = auditPageSize / 2
    return [startWalk('newer', around, half, top), startWalk('older', Math.min(around, top) + 1, half)]
  }
  if (after !== undefined) return [startWalk('newer', after, auditPageSize, top)]
  const first =
    offset === 0
      ? top
      : mirror.value<number>(
          `SELECT key FROM audit WHERE ${filter.sql} AND key <= ? ORDER BY key DESC LIMIT 1 OFFSET ?`,
          ...filter.values,
          top,
          offset,
        )
  return [startWalk('older', Math.min(before ?? highest, (first ?? -1) + 1), limit)]
}

export const deskAudit = deskQuery<AuditParams, AuditPageValue>({
  needs: ['audit'],
  compute(context, requested, state) {
    const { mirror, database } = context
    // A missing table cannot be searched.
    const params = mirror.tables.audit.exists ? requested : { trouble: false }
    const filter = auditWhere(params)
    const q = textOf(params)
    const { walks, startedAt } = (state as SearchState | undefined) ?? {
      walks: walksOf(mirror, filter, params),
      startedAt: performance.now(),
    }
    if (!runWalks({ mirror, database, filter, q, startedAt }, walks))
      return new Unfinished({ walks, startedAt })
    return toPage(context, filter, walks, params)
  },
})

const textOf = ({ q }: AuditParams): string | null => (q === undefined || q === '' ? null : q)

function toPage(
  { mirror, database, now }: QueryContext,
  filter: Where,
  walks: readonly Walk[],
  params: AuditParams,
): AuditPageValue {
  const keys = walks.flatMap((walk) =>
    walk.direction === 'newer' ? pageKeys(walk).toReversed() : pageKeys(walk),
  )
  const items = auditRowsOf(mirror, database, keys)
  const older = walks.find(({ direction }) => direction === 'older')
  const newer = walks.find(({ direction }) => direction === 'newer')
  const summary = summaryOf(mirror, now)
  const top = params.top ?? summary.lastId
  const isCounted = textOf(params) === null && params.limit === undefined && mirror.tables.audit.isComplete
  const [first] = keys
  return {
    items,
    older: older === undefined ? (keys.at(-1) ?? null) : nextPageFrom(older),
    newer: newer === undefined ? newerThan(mirror, filter, first) : nextPageFrom(newer),
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

export function summaryOf(mirror: Mirror, now: number): AuditSummary {
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

export const deskAuditFacets = deskQuery<undefined, Facets>({
  needs: ['audit'],
  compute: ({ mirror }) => ({ agents: facetsOf(mirror, 'agent'), events: facetsOf(mirror, 'event') }),
})
