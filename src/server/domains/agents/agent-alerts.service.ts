import { combinedKey } from '../../../shared/agent-facts.ts'
import type { AgentFacts, AgentProblem } from '../../../shared/agent-facts.ts'
import type { AuditRow } from '../../../shared/contracts/desk-agents-audit.ts'
import type { AgentAlert, AlertKind, ModuleRelease } from '../../../shared/contracts/desk-agents-common.ts'
import type { Administrator } from '../../../shared/contracts/people.ts'
import { alertText } from '../../../shared/agent-alert-text.ts'
import type { AlertContent } from '../../../shared/agent-alert-text.ts'
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

/** Called with the alerts that have just started. */
export type OnAlerts = (alerts: { kind: AlertKind; text: string }[]) => void

interface OpenAlert extends StoredAlert {
  problem: AgentProblem
}

/** Alerts of the chosen project. Each starts, causes a notification and ends once, even if the server restarts. */
export function createAgentAlerts(database: Database, onStarted: OnAlerts) {
  const reading = agentAlertRepository(database.reader)
  const writing = agentAlertRepository(database.writer)
  let open: OpenAlert[] = []
  /** Alerts that this process has sent notifications for, maybe not stored yet. */
  const notified = new Set<number>()
  let version = 0

  const now = (): string => new Date().toISOString()
  const unseen = (): OpenAlert[] => open.filter(({ seenAt }) => seenAt === null)

  const storeNotified = async (ids: readonly number[]): Promise<void> => {
    const at = now()
    await database.transact(() => {
      for (const id of ids) writing.markNotified(at, id)
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
      const stored = new Map(reading.listOpen(folder).map((one) => [nameOf(one), one]))
      const started = [...current].filter(([name]) => !stored.has(name)).map(([, problem]) => problem)
      // A mismatch that has not been found yet in this pass may still exist.
      const mayEnd = ({ kind }: StoredAlert): boolean => kind !== 'mismatch' || facts.isWhole
      const ended = [...stored.values()].filter((one) => !current.has(nameOf(one)) && mayEnd(one))
      const grown = [...stored.values()].filter((one) => {
        const rows = current.get(nameOf(one))?.mismatch?.rows ?? 0
        return one.key === combinedKey && one.seenRows !== null && rows > one.seenRows
      })
      if (started.length + ended.length + grown.length > 0) {
        const at = now()
        await database.transact(() => {
          for (const { kind, key, since } of started) writing.insert(folder, kind, key, since ?? at, at)
          onStarted(started.map((problem) => ({ kind: problem.kind, text: sentenceOf(problem) })))
          for (const { id } of ended) writing.end(at, id)
          for (const { id } of grown) writing.reopen(id)
          writing.forgetEnded(new Date(Date.now() - retentionMs).toISOString())
        })
        for (const { id } of grown) notified.delete(id)
      }
      const next = reading.listOpen(folder).flatMap((one) => {
        const problem = current.get(nameOf(one))
        return problem === undefined ? [] : [{ ...one, problem }]
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
    list: (): AgentAlert[] => unseen().map(toAlert).toSorted(compareAlerts),
    count: (): number => unseen().length,
    countByKind: (): Record<AlertKind, number> => {
      const counts = { mismatch: 0, crashed: 0, revoked: 0, budget: 0 }
      for (const { kind } of unseen()) counts[kind] += 1
      return counts
    },

    /** What is known about a mismatch: when it was first seen, its alert, and whether it was acknowledged. */
    mismatchOf(id: number): NonNullable<AuditRow['mismatch']> {
      const find = (wanted: string): OpenAlert | undefined =>
        open.find(({ kind, key }) => kind === 'mismatch' && key === wanted)
      const found = find(String(id)) ?? find(combinedKey)
      return {
        firstSeenAt: found?.firstSeenAt ?? null,
        alertId: found?.id ?? null,
        seen: (found?.seenAt ?? null) !== null,
      }
    },

    async acknowledge(caller: Administrator, id: number): Promise<void> {
      const found = open.find((one) => one.id === id)
      if (found === undefined) throw new DomainError('NOT_FOUND', texts.endedAlert)
      const { mismatch } = toAlert(found)
      if (mismatch === null) throw new DomainError('INVALID_TRANSITION', texts.notAcknowledgeable)
      const [seenAt, seenRows] = [now(), mismatch.rows]
      await database.transact(() => writing.acknowledge(seenAt, caller.id, seenRows, id))
      Object.assign(found, { seenAt, seenRows })
      version += 1
    },

    /** Returns notifications for new alerts, each only once. */
    takeNotices(): Notice[] {
      const fresh = unseen().filter(({ id, toldAt }) => toldAt === null && !notified.has(id))
      if (fresh.length === 0) return []
      const ids = fresh.map(({ id }) => id)
      for (const id of ids) notified.add(id)
      // If this cannot be stored now, the notification may be repeated after a restart.
      storeNotified(ids).catch(() => {})
      return toNotices(fresh.map(toAlert).toSorted(compareAlerts))
    },

    /** Changes when the alerts change. */
    get version() {
      return version
    },
  }
}

export type AgentAlerts = ReturnType<typeof createAgentAlerts>

const nameOf = ({ kind, key }: Pick<StoredAlert, 'kind' | 'key'>): string => `${kind} ${key}`

function toAlert({ id, since, firstSeenAt, problem }: OpenAlert): AgentAlert {
  const { key: _key, ...content } = problem
  return { mismatch: null, crash: null, revoked: null, budget: null, ...content, id, since, firstSeenAt }
}

function sentenceOf(alert: AlertContent): string {
  const { about, title } = alertText(alert)
  return `${about} ${title}.`
}

const noticeKinds = { mismatch: 'audit', crashed: 'agent', revoked: 'agent', budget: 'budget' } as const

function toNotices(alerts: readonly AgentAlert[]): Notice[] {
  const notices = alerts.map((alert) => {
    return { kind: noticeKinds[alert.kind], text: sentenceOf(alert), href: alertText(alert).href }
  })
  if (notices.length <= maxSeparateNotices) return notices
  const [first] = notices
  const text = texts.manyAlerts(alerts.length, first?.text ?? '')
  return [{ kind: first?.kind ?? 'agent', text, href: agentPaths.overview }]
}
