import type { DeskRelease } from '../../../shared/contracts/desk-review.ts'
import type { ReviewAction } from '../../../shared/contracts/releases.ts'

/** The approved release of the name that was submitted last, this one left out. */
function latestOther(release: DeskRelease): { id: number; version: string } | null {
  return (
    release.siblings
      .filter(({ status }) => status === 'approved')
      .toSorted((a, b) => b.id - a.id)
      .at(0) ?? null
  )
}

/** What a decision would do, or what has been decided, for the line at the bottom of a release. */
export function effectAtRest(release: DeskRelease): string {
  const other = latestOther(release)
  switch (release.status) {
    case 'pending':
      return other !== null && other.id > release.id
        ? `Approving makes it and your notes public; ${other.version} stays the latest ${release.name}.`
        : `Approving makes it and your notes public, and the latest ${release.name}.`
    case 'approved':
      return 'Public. Revoking takes it out of the catalog and ends downloads at once, without undo.'
    case 'rejected':
      return `Nothing of it is public. ${release.version} is used up; the next try needs another version.`
    default:
      return 'It was public and is not any more. It cannot be approved again.'
  }
}

/** What stands beside the notes, each a sentence or two. */
export function effectsOf(action: ReviewAction, release: DeskRelease): string[] {
  const other = latestOther(release)
  const publisher = release.owner.publisher
  if (action === 'approved') {
    return [
      other !== null && other.id > release.id
        ? `${release.name} ${release.version} can be downloaded by everybody. ${other.version} stays the latest.`
        : `${release.name} ${release.version} becomes the latest and can be downloaded by everybody.`,
      `The notes become public with it, under your name.`,
      'It takes effect at once. It can be revoked later.',
    ]
  }
  if (action === 'rejected') {
    return [
      other === null
        ? 'Nothing becomes public.'
        : `Nothing becomes public. ${other.version} stays the latest.`,
      `${publisher} sees these notes. ${release.version} is used up; the next try needs another version.`,
      'It takes effect at once, without undo.',
    ]
  }
  return [
    other === null
      ? `${release.name} leaves the catalog: no other release of it is approved.`
      : `Downloads of ${release.version} end at once. ${other.version} ${other.id > release.id ? 'stays' : 'becomes'} the latest.`,
    `${publisher} sees these notes. They do not become public.`,
    'It takes effect at once, without undo. The version is used up.',
  ]
}
