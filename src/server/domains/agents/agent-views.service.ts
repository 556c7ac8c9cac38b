import { LRUCache } from 'lru-cache'
import type { AgentStamp } from '../../../shared/contracts/desk-agents-common.ts'
import type { AuditRow } from '../../../shared/contracts/desk-agents-audit.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { AgentsReader } from '../../agents/agents-reader.ts'
import { viewQueries } from '../../agents/all-queries.ts'
import type { ParamsOf, ValueOf } from '../../agents/all-queries.ts'
import type { QueryResult, ViewParams } from '../../agents/queries/desk-query.ts'
import { isProblem } from '../../agents/reader-messages.ts'
import type { Problem } from '../../agents/reader-messages.ts'
import { unreadableTexts } from '../../agents/unreadable.texts.ts'
import type { AgentAlerts } from './agent-alerts.service.ts'
import type { AgentModules } from './agents.repository.ts'
import type { AgentWatch } from './agent-watch.service.ts'
import { texts } from './agents.texts.ts'

type ViewName = keyof typeof viewQueries

/** A view's answer with its age. */
type Stamped<Name extends ViewName> =
  ValueOf<Name> extends QueryResult<infer Value> ? { stamp: AgentStamp } & Value : never

interface ViewCall<Query> {
  query: Query
  /** Aborted when the caller is gone. */
  untilGone?(): AbortSignal
}

interface AgentViewParts {
  database: Database
  reader: Pick<AgentsReader, 'read' | 'project'>
  alerts: AgentAlerts
  modules: AgentModules
  watch: Pick<AgentWatch, 'revokedDigests'>
}

const alertsShown = 50
/** Answers that are repeated, with their age, while another program has locked the file. */
const maxCachedAnswers = 64
/** Seconds after which a client should retry while another program has locked the file. */
const retryAfterSeconds = 2

/** The error for a project that cannot be read. */
export const unavailable = ({ state, reason }: Problem): DomainError =>
  new DomainError(
    'AGENTS_UNAVAILABLE',
    unreadableTexts[reason],
    state === 'busy' ? { retryAfter: retryAfterSeconds } : {},
  )

/** The views by route name: what the reading process has found, combined with what the registry knows. */
export function createAgentViews({ database, reader, alerts, modules, watch }: AgentViewParts) {
  const cache = new LRUCache<string, { stamp: AgentStamp }>({ max: maxCachedAnswers })

  const read = async (
    name: ViewName,
    { query, untilGone }: ViewCall<unknown>,
  ): Promise<{ stamp: AgentStamp }> => {
    const reading = await reader.read(name, query as never, { signal: untilGone?.() })
    // A query that is open while another project is chosen is answered from that one.
    const { folder } = reader.project()
    const key = JSON.stringify([folder, name, query])
    if (isProblem(reading)) {
      const last = reading.state === 'busy' ? cache.get(key) : undefined
      if (last === undefined) throw unavailable(reading)
      return {
        ...last,
        stamp: { ...last.stamp, state: reading.state, sentence: unreadableTexts[reading.reason] },
      }
    }
    const { state, changedAt, readAt } = reading
    const { value, ...coverage } = reading.value
    const sentence = state === 'ready' ? null : texts.state[state]
    const stamp = { state, sentence, folder, changedAt, readAt, ...coverage }
    const answer = { stamp, ...value }
    if (state === 'ready') cache.set(key, answer)
    return answer
  }

  /** Each throws AGENTS_UNAVAILABLE if the project cannot be read, and the signal's reason when aborted. */
  const views = Object.fromEntries(
    Object.keys(viewQueries).map((name) => [name, (call: ViewCall<unknown>) => read(name as ViewName, call)]),
  ) as unknown as { [Name in ViewName]: (call: ViewCall<ParamsOf<Name>>) => Promise<Stamped<Name>> }

  const withAlerts = (rows: readonly AuditRow[]): AuditRow[] =>
    rows.map((row) => ({ ...row, mismatch: row.verified ? null : alerts.mismatchOf(row.id) }))

  return {
    ...views,

    async getAgentOverview(call: ViewCall<undefined>) {
      const overview = await views.getAgentOverview(call)
      const open = alerts.list()
      return { ...overview, alerts: open.slice(0, alertsShown), alertsTotal: open.length }
    },

    async listDeskAgents(call: ViewCall<ViewParams<'listDeskAgents'>>) {
      database.assertAvailable()
      const digests = call.query.revoked ? watch.revokedDigests() : []
      const page = await views.listDeskAgents({ ...call, query: { ...call.query, digests } })
      const releases = modules.findReleases(page.items.flatMap(({ digest }) => digest ?? []))
      const items = page.items.map(({ digest, ...row }) => ({
        ...row,
        release: releases.get(digest ?? '')?.[0] ?? null,
      }))
      return { ...page, items }
    },

    async getDeskAgent(call: ViewCall<ParamsOf<'getDeskAgent'>>) {
      const { agent, ...answer } = await views.getDeskAgent(call)
      if (agent === null) return { ...answer, agent }
      const { digest, module, timeline, ...row } = agent
      database.assertAvailable()
      const releases = modules.findReleases(digest === null ? [] : [digest]).get(digest ?? '') ?? []
      const revoked = releases.some(({ status }) => status === 'revoked')
      return {
        ...answer,
        agent: {
          ...row,
          release: releases[0] ?? null,
          module: module === null ? null : { ...module, releases, revoked },
          alerts: alerts.list().filter((alert) => alert.agent === agent.name),
          timeline: withAlerts(timeline),
        },
      }
    },

    listDeskSupervisors: (call: ViewCall<unknown>) =>
      views.listDeskSupervisors({ ...call, query: { digests: watch.revokedDigests() } }),

    async listAudit(call: ViewCall<ParamsOf<'listAudit'>>) {
      const page = await views.listAudit(call)
      return { ...page, items: withAlerts(page.items) }
    },
  }
}

export type AgentViews = ReturnType<typeof createAgentViews>
