import { Button, VisuallyHidden } from '@mantine/core'
import { IconInbox, IconLayoutSidebar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { Bones } from '../../../components/bones.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Keycap } from '../../../components/keycap.tsx'
import { ToastArea } from '../../../components/toast-area.tsx'
import { asApiError } from '../../../lib/api-error.ts'
import { deskReleaseQuery } from '../review.api.ts'
import { Dock } from './dock.tsx'
import { FirstSubmission } from './first-submission.tsx'
import { HeldWords } from './held-words.tsx'
import { OpenElsewhere } from './open-elsewhere.tsx'
import { ReleaseSheet } from './release-sheet.tsx'
import classes from './release-pane.module.css'

interface Props {
  id: number | null
  me: DeskPerson
  /** What stands here while no release is selected; null while the queue is being read. */
  without: 'nothing submitted' | 'nothing selected' | null
  hasNext: boolean
  onOpenList: () => void
  onNext: () => void
}

/** The release that is selected, over the dock that decides it. It is not drawn anew while the queue scrolls. */
export const ReleasePane = memo(function ReleasePane({
  id,
  me,
  without,
  hasNext,
  onOpenList,
  onNext,
}: Props) {
  const release = useQuery({ ...deskReleaseQuery(id ?? 0), enabled: id !== null })
  const list = (
    <Button
      size="sm"
      className={classes['list'] ?? ''}
      leftSection={<IconLayoutSidebar size={16} stroke={1.75} />}
      onClick={onOpenList}
    >
      Queue&nbsp;
      <Keycap keys="l" quiet />
    </Button>
  )
  if (release.data !== undefined) {
    return (
      <div className={classes['pane']}>
        {release.error !== null && (
          <div className={classes['stale']}>
            <Failure
              error={release.error}
              what="This release could not be read again"
              retry={() => void release.refetch()}
            />
          </div>
        )}
        <ReleaseSheet
          release={release.data}
          list={list}
          presence={
            <>
              {release.data.held !== null && <HeldWords held={release.data.held} me={me.id} />}
              <OpenElsewhere releaseId={release.data.id} />
            </>
          }
        />
        <Dock release={release.data} me={me} onNext={onNext} hasNext={hasNext} />
      </div>
    )
  }
  return (
    <div className={classes['pane']}>
      <section className={classes['instead']} data-region="sheet" aria-label="Release" tabIndex={-1}>
        <VisuallyHidden component="h1">Review</VisuallyHidden>
        {list}
        {id === null ? (
          <Without what={without} />
        ) : release.error === null ? (
          <Bones rows={9} height={40} what="the release" />
        ) : (
          <Failure
            error={release.error}
            what={
              asApiError(release.error).code === 'NOT_FOUND'
                ? 'There is no release at this address'
                : 'This release cannot be read'
            }
            retry={() => void release.refetch()}
          />
        )}
      </section>
      <div className={classes['toasts']}>
        <ToastArea />
      </div>
    </div>
  )
})

function Without({ what }: { what: Props['without'] }) {
  if (what === 'nothing submitted') return <FirstSubmission />
  return what === null ? null : <EmptyState icon={IconInbox} title="No release is selected" />
}
