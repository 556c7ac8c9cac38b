import { VisuallyHidden } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { Bones } from '../../../components/feedback/bones.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { InsteadOfSheet, ListButton, SheetPane, SheetTrouble } from '../../../components/list/sheet-pane.tsx'
import { asApiError } from '../../../lib/server/api-error.ts'
import { deskReleaseQuery } from '../review.api.ts'
import { Dock } from '../decision/dock.tsx'
import { FirstSubmission } from './first-submission.tsx'
import { HeldStatus } from '../decision/held-status.tsx'
import { OpenElsewhere } from './open-elsewhere.tsx'
import { ReleaseSheet } from './release-sheet.tsx'

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
  const list = <ListButton label="Queue" onOpen={onOpenList} />
  if (release.data !== undefined) {
    return (
      <SheetPane
        sheet={
          <>
            {release.error !== null && (
              <SheetTrouble>
                <Failure
                  error={release.error}
                  what="This release could not be read again"
                  retry={() => void release.refetch()}
                />
              </SheetTrouble>
            )}
            <ReleaseSheet
              release={release.data}
              list={list}
              presence={
                <>
                  {release.data.held !== null && <HeldStatus held={release.data.held} me={me.id} />}
                  <OpenElsewhere releaseId={release.data.id} />
                </>
              }
            />
          </>
        }
        dock={<Dock release={release.data} me={me} onNext={onNext} hasNext={hasNext} />}
      />
    )
  }
  return (
    <SheetPane
      sheet={
        <InsteadOfSheet label="Release">
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
        </InsteadOfSheet>
      }
    />
  )
})

function Without({ what }: { what: Props['without'] }) {
  if (what === 'nothing submitted') return <FirstSubmission />
  return what === null ? null : <EmptyState icon={IconInbox} title="No release is selected" />
}
