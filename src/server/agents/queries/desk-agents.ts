import { agentPageSize, agentStates } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentState, StateCounts } from '../../../shared/contracts/desk-agents-common.ts'
import type { AgentAnswer, AgentPage, AgentRow } from '../../../shared/contracts/desk-agents.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { deskQuery, orderBy, searchCondition, where } from './desk-query.ts'
import type { ViewParams, Where } from './desk-query.ts'
import { spentBy } from './spend.ts'
import { isoOf, spanOf } from './times.ts'

/** The digest of an agent's module, by which the server finds and adds its release. */
export interface WithDigest {
  digest: string | null
}

type OwnColumn = 'name' | 'state' | 'status' | 'source' | 'template' | 'pid' | 'createdAt' | 'updatedAt'
export type StoredAgent = Pick<NonNullable<AgentPage['agent']>, OwnColumn | 'supervisor'> & {
  activity: number | null
}

/** SQL for the supervisors `s` of an agent `a`. */
export const supervised = 'FROM children c JOIN supervisors s ON s.id = c.supervisor WHERE c.agent = a.name'
const supervisorOf = `(SELECT min(s.name) ${supervised})`

/** SQL for the last activity of an agent `a`, in milliseconds since 1970. */
const activityOf = `coalesce(
  (SELECT at FROM last_events last JOIN audit ON audit.key = last.key WHERE last.agent = a.name), a.updated)`

const storedAgent = `a.*, ${supervisorOf} AS supervisor, ${activityOf} AS activity`

/** The agent of this name; the last one if there are several. */
export const findAgent = (mirror: Mirror, name: string): StoredAgent | undefined =>
  mirror.get<StoredAgent>(
    `SELECT ${storedAgent} FROM agents a WHERE name = ? ORDER BY key DESC LIMIT 1`,
    name,
  )

export const digestOf = (mirror: Mirror, source: string | null): string | null =>
  source === null || source === '' ? null : mirror.modules.find(source).digest

export function toAgentRow(mirror: Mirror, agent: StoredAgent, now: number): AgentRow & WithDigest {
  const { name, state, status, source, supervisor, createdAt } = agent
  return {
    name,
    state,
    status,
    supervisor,
    source,
    release: null,
    digest: digestOf(mirror, source),
    lastActivityAt: isoOf(agent.activity),
    spentToday: spentBy(mirror, name, spanOf({ period: 'today' }, now)),
    spentMonth: spentBy(mirror, name, spanOf({ period: 'month' }, now)),
    createdAt,
  }
}

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
    const rest = filterOf(mirror, params)
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
      items: agents.map((agent) => toAgentRow(mirror, agent, now)),
      total:
        params.state === undefined
          ? Object.values(counts).reduce((sum, count) => sum + count, 0)
          : counts[params.state],
      counts,
      supervisors: mirror.list<string>('SELECT DISTINCT name FROM supervisors ORDER BY name'),
    }
  },
})

function filterOf(mirror: Mirror, { q, supervisor, unsupervised, revoked, digests }: AgentsParams): Where {
  return where(
    [`NOT EXISTS (SELECT 1 ${supervised})`, unsupervised ? 1 : undefined],
    [`EXISTS (SELECT 1 ${supervised} AND s.name = ?)`, supervisor],
    [
      'a.source IN (SELECT value FROM json_each(?))',
      revoked ? JSON.stringify(sourcesOf(mirror, new Set(digests))) : undefined,
    ],
    searchCondition(q),
  )
}

/** The files run by agents that have one of these digests. */
const sourcesOf = (mirror: Mirror, digests: ReadonlySet<string>): string[] =>
  mirror
    .list<string>("SELECT DISTINCT source FROM agents WHERE source <> ''")
    .filter((source) => digests.has(digestOf(mirror, source) ?? ''))

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
  const { from, to } = spanOf({ period: sort }, now)
  return `(SELECT CASE WHEN total(calls) > 0 AND total(calls) = total(unpriced) THEN NULL ELSE round(total(cents), 6) END
    FROM spend_by_agent WHERE name = json_quote(a.name) AND start >= ${from} AND start < ${to})`
}
