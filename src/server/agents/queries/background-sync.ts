import { combinedKey } from '../../../shared/agent-facts.ts'
import type { AgentFacts, AgentProblem } from '../../../shared/agent-facts.ts'
import { noFile } from '../agents-database.ts'
import type { AgentsQuery } from '../agents-query.ts'
import type { CopiedTable } from '../mirror/copied-table.ts'
import { mirrorOf } from '../mirror/mirror.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { tableNames } from '../mirror/tables.ts'
import { journalOf } from '../project-files.ts'
import { eventsOf, lastWordsOf } from './audit-rows.ts'
import { supervised } from './desk-agents.ts'
import { budgetsOverThreshold, periodOf } from './desk-cost.ts'
import type { QueryContext } from './desk-query.ts'
import { countRestarts, hasRestarts } from './desk-supervisors.ts'
import { isoOf } from './times.ts'

/** With more mismatches than this, one alert covers all of them. */
const maxSeparateMismatches = 20
/** Crashes reported in detail. */
const maxCrashes = 500

function findFacts(context: QueryContext): AgentFacts {
  const { mirror, database } = context
  return {
    isWhole: mirror.tables.audit.isComplete,
    problems: [...mismatches(context), ...crashes(context), ...exceededBudgets(context)],
    modules: mirror
      .all<{ agent: string; digest: string | null }>(
        "SELECT name AS agent, module_digest(source) AS digest FROM agents WHERE source <> '' ORDER BY key",
      )
      .flatMap(({ agent, digest }) => (digest === null ? [] : [{ agent, digest }])),
    counts: {
      agents: countOf(mirror.tables.agents),
      supervisors: countOf(mirror.tables.supervisors),
      deployments: countOf(mirror.tables.deployments),
    },
    journal: database.file === noFile ? null : journalOf(database.file),
  }
}

function mismatches(context: QueryContext): AgentProblem[] {
  const { mirror } = context
  // `OR gap` repeats the condition of the index, so that it is used.
  const all = 'audit WHERE (mismatch OR gap) AND mismatch'
  const total = mirror.value<number>(`SELECT count(*) FROM ${all}`) ?? 0
  const isCombined = total > maxSeparateMismatches
  const found = mirror.all<{ key: number; around: number | null }>(
    `SELECT key, max(coalesce(older, newer), coalesce(newer, older)) AS around FROM (
       SELECT key, (SELECT mismatch FROM audit a WHERE a.key < found.key ORDER BY key DESC LIMIT 1) AS older,
         (SELECT mismatch FROM audit a WHERE a.key > found.key ORDER BY key LIMIT 1) AS newer
       FROM (SELECT key FROM ${all} ORDER BY key DESC LIMIT ?) found
     )`,
    maxSeparateMismatches,
  )
  const aroundOf = new Map(found.map(({ key, around }) => [key, around === null ? null : around === 0]))
  // A row that was deleted since it was copied is still in the mirror, but no longer in the project.
  const events = eventsOf(context, [...aroundOf.keys()]).slice(0, isCombined ? 1 : undefined)
  return events.map(({ id, agent, event, at }) => {
    const aroundMatch = aroundOf.get(id) ?? null
    const mismatch = { id, event, at, aroundMatch, rows: isCombined ? total : 1 }
    return { kind: 'mismatch', key: isCombined ? combinedKey : String(id), agent, since: at, mismatch }
  })
}

type CrashedAgent = Omit<NonNullable<AgentProblem['crash']>, 'lastWords' | 'restarts'> & {
  agent: string
  updatedAt: string | null
}

function crashes(context: QueryContext): AgentProblem[] {
  const { mirror, now } = context
  const crashed = mirror.all<CrashedAgent>(
    `SELECT a.name AS agent, a.updatedAt, s.name AS supervisor, s.maxRestarts, s.windowSeconds FROM agents a
     LEFT JOIN supervisors s ON s.key = (SELECT s.key ${supervised} ORDER BY s.name, s.key LIMIT 1)
     WHERE a.state = 'crashed' ORDER BY a.key LIMIT ${maxCrashes}`,
  )
  const agents = crashed.map(({ agent }) => agent)
  const words = lastWordsOf(context, agents)
  const isRecorded = hasRestarts(mirror)
  return crashed.map(({ agent, updatedAt, ...supervision }) => {
    const last = words.get(agent)
    const isCounted = supervision.supervisor !== null && isRecorded
    const crash = {
      ...supervision,
      lastWords: last?.detail ?? null,
      restarts: isCounted ? countRestarts(mirror, [agent], supervision, true, now).inWindow : null,
    }
    return { kind: 'crashed', key: agent, agent, since: updatedAt ?? last?.at ?? null, crash }
  })
}

/** One problem per period of a budget. */
function exceededBudgets({ mirror, now }: QueryContext): AgentProblem[] {
  return budgetsOverThreshold(mirror).flatMap((row) => {
    const { agent, spentCents, budgetCents, period, action } = row
    if (spentCents === null || budgetCents === null) return []
    const startsAt = isoOf(periodOf(row, now)?.from ?? null)
    const known = { alertAt: row.alertAt ?? 100, state: row.state ?? 'unknown' }
    const budget = { spentCents, budgetCents, period, action, ...known }
    return { kind: 'budget', key: `${startsAt ?? ''} ${agent}`, agent, since: null, budget }
  })
}

const countOf = ({ exists, rows }: CopiedTable): number | null => (exists ? rows : null)

interface SyncParams {
  /** The version of the facts the caller already has. */
  known: string
  /** Whether newer facts are useful even before everything has been read. */
  soon: boolean
}

/** The result of one slice of background work. */
interface SyncResult {
  /** Whether everything was read since the last change and every module checked. */
  isDone: boolean
  /** Milliseconds to pause before the next call. */
  pauseMs: number
  /** Changes when any of the facts may have changed. */
  version: string
  /** Null if the known facts are still current. */
  facts: AgentFacts | null
}

const sliceMs = 20
/**
 * Pause after copying and after comparing, as a multiple of the time they took: each uses a quarter of a percent of a
 * processor.
 */
const pauseFactor = 399
/** Maximum pause in milliseconds, so that alerts are not late. */
const maxPauseMs = 20_000
const pauseAfter = (ms: number): number => Math.min(maxPauseMs, ms * pauseFactor)
/** Milliseconds of processor time since the last call. Elapsed time would make the pauses longer on a busy machine. */
function stopwatch(): () => number {
  let last = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    return (user + system) / 1000
  }
}

/** Milliseconds of work without a pause, so that changes in a small project are reported at once. */
const unpausedMs = 10

/** Brings a mirror up to date over several slices. */
interface Round {
  /** The serial to copy up to, so that an owner that keeps writing is not followed forever; null between rounds. */
  goal: number | null
  done: number
  workedMs: number
  pausedUntil: number
}
const rounds = new WeakMap<Mirror, Round>()

/** One slice of background work: copies what is new, compares old rows again, hashes modules. */
export const backgroundSync: AgentsQuery<SyncParams, SyncResult> = {
  read(database, { known, soon }) {
    const mirror = mirrorOf(database)
    database.release()
    const startedAt = performance.now()
    const worked = stopwatch()
    const latest = mirror.refresh(database)
    const round = rounds.get(mirror) ?? { goal: null, done: -1, workedMs: 0, pausedUntil: 0 }
    rounds.set(mirror, round)
    if (round.goal === null && startedAt >= round.pausedUntil) round.goal = latest
    const deadline = startedAt + sliceMs
    const isCopied =
      round.goal !== null &&
      mirror.sync(database, tableNames, round.goal, deadline) === 'nothing' &&
      mirror.hashModules(deadline)
    const isFirst = round.done < 0
    if (isCopied) {
      round.done = round.goal ?? -1
      round.goal = null
    }
    round.workedMs += worked()
    const isChecked = round.goal === null && mirror.check(database, performance.now() + sliceMs)
    const checkedMs = worked()
    const isDone = isChecked && round.done >= latest
    const tables = Object.values(mirror.tables)
    const version = [...tables.map((table) => table.version), mirror.modules.version].join(' ')
    const mayHaveNewFacts = isCopied || isDone || soon
    const facts =
      isDone || (mayHaveNewFacts && version !== known)
        ? findFacts({ mirror, database, now: Date.now() })
        : null

    const now = performance.now()
    round.workedMs += worked()
    if (isCopied) {
      round.pausedUntil = isFirst ? now : now + pauseAfter(Math.max(0, round.workedMs - unpausedMs))
      round.workedMs = 0
    }
    // No pause during the first copy, or before rows copied by an earlier process are compared: any of them may have
    // changed.
    const isUrgent = round.goal !== null || tables.some(({ comparedAt }) => comparedAt < 0)
    const pauseMs = isUrgent ? 0 : isChecked ? round.pausedUntil - now : pauseAfter(checkedMs)
    return { isDone, pauseMs: Math.max(0, pauseMs), version, facts }
  },
  isBackground: true,
}
