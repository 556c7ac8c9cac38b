import { auditKindOf } from '../../shared/audit-kinds.texts.ts'
import { historyKinds } from '../../shared/contracts/desk-audit-log.ts'
import { skeletonOf } from '../../shared/findings/near-name.ts'
import { auditLog } from '../db/log/audit-log.ts'
import { readSchema } from '../db/stored-schema.ts'
import { storedJson } from '../db/stored-text.ts'
import { examineObservation } from '../domains/releases/decisions/evidence.rules.ts'
import type { Check } from './run-checks.ts'
import {
  auditLogCheckRepository,
  counterCheckRepository,
  evidenceCheckRepository,
  historyCheckRepository,
  nameCheckRepository,
} from './derived.repository.ts'
import type { EvidenceRow, HistoryRow } from './derived.repository.ts'
import { rowsInPages } from './rows-in-pages.ts'

/** Names per page, and releases whose events are compared at once. */
const rowsAtOnce = 500

/** Checks the owners, the skeleton and the first approval of each name against its releases. */
export const namesCheck: Check = {
  name: 'names',
  *find({ connection }) {
    const derived = nameCheckRepository(connection)
    for (let after = ''; ;) {
      const page = derived.listNames(after, rowsAtOnce)
      for (const { name, skeleton, isOwnerOfFirst, hasOwner, hasRightApproval } of page) {
        if (isOwnerOfFirst !== 1)
          yield { problem: `names: the first submitter of ${name} is not the publisher of its first release` }
        if (hasOwner !== 1) yield { problem: `names: ${name} has no owner` }
        if (skeleton !== skeletonOf(name)) {
          yield {
            problem: `names: the stored look-alike form of ${name} is wrong`,
            repair: () => derived.saveSkeleton(skeletonOf(name), name),
          }
        }
        if (hasRightApproval !== 1) {
          yield {
            problem: `names: the first approval of ${name} does not match its decisions`,
            repair: () => derived.noteFirstApproval(name),
          }
        }
      }
      const last = page.at(-1)
      if (last === undefined) return
      after = last.name
    }
  },
}

/** The identity of an event, without its details. */
const eventOf = ({ kind, releaseId, ref }: HistoryRow): string =>
  kind === 'submitted'
    ? `the submission of release ${releaseId}`
    : kind === 'judged' || kind === 'withdrawn'
      ? `dismissal ${ref} (${kind})`
      : `decision ${ref} on release ${releaseId}`

const describe = ({ kind, personId, at }: HistoryRow): string => `${kind} by person ${personId} at ${at}`

/**
 * Checks the audit log against releases, decisions and dismissals. They are written together, so a contradiction means that one
 * of the two was changed: it is reported and never repaired. A missing event is added.
 */
export const historyCheck: Check = {
  name: 'history',
  *find({ connection, onProgress }) {
    const derived = historyCheckRepository(connection)
    const last = derived.lastReleaseId()
    for (let after = 0; after < last; after += rowsAtOnce) {
      const range = { after, last: after + rowsAtOnce }
      const unmatched = new Map(derived.listUnmatchedEntries(range).map((entry) => [eventOf(entry), entry]))
      for (const event of derived.listUnrecordedEvents(range)) {
        const entry = unmatched.get(eventOf(event))
        unmatched.delete(eventOf(event))
        yield entry === undefined
          ? {
              problem: `history: ${eventOf(event)} is missing`,
              repair: () => derived.insertHistory(event),
            }
          : {
              problem: `history: ${eventOf(event)} says ${describe(event)}, but the history says ${describe(entry)}`,
            }
      }
      for (const [event, entry] of unmatched) {
        yield {
          problem: `history: ${event} (${describe(entry)}) is recorded here but not stored anywhere else`,
        }
      }
      onProgress(`history ${after} of ${last}`)
    }
  },
}

/** Checks the events of the audit log against the transparency log, which proves them. */
export const auditLogCheck: Check = {
  name: 'audit log',
  *find({ connection }) {
    const derived = auditLogCheckRepository(connection)
    for (const { id, kind, personId, entry, type, by } of rowsInPages(derived.listAudited)) {
      const isOlder = entry === null && historyKinds.some((known) => known === kind)
      if (type === null) {
        if (!isOlder) yield { problem: `audit log: event ${id} (${kind}) is not in the transparency log` }
        continue
      }
      const person = by === null ? personId : (JSON.parse(by) as { person: number | null }).person
      if (auditKindOf(type) !== kind || person !== personId) {
        yield {
          problem: `audit log: event ${id} says ${kind} by person ${personId}, but the transparency log says ${type} by person ${person}`,
        }
      }
    }
    for (const entry of rowsInPages(derived.listUnaudited)) {
      yield {
        problem: `audit log: log entry ${entry.idx} is missing`,
        repair: () => auditLog(connection).restore(entry),
      }
    }
  },
}

/** Checks the evidence of decisions, held decisions and dismissals against their releases. */
export const evidenceCheck: Check = {
  name: 'evidence',
  *find({ connection }) {
    const derived = evidenceCheckRepository(connection)
    for (const row of rowsInPages(derived.listEvidence)) {
      const reason = findMismatch(row)
      if (reason !== null) {
        yield { problem: `${row.name} ${row.version}: the evidence of decision ${row.id} ${reason}` }
      }
    }
    for (const { name, version, status } of derived.listHeldTooLong()) {
      yield { problem: `${name} ${version}: a decision is held, but the release is ${status}` }
    }
    for (const { id, name, releaseName } of derived.listMisfiledJudgements()) {
      yield { problem: `dismissal ${id}: it is recorded under ${name}, but belongs to ${releaseName}` }
    }
  },
}

/** Unreadable values are reported by the check of their column. */
function findMismatch({ evidence, manifest, sha256 }: EvidenceRow): string | null {
  const stated = storedJson['decision_evidence.evidence'].safeParse(evidence)
  const read = storedJson['release_manifests.manifest'].safeParse(manifest)
  if (!stated.success || !read.success || stated.data.observation === null) return null
  const { observation } = stated.data
  try {
    const plain = observation.runs.map(({ passed: _passed, ...run }) => run)
    const { runs } = examineObservation({ ...observation, runs: plain }, { sha256 }, read.data.examples)
    const isSame = runs.every(({ passed }, index) => passed === observation.runs[index]?.passed)
    return isSame ? null : 'does not match its runs'
  } catch {
    return 'is for different bytes or examples'
  }
}

/** Checks the counters that caches and open desks rely on, and the sequences of unique ids. */
export const countersCheck: Check = {
  name: 'counters',
  *find({ connection, model }) {
    const derived = counterCheckRepository(connection)
    if (derived.readGeneration().length !== 1) {
      yield {
        problem: 'counters: the one for the catalog is missing',
        repair: derived.startGeneration,
      }
    }
    const topics = new Set(derived.listTopics())
    const known = counterCheckRepository(model).listTopics()
    for (const topic of known) {
      if (topics.delete(topic)) continue
      yield {
        problem: `counters: the one for ${topic} is missing`,
        repair: () => derived.startTopic(topic),
      }
    }
    for (const topic of topics) yield { problem: `counters: ${topic} is unknown` }
    for (const { type, name, sql } of readSchema(model).values()) {
      if (type !== 'table' || !sql.includes('AUTOINCREMENT')) continue
      const { given, present } = derived.readSequence(name)
      if (present === 0 || (given !== null && given >= present)) continue
      yield {
        problem: `counters: ids of ${name} would be reused`,
        repair: () => derived.saveSequence(name, present),
      }
    }
  },
}
