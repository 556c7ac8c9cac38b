import { combinedKey } from '../../../shared/agent-facts.ts'
import type { AgentFacts, AgentProblem } from '../../../shared/agent-facts.ts'
import type { AuditRow } from '../../../shared/contracts/desk-agents-audit.ts'
import type { AgentAlert, ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'
import type { Administrator } from '../../../shared/contracts/people.ts'
import { alertText } from '../../../shared/agent-alert-text.ts'
import { agentPaths } from '../../../shared/agent-paths.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { News } from '../../../shared/services-messages.ts'
import type { Database } from '../../db/database.ts'
import { agentAlertRepository } from './agents.repository.ts'
import type { StoredAlert } from './agents.repository.ts'
import { compareAlerts, currentProblems } from './agent-alerts.rules.ts'
import { texts } from './agents.texts.ts'

type Notice = News['alerts'][number]

/** More new alerts than this are combined into one notification. */
const maxSeparateNotices = 3
/** Milliseconds for which an ended alert stays in the database. */
const retentionMs = 90 * 86_400_000

interface Open {
  stored: StoredAlert
  alert: AgentAlert
}

/** Alerts of the chosen project. Each starts, causes a notification and ends once, even if the server restarts. */
export function createAgentAlerts(database: Database) {
  const repository = agentAlertRepository(database)
  let open: Open[] = []
  /** Alerts that this process has sent notifications for, maybe not stored yet. */
  const notified = new Set<number>()
  let version = 0

  const now = (): string => new Date().toISOString()
  const unseen = (): Open[] => open.filter(({ stored }) => stored.seenAt === null)

  const storeNotified = async (ids: readonly number[]): Promise<void> => {
    const at = now()
    await database.transact(() => {
      for (const id of ids) repository.markNotified(at, id)
    })
  }

  return {
    /** Compares the open alerts with the current problems: starts new ones and ends those that are resolved. */
    async update(
      folder: string,
      facts: AgentFacts,
      revoked: ReadonlyMap<string, ModuleRelease>,
    ): Promise<void> {
      const current = new Map(currentProblems(facts, revoked).map((problem) => [nameOf(problem), problem]))
      const stored = new Map(repository.listOpen(folder).map((one) => [nameOf(one), one]))
      const started = [...current].flatMap(([name, problem]) => (stored.has(name) ? [] : [problem]))
      // A mismatch that has not been found yet in this pass may still exist.
      const ended = [...stored].flatMap(([name, one]) =>
        current.has(name) || (one.kind === 'mismatch' && !facts.isWhole) ? [] : [one],
      )
      const grown = [...stored].flatMap(([name, one]) => {
        const rows = current.get(name)?.mismatch?.rows ?? 0
        return one.key === combinedKey && one.seenRows !== null && rows > one.seenRows ? [one] : []
      })
      if (started.length + ended.length + grown.length > 0) {
        const at = now()
        await database.transact(() => {
          for (const { kind, key, since } of started) repository.insert(folder, kind, key, since ?? at, at)
          for (const { id } of ended) repository.end(at, id)
          for (const { id } of grown) repository.reopen(id)
          repository.forgetEnded(new Date(Date.now() - retentionMs).toISOString())
        })
        for (const { id } of grown) notified.delete(id)
      }
      const next = repository.listOpen(folder).flatMap((one) => {
        const problem = current.get(nameOf(one))
        return problem === undefined ? [] : [{ stored: one, alert: toAlert(one, problem) }]
      })
      if (JSON.stringify(next) === JSON.stringify(open)) return
      open = next
      version += 1
    },

    /** Removes all alerts because another project, or none, was chosen. */
    clear(): void {
      if (open.length > 0) version += 1
      open = []
    },

    /** Alerts that nobody has acknowledged, most serious first. */
    list: (): AgentAlert[] =>
      unseen()
        .map(({ alert }) => alert)
        .toSorted(compareAlerts),
    count: (): number => unseen().length,

    /** What is known about a mismatch: when it was first seen, its alert, and whether it was acknowledged. */
    mismatchOf(id: number): NonNullable<AuditRow['mismatch']> {
      const find = (key: string): Open | undefined =>
        open.find(({ stored }) => stored.kind === 'mismatch' && stored.key === key)
      const stored = (find(String(id)) ?? find(combinedKey))?.stored
      const firstSeenAt = stored?.firstSeenAt ?? null
      return { firstSeenAt, alertId: stored?.id ?? null, seen: (stored?.seenAt ?? null) !== null }
    },

    async acknowledge(caller: Administrator, id: number): Promise<void> {
      const found = open.find(({ stored }) => stored.id === id)
      if (found === undefined) throw new DomainError('NOT_FOUND', texts.endedAlert)
      if (found.alert.mismatch === null) {
        throw new DomainError('INVALID_TRANSITION', texts.notAcknowledgeable)
      }
      const [seenAt, seenRows] = [now(), found.alert.mismatch.rows]
      await database.transact(() => repository.acknowledge(seenAt, caller.id, seenRows, id))
      found.stored = { ...found.stored, seenAt, seenRows }
      version += 1
    },

    /** Returns notifications for new alerts, each only once. */
    takeNotices(): Notice[] {
      const fresh = unseen().filter(({ stored }) => stored.toldAt === null && !notified.has(stored.id))
      if (fresh.length === 0) return []
      const ids = fresh.map(({ stored }) => stored.id)
      for (const id of ids) notified.add(id)
      // If this cannot be stored now, the notification may be repeated after a restart.
      storeNotified(ids).catch(() => {})
      return toNotices(fresh.map(({ alert }) => alert).toSorted(compareAlerts))
    },

    /** Changes when the alerts change. */
    get version() {
      return version
    },
  }
}

export type AgentAlerts = ReturnType<typeof createAgentAlerts>

const nameOf = ({ kind, key }: Pick<StoredAlert, 'kind' | 'key'>): string => `${kind} ${key}`

const toAlert = (
  { id, since, firstSeenAt }: StoredAlert,
  { key: _key, ...problem }: AgentProblem,
): AgentAlert => ({ ...problem, id, since, firstSeenAt })

const noticeKinds = { mismatch: 'audit', crashed: 'agent', revoked: 'agent', budget: 'budget' } as const

function toNotices(alerts: readonly AgentAlert[]): Notice[] {
  const notices = alerts.map((alert) => {
    const { about, title, href } = alertText(alert)
    return { kind: noticeKinds[alert.kind], text: `${about} ${title}.`, href }
  })
  if (notices.length <= maxSeparateNotices) return notices
  const [first] = notices
  const text = texts.manyAlerts(alerts.length, first?.text ?? '')
  return [{ kind: first?.kind ?? 'agent', text, href: agentPaths.overview }]
}
