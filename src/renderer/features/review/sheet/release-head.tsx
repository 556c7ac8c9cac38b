import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { provenanceText } from '../../../../shared/job-texts.ts'
import { DeprecatedChip } from '../../../components/deprecation/deprecation.tsx'
import { Avatar } from '../../../components/avatar.tsx'
import { CopyIcon } from '../../../components/form/copy-button.tsx'
import { SheetHead } from '../../../components/list/sheet-pane.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { Badge, Status } from '../../../components/feedback/status.tsx'
import { texts as threadTexts } from '../../../components/thread/thread.texts.ts'
import { useMayOpen } from '../../../lib/app/areas.ts'
import { useActions } from '../../../lib/keys/actions.ts'
import { copyText } from '../../../lib/app/clipboard.ts'
import { upperFirst, formatBytes } from '../../../lib/format.ts'
import { formatAge, formatSince, formatWhen } from '../../../lib/time/time.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { HeldStatus } from '../decision/held-status.tsx'
import { DownloadModule } from '../module/download-module.tsx'
import { OpenElsewhere } from './open-elsewhere.tsx'
import { PublisherMarks } from './publisher-marks.tsx'
import { nameOwnersQuery } from '../review.api.ts'
import type { ReviewRelease } from '../review.api.ts'
import { texts } from '../review.texts.ts'
import classes from './release-head.module.css'

interface Props {
  release: ReviewRelease
  list: ReactNode
  me: number
}

/** Name, status, publisher with their earlier decisions, size and full digest. */
export function ReleaseHead({ release, list, me }: Props) {
  const now = useNow()
  useActions([
    {
      id: 'copy-digest',
      label: texts.release.head.copyDigest,
      group: 'Look',
      keys: ['c'],
      run: () =>
        void copyText(release.sha256).then((done) =>
          showToast(
            done
              ? {
                  kind: 'done',
                  subject: `${release.name} ${release.version}`,
                  text: texts.release.head.digestCopied,
                }
              : { kind: 'error', text: texts.release.head.copyBlocked },
          ),
        ),
    },
  ])
  const { owner } = release
  const mayOpenPeople = useMayOpen('/people')
  return (
    <SheetHead
      list={list}
      title={`${release.name} ${release.version}`}
      mono
      beside={
        <>
          <Status kind={release.status} chip>
            {statusWords(release, now)}
          </Status>
          <DeprecatedChip release={release} />
          {release.thread.changesRequested && <Badge tone="warn" chip text={threadTexts.changesRequested} />}
          {release.held !== null && <HeldStatus held={release.held} me={me} />}
          <OpenElsewhere releaseId={release.id} />
          <DownloadModule release={release} />
        </>
      }
      facts={
        <>
          <li className={classes['publisher']}>
            <Avatar name={owner.publisher} />
            {mayOpenPeople ? <Link href={`/people/${owner.id}`}>{owner.publisher}</Link> : owner.publisher}
            <PublisherMarks decided={owner.decided} />
            <span>{record(owner, now)}</span>
          </li>
          <OtherOwners release={release} />
          {release.provenance !== null && (
            <li>
              <PlainText text={texts.release.head.provenance(provenanceText(release.provenance))} />
            </li>
          )}
          <li>{release.manifest.category}</li>
          <li>
            <PlainText text={release.manifest.license} />
          </li>
          <li>{formatBytes(release.size)}</li>
        </>
      }
    >
      <p className={classes['digest']}>
        <span>SHA-256</span> <code>{release.sha256}</code>
        <CopyIcon text={release.sha256} what={texts.release.head.copyDigestButton} />
      </p>
    </SheetHead>
  )
}

/** The owners of the name, unless the publisher is the only one. */
function OtherOwners({ release: { name, owner } }: { release: ReviewRelease }) {
  const all = useQuery(nameOwnersQuery(name)).data?.owners ?? []
  const owners = all.filter(({ removed }) => !removed)
  if (all.length === 0 || (owners.length === 1 && owners[0]?.person.id === owner.id)) return null
  return <li>{texts.owners.ownedBy(owners.map(({ person }) => person.publisher))}</li>
}

/** `4 approved, 1 rejected since March` */
function record({ releases, createdAt }: DeskRelease['owner'], now: number): string {
  const { approved, rejected, revoked } = releases
  const parts = [
    approved > 0 ? `${approved} approved` : null,
    rejected > 0 ? `${rejected} rejected` : null,
    revoked > 0 ? `${revoked} revoked` : null,
  ].filter((part) => part !== null)
  if (parts.length === 0) return texts.release.head.noDecisions
  return texts.release.head.decisions(parts, formatSince(createdAt, now))
}

function statusWords(release: ReviewRelease, now: number): string {
  const decision = release.history[0]
  const word = upperFirst(release.status)
  if (release.status === 'pending') {
    return texts.release.head.pending(formatAge(now - Date.parse(release.createdAt)), release.place)
  }
  if (decision === undefined) return word
  const selfApproved = release.statement?.selfApproved === true
  return texts.release.head.decided(
    word,
    formatWhen(decision.decidedAt, now),
    decision.decidedBy,
    selfApproved,
  )
}
