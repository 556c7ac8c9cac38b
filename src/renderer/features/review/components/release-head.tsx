import { Tooltip } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { Avatar } from '../../../components/avatar.tsx'
import { CopyIcon } from '../../../components/copy-button.tsx'
import { PlainText } from '../../../components/plain-text.tsx'
import { Status } from '../../../components/status.tsx'
import { useActions } from '../../../lib/actions.ts'
import { copyText } from '../../../lib/clipboard.ts'
import { formatBytes, listWords, ordinal } from '../../../lib/format.ts'
import { formatAge, formatDate, formatWhen } from '../../../lib/time.ts'
import { showToast } from '../../../lib/toasts.ts'
import { useNow } from '../../../lib/use-now.ts'
import { InspectModule } from './inspect-module.tsx'
import classes from './release-head.module.css'

/** Name, state, publisher, size and the whole digest. */
export function ReleaseHead({ release, list }: { release: DeskRelease; list: ReactNode }) {
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
        <InspectModule release={release} />
      </div>
      <ul className={classes['facts']}>
        <li className={classes['publisher']}>
          <Avatar name={owner.publisher} />
          <Link href={`/people/${owner.id}`}>{owner.publisher}</Link>
          <Signs approved={owner.releases.approved} rejected={owner.releases.rejected} />
          <span>{record(release, now)}</span>
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

function Signs({ approved, rejected }: { approved: number; rejected: number }) {
  if (approved + rejected === 0) return null
  return (
    <Tooltip label={`${approved} approved, ${rejected} rejected`}>
      <span className={classes['signs']} aria-hidden>
        {Array.from({ length: Math.min(4, approved) }, (_, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <IconCircleCheckFilled key={`a${index}`} size={14} data-tone="ok" />
        ))}
        {Array.from({ length: Math.min(2, rejected) }, (_, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <IconCircleX key={`r${index}`} size={14} stroke={1.75} />
        ))}
      </span>
    </Tooltip>
  )
}

/** `4 approved, 1 rejected since March` */
function record({ owner }: DeskRelease, now: number): string {
  const { approved, rejected, revoked } = owner.releases
  const parts = [
    approved > 0 ? `${approved} approved` : null,
    rejected > 0 ? `${rejected} rejected` : null,
    revoked > 0 ? `${revoked} revoked` : null,
  ].filter((part) => part !== null)
  if (parts.length === 0) return 'nothing decided before'
  return `${listWords(parts)} since ${formatDate(owner.createdAt, now)}`
}

function statusWords(release: DeskRelease, now: number): string {
  const decision = release.history[0]
  const word = release.status.slice(0, 1).toUpperCase() + release.status.slice(1)
  if (release.status === 'pending') {
    const age = formatAge(now - Date.parse(release.createdAt))
    return release.place === null ? `${word}, ${age}` : `${word}, ${age}, ${ordinal(release.place)} in line`
  }
  if (decision === undefined) return word
  return `${word} ${formatWhen(decision.decidedAt, now)} by ${decision.decidedBy}`
}
