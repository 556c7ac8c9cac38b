import { publisherName } from '../../../shared/publisher-name.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import type { ReleaseStatus } from '../../../shared/contracts/releases.ts'
import type { SkillManifest } from '../../../shared/contracts/manifest.ts'
import type { ReviewAction } from '../../../shared/contracts/decisions.ts'
import { DomainError } from '../../../shared/errors.ts'
import { createPastTimes } from '../../../shared/past-times.ts'

/** Length of the rolling window of a daily quota, in milliseconds (rulings, "Submission quota"). */
export const quotaWindowMs = 24 * 3600 * 1000

/** Section 3: the status that an action requires. Any other transition is invalid. */
const startOf: Record<ReviewAction, ReleaseStatus> = {
  approved: 'pending',
  rejected: 'pending',
  revoked: 'approved',
}

export function statusBefore(action: ReviewAction): ReleaseStatus {
  return startOf[action]
}

export interface QuotaState {
  /** How many are allowed now. */
  left: number
  /** Seconds until one more is allowed; the whole window if nothing is used. */
  seconds: number
}

/** Limits how often something may happen in any `windowMs`. `times` are the stored times of the last `limit` or more events. */
export function createRollingLimit(windowMs: number) {
  const readPastTime = createPastTimes()
  const read = (limit: number, times: readonly string[], now: Date): QuotaState => {
    const waits = times
      .map((time) => readPastTime(time, now) + windowMs - now.getTime())
      .filter((wait) => wait > 0)
    const first = waits.reduce((a, b) => Math.min(a, b), windowMs)
    return { left: limit - waits.length, seconds: Math.ceil(first / 1000) }
  }
  return {
    read,
    /** Throws QUOTA_EXCEEDED. */
    assert(limit: number, times: readonly string[], now: Date, message: string): void {
      const { left, seconds } = read(limit, times, now)
      if (left <= 0) throw new DomainError('QUOTA_EXCEEDED', message, { retryAfter: seconds })
    },
  }
}

export interface ReleaseFacts {
  id: number
  name: string
  version: string
  sha256: string
  size: number
  status: ReleaseStatus
  createdAt: string
  reviewReason: string | null
}

/** A RegistryVersion (section 2.2) as JSON text. `manifest` is the stored JSON and is inserted verbatim. */
export function releaseBody(
  release: ReleaseFacts,
  manifest: string,
  owner: Pick<Person, 'id' | 'name'>,
): string {
  const head = JSON.stringify({ id: release.id, name: release.name, version: release.version })
  const tail = JSON.stringify({
    sha256: release.sha256,
    size: release.size,
    status: release.status,
    ownerId: owner.id,
    publisher: publisherName(owner),
    createdAt: release.createdAt,
    reviewReason: release.reviewReason,
  })
  return `${head.slice(0, -1)},"manifest":${manifest},${tail.slice(1)}`
}

/** Separates the fields of a search text. Search terms can't contain it, so no match spans two fields. */
export const fieldSeparator = '\uFFFF'

/** The text that `q` is searched in (rulings, "What `q` matches"), folded. */
export function searchText(manifest: SkillManifest, publisher: string): string {
  return [manifest.name, manifest.description, manifest.category, publisher]
    .map((field) => fold(field.replaceAll(fieldSeparator, '\uFFFE')))
    .join(fieldSeparator)
}

/** Lowercase; the final sigma, which depends on the following character, becomes the regular one. */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** All runs of one, two and three characters in each field, as tokens for the search index. */
export function gramsOf(text: string): string {
  const grams = new Set<string>()
  for (const field of text.split(fieldSeparator)) {
    const characters = [...field]
    for (let start = 0; start < characters.length; start += 1) {
      let run = ''
      for (const character of characters.slice(start, start + 3)) {
        run += character
        grams.add(token(run))
      }
    }
  }
  return [...grams].join(' ')
}

/**
 * The number of runs of a term to look up. Each one costs a seek in every segment of the index (0.05 to 0.2 ms), so a
 * few that are likely to be rare are better than all.
 */
const queryGrams = 3

/**
 * An FTS5 expression for every text that may contain the folded term; the text itself is compared afterwards. Runs with
 * a digit, hyphen or space are rarer than runs of letters and are preferred, most of all in the middle; then come the
 * first and the last run.
 */
export function gramQuery(term: string): string {
  const characters = [...term]
  const length = Math.min(3, characters.length)
  const runs = characters
    .slice(0, characters.length - length + 1)
    .map((_, start) => characters.slice(start, start + length).join(''))
  const chosen = [...new Set([runs.at(0) ?? '', runs.at(-1) ?? '', ...runs])]
    .map((run) => ({ run, rarity: nonLetters(run) + nonLetters([...run][1] ?? '') }))
    .toSorted((a, b) => b.rarity - a.rarity)
    .slice(0, queryGrams)
  return chosen.map(({ run }) => token(run)).join(' AND ')
}

function nonLetters(text: string): number {
  return text.replaceAll(/\p{L}/gu, '').length
}

/** Encodes characters as hexadecimal digits, so that the tokenizer always sees one plain word. */
function token(run: string): string {
  return `x${Buffer.from(run, 'utf16le').toString('hex')}`
}
