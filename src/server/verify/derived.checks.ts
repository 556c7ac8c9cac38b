import { skeletonOf } from '../../shared/findings/near-name.ts'
import { readSchema } from '../db/stored-schema.ts'
import { storedText } from '../db/stored-text.ts'
import { examineObservation } from '../domains/releases/decisions/evidence.rules.ts'
import type { Check } from './check.ts'
import { derivedRepository } from './derived.repository.ts'
import type { EvidenceRow, HistoryRow } from './derived.repository.ts'
import { rowsInPages } from './pages.ts'

/** Names that are read at once, and releases whose events are compared at once. */
const rowsAtOnce = 500

/** Who owns a name, what it is compared by and when it was first approved, against its releases. */
export const namesCheck: Check = {
  name: 'names',
  *find({ connection }) {
    const derived = derivedRepository(connection)
    for (let after = ''; ;) {
      const page = derived.listNames(after, rowsAtOnce)
      for (const { name, skeleton, isOwnerOfFirst, hasRightApproval } of page) {
        if (isOwnerOfFirst !== 1)
          yield { problem: `names: ${name} does not belong to the owner of its first release` }
        if (skeleton !== skeletonOf(name)) {
          yield {
            problem: `names: ${name} has another skeleton than its letters give`,
            repair: () => void derived.saveSkeleton(name, skeletonOf(name)),
          }
        }
        if (hasRightApproval !== 1) {
          yield {
            problem: `names: ${name} was not first approved when its decisions say`,
            repair: () => void derived.noteFirstApproval(name),
          }
        }
      }
      const last = page.at(-1)
      if (last === undefined) return
      after = last.name
    }
  },
}

/** One event is one entry, whatever is told of it. */
const eventOf = ({ kind, releaseId, ref }: HistoryRow): string =>
  kind === 'submitted'
    ? `submission of release ${releaseId}`
    : kind === 'judged' || kind === 'withdrawn'
      ? `dismissal ${ref} (${kind})`
      : `decision ${ref} on release ${releaseId}`

const tell = ({ kind, personId, at }: HistoryRow): string => `${kind} by person ${personId} at ${at}`

/**
 * The history against releases, decisions and dismissals. Triggers write it, so whoever changes one of the two leaves
 * the other as it was: a contradiction is named and never settled here. An event that the history lacks is added.
 */
export const historyCheck: Check = {
  name: 'history',
  *find({ connection, onProgress }) {
    const derived = derivedRepository(connection)
    const last = derived.lastReleaseId()
    for (let after = 0; after < last; after += rowsAtOnce) {
      const unaccounted = new Map(
        derived.listUnaccounted(after, after + rowsAtOnce).map((entry) => [eventOf(entry), entry]),
      )
      for (const event of derived.listUntold(after, after + rowsAtOnce)) {
        const entry = unaccounted.get(eventOf(event))
        unaccounted.delete(eventOf(event))
        yield entry === undefined
          ? {
              problem: `history: the ${eventOf(event)} is missing`,
              repair: () => void derived.insertHistory(event),
            }
          : {
              problem: `history: the ${eventOf(event)} says ${tell(event)}, the history ${tell(entry)}`,
            }
      }
      for (const [event, entry] of unaccounted) {
        yield { problem: `history: it has the ${event} (${tell(entry)}), of which nothing else is stored` }
      }
      onProgress(`history ${after} of ${last}`)
    }
  },
}

/** What stands behind decisions, against the release that it is about. */
export const evidenceCheck: Check = {
  name: 'evidence',
  *find({ connection }) {
    const derived = derivedRepository(connection)
    for (const row of rowsInPages(derived.listEvidence)) {
      const reason = findMismatch(row)
      if (reason !== null) {
        yield { problem: `${row.name} ${row.version}: the evidence of decision ${row.id} ${reason}` }
      }
    }
    for (const { name, version, status } of derived.listHeldTooLong()) {
      yield { problem: `${name} ${version}: a decision is held, and the release is ${status}` }
    }
    for (const { id, name, releaseName } of derived.listMisfiledJudgements()) {
      yield { problem: `dismissal ${id}: it is filed under ${name} and made for ${releaseName}` }
    }
  },
}

/** What cannot be read is named by the check of its column. */
function findMismatch({ evidence, manifest, sha256 }: EvidenceRow): string | null {
  const stated = storedText.evidence.safeParse(evidence)
  const read = storedText.manifest.safeParse(manifest)
  if (!stated.success || !read.success || stated.data.observation === null) return null
  const { observation } = stated.data
  try {
    const plain = observation.runs.map(({ passed: _passed, ...run }) => run)
    const { runs } = examineObservation({ ...observation, runs: plain }, { sha256 }, read.data.examples)
    const isSame = runs.every(({ passed }, index) => passed === observation.runs[index]?.passed)
    return isSame ? null : 'has another verdict than its runs give'
  } catch {
    return 'is about other bytes or other examples'
  }
}

/** Counters that caches and open desks go by, and the numbers that are given once. */
export const countersCheck: Check = {
  name: 'counters',
  *find({ connection, model }) {
    const derived = derivedRepository(connection)
    if (derived.readGeneration().length !== 1) {
      yield { problem: 'counters: that of the catalog is missing', repair: () => derived.startGeneration() }
    }
    const topics = new Set(derived.listTopics())
    const known = derivedRepository(model).listTopics()
    for (const topic of known) {
      if (topics.delete(topic)) continue
      yield {
        problem: `counters: that of ${topic} is missing`,
        repair: () => void derived.startTopic(topic),
      }
    }
    for (const topic of topics) yield { problem: `counters: there is none for ${topic}` }
    for (const { type, name, sql } of readSchema(model).values()) {
      if (type !== 'table' || !sql.includes('AUTOINCREMENT')) continue
      const { given, present } = derived.readSequence(name)
      if (present === 0 || (given !== null && given >= present)) continue
      yield {
        problem: `counters: ids of ${name} would be given twice`,
        repair: () => derived.saveSequence(name, present),
      }
    }
  },
}
