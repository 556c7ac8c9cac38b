import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Avatar } from '../../../components/avatar.tsx'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { copyText } from '../../../lib/app/clipboard.ts'
import { formatBytes, ordinal } from '../../../lib/format.ts'
import { formatAge, formatSince, formatWhen } from '../../../lib/time/time.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { DownloadModule } from '../module/download-module.tsx'
import { PublisherMarks } from './publisher-marks.tsx'
import classes from './release-head.module.css'

type Head = Omit<DeskRelease, 'held'>

interface Props {
  release: Head
  list: ReactNode
  /** Who else has the release open. */
  presence: ReactNode
}

/** Name, state, publisher with what became of their releases, size and the whole digest. */
export function ReleaseHead({ release, list, presence }: Props) {
  const now = useNow()
  useActions([
    {
      id: 'copy-digest',
      label: 'copy the digest',
      group: 'Look',
      keys: ['c'],
      run: () =>
        void copyText(release.sha256).then((done) =>
          showToast(
            done
              ? { kind: 'done', subject: `${release.name} ${release.version}`, text: 'digest copied.' }
              : {
                  kind: 'error',
                  text: 'The browser did not allow to copy the digest. Select it in the head.',
                },
          ),
        ),
    },
  ])
  const { owner } = release
  return (
    <header className={classes['head']}>
      {list}
      <div className={classes['top']}>
        <h1>
          {release.name} {release.version}
        </h1>
        <Status kind={release.status} chip>
          {statusWords(release, now)}
        </Status>
        {presence}
        <DownloadModule release={release} />
      </div>
      <ul className={classes['facts']}>
        <li className={classes['publisher']}>
          <Avatar name={owner.publisher} />
          <Link href={`/people/${owner.id}`}>{owner.publisher}</Link>
          <PublisherMarks decided={owner.decided} />
          <span>{record(owner, now)}</span>
        </li>
        <li>{release.manifest.category}</li>
        <li>
          <PlainText text={release.manifest.license} />
        </li>
        <li>{formatBytes(release.size)}</li>
      </ul>
      <p className={classes['digest']}>
        <span>SHA-256</span> <code>{release.sha256}</code>
        <CopyIcon text={release.sha256} what="the digest (C)" />
      </p>
    </header>
  )
}

/** `4 approved, 1 rejected since March` */
function record({ releases, createdAt }: DeskRelease['owner'], now: number): string {
  const { approved, rejected, revoked } = releases
  const parts = [
    approved > 0 ? `${approved} approved` : null,
    rejected > 0 ? `${rejected} rejected` : null,
    revoked > 0 ? `${revoked} revoked` : null,
  ].filter((part) => part !== null)
  if (parts.length === 0) return 'nothing decided before'
  return `${parts.join(', ')} since ${formatSince(createdAt, now)}`
}

function statusWords(release: Head, now: number): string {
  const decision = release.history[0]
  const word = release.status.slice(0, 1).toUpperCase() + release.status.slice(1)
  if (release.status === 'pending') {
    const age = formatAge(now - Date.parse(release.createdAt))
    return release.place === null ? `${word}, ${age}` : `${word}, ${age}, ${ordinal(release.place)} in line`
  }
  if (decision === undefined) return word
  const who =
    release.statement?.selfApproved === true ? `${decision.decidedBy}, its own publisher` : decision.decidedBy
  return `${word} ${formatWhen(decision.decidedAt, now)} by ${who}`
}
