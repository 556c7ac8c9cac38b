import type { Person, Reviewer } from '../../../../shared/contracts/people.ts'
import { maxMessages, messagesPerHour } from '../../../../shared/contracts/thread.ts'
import type {
  Message,
  MessageAbout,
  NewAnswer,
  NewQuestion,
  Thread,
  ThreadSummary,
} from '../../../../shared/contracts/thread.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Connection, Database } from '../../../db/database.ts'
import { readJson } from '../../../db/stored-text.ts'
import { checksRepository } from '../checks/checks.repository.ts'
import { ownersRepository } from '../owners/owners.repository.ts'
import { releaseRepository } from '../releases.repository.ts'
import type { ReleaseRow } from '../releases.repository.ts'
import { createRollingLimit } from '../releases.rules.ts'
import type { ReleaseFacts } from '../releases.rules.ts'
import { texts } from '../releases.texts.ts'
import { threadRepository } from './thread.repository.ts'
import type { MessageRow } from './thread.repository.ts'

type ReleaseKey = Pick<ReleaseFacts, 'name' | 'version'>

const hourMs = 3_600_000

/** Who reads a thread: the owners of the name, who never see the sign-in name of a reviewer, or reviewers. */
type Side = 'publisher' | 'reviewer'

/**
 * The conversation about a release while it is under review. A question may request changes: the release is then
 * marked with the label “changes requested” until the publisher answers, a reviewer removes it, or it is decided.
 */
export function createThreads(database: Database) {
  const reading = threadRepository(database.reader)
  const writing = threadRepository(database.writer)
  const checks = checksRepository(database.writer)
  const hourly = createRollingLimit(hourMs)

  const noRelease = ({ name, version }: ReleaseKey): DomainError =>
    new DomainError('NOT_FOUND', texts.noReleaseNamed(name, version))

  /** Throws NOT_FOUND. */
  const findRelease = (connection: Connection, key: ReleaseKey): ReleaseRow => {
    const found = releaseRepository(connection).findByKey(key.name, key.version)
    if (found === null) throw noRelease(key)
    return found
  }

  /** Throws NOT_FOUND also for a name that the person doesn't own, so that nobody learns of pending releases. */
  const findOwn = (connection: Connection, person: Person, key: ReleaseKey): ReleaseRow => {
    const release = findRelease(connection, key)
    if (!ownersRepository(connection).isOwner(release.name, person.id)) throw noRelease(key)
    return release
  }

  const summarize = (shown: readonly Pick<ReleaseFacts, 'id' | 'status'>[]): Map<number, ThreadSummary> => {
    const pending = new Set(shown.filter(({ status }) => status === 'pending').map(({ id }) => id))
    const rows = reading.summarize(shown.map(({ id }) => id))
    return new Map(
      rows.map(({ releaseId, messages, lastKind, openRequests }) => [
        releaseId,
        {
          messages,
          changesRequested: pending.has(releaseId) && openRequests > 0,
          waitingFor: pending.has(releaseId) ? (lastKind === 'question' ? 'publisher' : 'reviewer') : null,
        },
      ]),
    )
  }

  const readThread = (release: Pick<ReleaseFacts, 'id' | 'status'>, side: Side): Thread => ({
    changesRequested: summarize([release]).get(release.id)?.changesRequested ?? false,
    messages: reading.list(release.id).map((row) => toMessage(row, side)),
  })

  /** Inside a transaction. */
  const findAbout = (releaseId: number, about: NewAnswer['about']): MessageAbout | null => {
    if (about?.kind !== 'finding') return about
    const stored = checks.findChecks(releaseId)?.findings ?? null
    const findings = readJson('release_checks.findings', releaseId, stored) ?? []
    const finding = findings.find(({ fingerprint }) => fingerprint === about.fingerprint)
    if (finding === undefined) {
      const message = texts.findings.none
      throw new DomainError('VALIDATION_FAILED', message, { issues: [{ path: 'about', message }] })
    }
    const { fingerprint, check, title } = finding
    return { kind: 'finding', fingerprint, check, title }
  }

  /** Inside a transaction: throws unless one more message may be written. */
  const assertOpen = (release: ReleaseRow, kind: Message['kind'], author: Person, now: Date): void => {
    if (release.status !== 'pending') throw new DomainError('THREAD_CLOSED', texts.thread.closed(release))
    if (writing.count(release.id, kind) >= maxMessages) {
      throw new DomainError('THREAD_FULL', texts.thread.full(release, kind, maxMessages))
    }
    const after = new Date(now.getTime() - hourMs).toISOString()
    const times = writing.listTimes(author.id, after, messagesPerHour)
    const { left, seconds: retryAfter } = hourly.read(messagesPerHour, times, now)
    if (left > 0) return
    throw new DomainError('QUOTA_EXCEEDED', texts.thread.tooMany(messagesPerHour, retryAfter), { retryAfter })
  }

  /** Inside a transaction. */
  const insert = (release: ReleaseRow, author: Person, kind: Message['kind'], said: NewQuestion): Message => {
    const now = new Date()
    assertOpen(release, kind, author, now)
    const about = findAbout(release.id, said.about)
    const row = {
      releaseId: release.id,
      kind,
      authorId: author.id,
      at: now.toISOString(),
      text: said.text,
      about: about === null ? null : JSON.stringify(about),
      requestsChanges: said.requestsChanges ? 1 : 0,
    }
    const id = writing.insert(row)
    if (kind === 'answer') writing.resolve({ releaseId: release.id, by: author.id, at: row.at })
    return toMessage(
      { ...row, id, authorName: author.name, authorSubject: author.subject },
      kind === 'answer' ? 'publisher' : 'reviewer',
    )
  }

  return {
    /** Of each of these releases that has messages. */
    summarize,

    /** For reviewers. */
    readThread: (release: Pick<ReleaseFacts, 'id' | 'status'>): Thread => readThread(release, 'reviewer'),

    /** For reviewers. Throws NOT_FOUND. */
    getReviewThread(key: ReleaseKey): Thread {
      database.assertAvailable()
      return readThread(findRelease(database.reader, key), 'reviewer')
    },

    /** For the current owners of the name. Throws NOT_FOUND. */
    getOwnThread(person: Person, key: ReleaseKey): Thread {
      database.assertAvailable()
      return readThread(findOwn(database.reader, person, key), 'publisher')
    },

    /** Throws NOT_FOUND, SELF_REVIEW, THREAD_CLOSED, THREAD_FULL, QUOTA_EXCEEDED and VALIDATION_FAILED. */
    ask(reviewer: Reviewer, key: ReleaseKey, question: NewQuestion): Promise<Message> {
      return database.transact(() => {
        const release = findRelease(database.writer, key)
        if (release.ownerId === reviewer.id) throw new DomainError('SELF_REVIEW', texts.thread.ownRelease)
        return insert(release, reviewer, 'question', question)
      })
    },

    /** Throws NOT_FOUND, NOTHING_ASKED, THREAD_CLOSED, THREAD_FULL, QUOTA_EXCEEDED and VALIDATION_FAILED. */
    answer(person: Person, key: ReleaseKey, answer: NewAnswer): Promise<Message> {
      return database.transact(() => {
        const release = findOwn(database.writer, person, key)
        if (writing.count(release.id, 'question') === 0) {
          throw new DomainError('NOTHING_ASKED', texts.thread.nothingAsked(release))
        }
        return insert(release, person, 'answer', { ...answer, requestsChanges: false })
      })
    },

    /** Removes the label “changes requested”, if there is one. Throws NOT_FOUND. */
    withdrawChangeRequest(reviewer: Reviewer, key: ReleaseKey): Promise<void> {
      return database.transact(() => {
        const { id } = findRelease(database.writer, key)
        writing.resolve({ releaseId: id, by: reviewer.id, at: new Date().toISOString() })
      })
    },
  }
}

export type Threads = ReturnType<typeof createThreads>

function toMessage(row: MessageRow, side: Side): Message {
  const { id, kind, at, text, authorId, authorName, authorSubject } = row
  const reviewer = authorName ?? (side === 'reviewer' ? authorSubject : `Reviewer ${authorId}`)
  return {
    id,
    kind,
    by: kind === 'answer' ? publisherName({ id: authorId, name: authorName }) : reviewer,
    at,
    text,
    about: readJson('review_messages.about', id, row.about),
    requestsChanges: row.requestsChanges === 1,
  }
}
