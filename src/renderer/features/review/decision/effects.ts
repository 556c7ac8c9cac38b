import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { Observation } from '../../../../shared/contracts/evidence.ts'
import type { ReviewAction } from '../../../../shared/contracts/releases.ts'
import { plural } from '../../../lib/format.ts'
import { undoWindowSentence } from '../../../lib/server/held.ts'
import { formatDate } from '../../../lib/time/time.ts'

type Release = Pick<
  DeskRelease,
  'id' | 'name' | 'version' | 'status' | 'siblings' | 'owner' | 'history' | 'downloads'
>

/** What a decision is made with. */
export interface Making {
  reviewer: string
  /** What the test runs showed. */
  observation: Pick<Observation, 'checks' | 'runs'> | null
  /** The undo window; null while the server has not reported it. */
  undoMs: number | null
}

/** The approved release of the name that was submitted last, this one left out. */
function latestOther(release: Release): { id: number; version: string } | null {
  return (
    release.siblings
      .filter(({ status }) => status === 'approved')
      .toSorted((a, b) => b.id - a.id)
      .at(0) ?? null
  )
}

/** What a decision would do, or what has been decided, for the line at the bottom of a release. */
export function effectAtRest(release: Release): string {
  const other = latestOther(release)
  switch (release.status) {
    case 'pending':
      return other !== null && other.id > release.id
        ? `Approving makes it, your notes and the runs public; ${other.version} stays the latest ${release.name}.`
        : `Approving makes it, your notes and the runs public, and the latest ${release.name}.`
    case 'approved':
      return 'Public. Revoking takes it out of the catalog and ends downloads at once, without undo.'
    case 'rejected':
      return `Nothing of it is public. ${release.version} is used up; the next try needs another version.`
    default:
      return 'It was public and is not any more. It cannot be approved again.'
  }
}

/** What is shown next to the reason, each a sentence or two. */
export function effectsOf(
  action: ReviewAction,
  release: Release,
  making: Making,
  now = Date.now(),
): string[] {
  const other = latestOther(release)
  const publisher = release.owner.publisher
  const window = making.undoMs === null ? [] : [undoWindowSentence(making.undoMs)]
  if (action === 'approved') {
    return [
      other !== null && other.id > release.id
        ? `${release.name} ${release.version} can be downloaded by everybody. ${other.version} stays the latest.`
        : `${release.name} ${release.version} becomes the latest and can be downloaded by everybody.`,
      `Public with it: these notes under your name, and ${runsWords(making)}.`,
      ...window,
    ]
  }
  if (action === 'rejected') {
    return [
      other === null
        ? 'Nothing becomes public.'
        : `Nothing becomes public. ${other.version} stays the latest.`,
      `${publisher} sees these notes. ${release.version} is used up; the next try needs another version.`,
      ...window,
    ]
  }
  return [
    downloadsWords(release, now),
    other === null
      ? `${release.name} leaves the catalog: no other release of it is approved.`
      : `Downloads of ${release.version} end at once. ${other.version} ${other.id > release.id ? 'stays' : 'becomes'} the latest.`,
    `${publisher} sees these notes. They do not become public.`,
    `${undoWindowSentence(0)} The version is used up.`,
  ]
}

/** What is published of the examples. */
function runsWords({ reviewer, observation }: Making): string {
  if (observation === null) return '“no evidence given”, for no example was run here'
  return `${plural(observation.runs.length, 'run')} as “observed by ${reviewer} with checks ${observation.checks}”`
}

/** `1,204 downloads since it was approved on 9 Sep.` */
function downloadsWords({ downloads, history }: Release, now: number): string {
  const approved = history.find(({ action }) => action === 'approved')
  const since = approved === undefined ? '' : ` on ${formatDate(approved.decidedAt, now)}`
  if (downloads === 0) return `No downloads since it was approved${since}.`
  return `${plural(downloads, 'download')} since it was approved${since}.`
}
