import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { Observation } from '../../../../shared/contracts/evidence.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { undoWindowSentence } from '../../../lib/server/held-decisions.ts'
import { formatDate } from '../../../lib/time/time.ts'
import { texts } from '../review.texts.ts'

const { effect } = texts.decision

type Release = Pick<
  DeskRelease,
  'id' | 'name' | 'version' | 'status' | 'siblings' | 'owner' | 'history' | 'downloads' | keyof Approvals
>

type Approvals = Pick<DeskRelease, 'approvalsNeeded' | 'firstApproval'>

/** Whether an approval would be the first of two, so that the release stays pending. */
export const isFirstOfTwo = ({ approvalsNeeded, firstApproval }: Approvals): boolean =>
  approvalsNeeded === 2 && firstApproval === null

/** The context of a decision. */
interface DecisionContext {
  reviewer: string
  observation: Pick<Observation, 'checks' | 'runs'> | null
  /** The undo window; null while the server has not reported it. */
  undoMs: number | null
  /** For a revocation: whether the advisory contains the reason. */
  publishReason: boolean
}

/** The most recently submitted approved release of the skill, other than this one. */
function latestOther(release: Release): { id: number; version: string } | null {
  return (
    release.siblings
      .filter(({ status }) => status === 'approved')
      .toSorted((a, b) => b.id - a.id)
      .at(0) ?? null
  )
}

/** The effect of a possible or a past decision, shown beside the buttons. */
export function summarizeEffect(release: Release): string {
  const other = latestOther(release)
  switch (release.status) {
    case 'pending':
      if (isFirstOfTwo(release)) return effect.approvingFirst
      return other !== null && other.id > release.id
        ? effect.approvingOlder(other.version, release.name)
        : effect.approving(release.name)
    case 'approved':
      return effect.approved
    case 'rejected':
      return effect.rejected(release.version)
    default:
      return effect.revoked
  }
}

/** The effects of a decision, one or two sentences each, shown next to the reason. */
export function effectsOf(
  action: ReviewAction,
  release: Release,
  context: DecisionContext,
  now = Date.now(),
): string[] {
  const other = latestOther(release)
  const publisher = release.owner.publisher
  const window = context.undoMs === null ? [] : [undoWindowSentence(context.undoMs)]
  if (action === 'approved' && isFirstOfTwo(release)) {
    return [effect.approvingFirst, effect.publicLater, ...window]
  }
  if (action === 'approved') {
    return [
      other !== null && other.id > release.id
        ? effect.staysOlder(`${release.name} ${release.version}`, other.version)
        : effect.becomesLatest(`${release.name} ${release.version}`),
      publicEffect(context),
      ...window,
    ]
  }
  if (action === 'rejected') {
    return [
      other === null ? effect.nothingPublic : `${effect.nothingPublic} ${effect.staysLatest(other.version)}`,
      `${effect.publisherSees(publisher)} ${effect.notReusable(release.version)}`,
      ...window,
    ]
  }
  return [
    downloadsEffect(release, now),
    other === null
      ? effect.leavesCatalog(release.name)
      : `${effect.downloadsStop(release.version)} ${other.id > release.id ? effect.staysLatest(other.version) : effect.becomesLatestVersion(other.version)}`,
    context.publishReason ? effect.publishedReason(publisher) : effect.privateReason(publisher),
    `${undoWindowSentence(0)} ${effect.notReusable(release.version)}`,
  ]
}

/** What is published besides the release. */
function publicEffect({ reviewer, observation }: DecisionContext): string {
  if (observation === null) return effect.publicReason
  return effect.publicReasonAndRuns(observation.runs.length, reviewer, observation.checks)
}

/** `1,204 downloads since it was approved on 9 Sep.` */
function downloadsEffect({ downloads, history }: Release, now: number): string {
  const approved = history.find(({ action }) => action === 'approved')
  const since = approved === undefined ? '' : effect.onDate(formatDate(approved.decidedAt, now))
  return downloads === 0 ? effect.noDownloads(since) : effect.downloads(downloads, since)
}
