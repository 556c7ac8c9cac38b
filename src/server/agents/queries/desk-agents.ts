import { agentPageSize, agentStates } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentModule, AgentState, StateCounts } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentAnswer, AgentRow } from '../../../shared/contracts/desk-agents.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { auditRowsOf } from './audit-rows.ts'
import { findBudget } from './desk-cost.ts'
import { deskQuery, orderBy, searchCondition, where } from './desk-query.ts'
import type { QueryContext, ViewParams, Where } from './desk-query.ts'
import { deploymentsOf, trustOf } from './desk-tables.ts'
import { forecastSpend, keepsSpending } from './forecast.ts'
import { centsSpentBy, paceOf, spendIn, spentBy } from './spend.ts'
import { spanOf } from './times.ts'

/** The digest of an agent's module, by which the server finds and adds its release. */
interface WithDigest {
  digest: string | null
}

type OneAgent = NonNullable<AgentAnswer<'getDeskAgent'>['agent']>
type StoredAgent = Omit<AgentRow & WithDigest, 'spentToday' | 'spentMonth'>

/** SQL for the supervisors `s` of an agent `a`. */
export const supervised = 'FROM children c JOIN supervisors s ON s.id = c.supervisor WHERE c.agent = a.name'
const supervisorOf = `(SELECT min(s.name) ${supervised})`

/** SQL for the last activity of an agent `a`, in milliseconds since 1970. */
const activityOf = `coalesce(
  (SELECT at FROM last_events last JOIN audit ON audit.key = last.key WHERE last.agent = a.name), a.updated)`

/** The columns of an agent `a`. */
const storedAgent = `name, state, status, ${supervisorOf} AS supervisor, source, NULL AS release,
  module_digest(source) AS digest, iso(${activityOf}) AS lastActivityAt, createdAt`

const withSpend = <Agent extends StoredAgent>(mirror: Mirror, agent: Agent, now: number) => ({
  ...agent,
  spentToday: spentBy(mirror, agent.name, spanOf({ period: 'today' }, now)),
  spentMonth: spentBy(mirror, agent.name, spanOf({ period: 'month' }, now)),
})

/** `digests`: those of revoked modules, if only agents running one of them are requested. */
type AgentsParams = ViewParams<'listDeskAgents'> & { digests: readonly string[] }
type AgentsValue = Omit<AgentAnswer<'listDeskAgents'>, 'items'> & { items: (AgentRow & WithDigest)[] }

const noStates = (): StateCounts => ({ crashed: 0, paused: 0, stopped: 0, running: 0, unknown: 0 })

export function countStates(agents: Iterable<{ state: AgentState | null }>): StateCounts {
  const counts = noStates()
  for (const { state } of agents) if (state !== null) counts[state] += 1
  return counts
}

/** The number of matching agents in each state. */
export function stateCounts(mirror: Mirror, filter: Where = where()): StateCounts {
  const found = mirror.all<{ state: AgentState; agents: number }>(
    `SELECT state, count(*) AS agents FROM agents a WHERE ${filter.sql} GROUP BY state`,
    ...filter.values,
  )
  return Object.assign(noStates(), Object.fromEntries(found.map(({ state, agents }) => [state, agents])))
}

export const listDeskAgents = deskQuery<AgentsParams, AgentsValue>({
  needs: ['agents', 'supervisors', 'children', 'costs', 'audit'],
  compute({ mirror, now }, params) {
    const rest = filterOf(params)
    const counts = stateCounts(mirror, rest)
    // Other tables are only queried for the agents of the page.
    const agents = mirror.all<StoredAgent>(
      `SELECT ${storedAgent} FROM (
         SELECT *, row_number() OVER () AS place FROM (
           SELECT * FROM agents a WHERE ${rest.sql} AND state = coalesce(?, state)
           ORDER BY ${orderBy(sortOf(mirror, params.sort, now), params.order, 'name, key')} LIMIT ? OFFSET ?
         )
       ) a ORDER BY place`,
      ...rest.values,
      params.state ?? null,
      params.limit ?? agentPageSize,
      params.offset,
    )
    return {
      items: agents.map((agent) => withSpend(mirror, agent, now)),
      total:
        params.state === undefined
          ? Object.values(counts).reduce((sum, count) => sum + count, 0)
          : counts[params.state],
      counts,
      supervisors: mirror.list<string>('SELECT DISTINCT name FROM supervisors ORDER BY name'),
    }
  },
})

const filterOf = ({ q, supervisor, unsupervised, revoked, digests }: AgentsParams): Where =>
  where(
    [`NOT EXISTS (SELECT 1 ${supervised})`, unsupervised ? 1 : undefined],
    [`EXISTS (SELECT 1 ${supervised} AND s.name = ?)`, supervisor],
    [
      'module_digest(source) IN (SELECT value FROM json_each(?))',
      revoked ? JSON.stringify(digests) : undefined,
    ],
    searchCondition(q),
  )

const stateRank = `CASE a.state ${agentStates.map((state, rank) => `WHEN '${state}' THEN ${rank}`).join(' ')} END`

const sorts = {
  name: 'a.name',
  state: stateRank,
  supervisor: supervisorOf,
  activity: activityOf,
  created: 'a.createdAt',
}

/** The expression to sort agents by. */
function sortOf(mirror: Mirror, sort: AgentsParams['sort'], now: number): string {
  if (sort !== 'today' && sort !== 'month') return sorts[sort]
  if (!mirror.isKnown('costs')) return 'NULL'
  return centsSpentBy('a.name', spanOf({ period: sort }, now))
}

const timelineRows = 50

/** The server adds releases and alerts. */
export const getDeskAgent = deskQuery<
  ViewParams<'getDeskAgent'>,
  { agent: (OneAgent & WithDigest) | null; namedIn: string[] }
>({
  needs: ['agents', 'supervisors', 'children', 'costs', 'budgets', 'trust', 'deployments', 'audit'],
  compute(context, { name }) {
    const known = context.mirror.get<KnownAgent>(
      `SELECT ${storedAgent}, template, pid, updatedAt FROM agents a WHERE name = ? ORDER BY key DESC LIMIT 1`,
      name,
    )
    if (known === undefined) return { agent: null, namedIn: namedIn(context.mirror, name) }
    return { agent: describe(context, known), namedIn: [] }
  },
})

type KnownAgent = StoredAgent & Pick<OneAgent, 'template' | 'pid' | 'updatedAt'>

function describe(context: QueryContext, known: KnownAgent): OneAgent & WithDigest {
  const { mirror, now } = context
  const { name, source, state } = known
  const agent = withSpend(mirror, known, now)
  const isCounted = mirror.isKnown('costs')
  const pace = isCounted && keepsSpending(state) ? paceOf(mirror, name, now) : null
  const days = { ...spanOf({ period: '30 days' }, now), agent: name }
  const timeline = mirror.list<number>(
    `SELECT key FROM audit WHERE agent = ? ORDER BY key DESC LIMIT ${timelineRows}`,
    name,
  )
  return {
    ...agent,
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
    expectedToday: agent.spentToday && forecastSpend(pace, agent.spentToday, now, days.to),
    chart: isCounted ? spendIn(mirror, days, 'model', pace, now).chart : null,
    timeline: auditRowsOf(context, timeline),
    timelineTotal: mirror.tables.audit.isComplete
      ? mirror.value<number>('SELECT count(*) FROM audit WHERE agent = ?', name)
      : null,
  }
}

function moduleOf(mirror: Mirror, source: string): AgentModule {
  const { digest, bytes, problem } = mirror.modules.find(source)
  return { source, digest, bytes, problem, releases: [], revoked: false }
}

const naming = ['children', 'budgets', 'trust', 'deployments', 'costs', 'audit'] as const

/** Tables that mention an agent which does not exist (any longer). */
function namedIn(mirror: Mirror, name: string): string[] {
  return naming.flatMap((table) => {
    const found = mirror.value(`SELECT 1 FROM ${table} WHERE agent = ? LIMIT 1`, name)
    return found === null ? [] : [mirror.tables[table].source]
  })
}
