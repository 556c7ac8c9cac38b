import type { AgentModule } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentAnswer } from '../../../shared/contracts/desk-agents.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { tableNames } from '../mirror/tables.ts'
import { auditRowsOf } from './audit-rows.ts'
import { findAgent, toAgentRow } from './desk-agents.ts'
import type { StoredAgent, WithDigest } from './desk-agents.ts'
import { findBudget } from './desk-budgets.ts'
import { deskQuery } from './desk-query.ts'
import type { QueryContext, ViewParams } from './desk-query.ts'
import { deploymentsOf, trustOf } from './desk-tables.ts'
import { forecastSpend, keepsSpending } from './forecast.ts'
import { chartOf, groupsOf, paceOf, sumOf, toSpend } from './spend.ts'
import { dayMs, spanOf, startOfDay } from './times.ts'

type OneAgent = NonNullable<AgentAnswer<'getDeskAgent'>['agent']>

const timelineRows = 50

/** The server adds releases and alerts. */
export const getDeskAgent = deskQuery<
  ViewParams<'getDeskAgent'>,
  { agent: (OneAgent & WithDigest) | null; namedIn: string[] }
>({
  needs: ['agents', 'supervisors', 'children', 'costs', 'budgets', 'trust', 'deployments', 'audit'],
  compute(context, { name }) {
    const known = findAgent(context.mirror, name)
    if (known === undefined) return { agent: null, namedIn: namedIn(context.mirror, name) }
    return { agent: describe(context, known), namedIn: [] }
  },
})

function describe({ mirror, database, now }: QueryContext, known: StoredAgent): OneAgent & WithDigest {
  const { name, source, template, pid, updatedAt } = known
  const timeline = mirror.list<number>(
    `SELECT key FROM audit WHERE agent = ? ORDER BY key DESC LIMIT ${timelineRows}`,
    name,
  )
  return {
    ...toAgentRow(mirror, known, now),
    template,
    pid,
    updatedAt,
    module: source === null || source === '' ? null : moduleOf(mirror, source),
    alerts: [],
    supervisors: mirror.all<{ name: string; position: number | null }>(
      `SELECT s.name, c.position FROM children c JOIN supervisors s ON s.id = c.supervisor WHERE c.agent = ?
       ORDER BY s.name`,
      name,
    ),
    budget: findBudget(mirror, name, now),
    trust: trustOf(mirror, name),
    deployments: deploymentsOf(mirror, name),
    ...spendParts(mirror, known, now),
    timeline: auditRowsOf(mirror, database, timeline),
    timelineTotal: mirror.tables.audit.isComplete
      ? mirror.value<number>('SELECT count(*) FROM audit WHERE agent = ?', name)
      : null,
  }
}

function moduleOf(mirror: Mirror, source: string): AgentModule {
  const { digest, bytes, problem } = mirror.modules.find(source)
  return { source, digest, bytes, problem, releases: [], revoked: false }
}

function spendParts(
  mirror: Mirror,
  { name: agent, state }: StoredAgent,
  now: number,
): Pick<OneAgent, 'chart' | 'expectedToday'> {
  if (!mirror.isKnown('costs')) return { chart: null, expectedToday: null }
  const filter = { ...spanOf({ period: '30 days' }, now), agent }
  const pace = keepsSpending(state) ? paceOf(mirror, agent, now) : null
  const today = toSpend(sumOf(mirror, { ...spanOf({ period: 'today' }, now), agent }))
  return {
    expectedToday: forecastSpend(pace, today, now, startOfDay(now) + dayMs),
    chart: chartOf({ mirror, filter, by: 'model', groups: groupsOf(mirror, filter, 'model'), pace, now }),
  }
}

/** Tables that mention an agent which does not exist (any longer). */
function namedIn(mirror: Mirror, name: string): string[] {
  return tableNames.flatMap((table) => {
    if (!['children', 'budgets', 'trust', 'deployments', 'costs', 'audit'].includes(table)) return []
    const found = mirror.value(`SELECT 1 FROM ${table} WHERE agent = ? LIMIT 1`, name)
    return found === null ? [] : [mirror.tables[table].source]
  })
}
