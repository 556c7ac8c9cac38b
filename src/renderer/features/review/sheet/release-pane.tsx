import { IconInbox } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo, useDeferredValue } from 'react'
import type { DeskPerson } from '../../../../shared/contracts/desk-common.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ListButton, SheetPane } from '../../../components/list/sheet-pane.tsx'
import { deskReleaseQuery } from '../review.api.ts'
import { ReleaseDock } from '../decision/release-dock.tsx'
import { FirstSubmission } from './first-submission.tsx'
import { ReleaseSheet } from './release-sheet.tsx'
import { texts } from '../review.texts.ts'

interface Props {
  id: number | null
  me: DeskPerson
  /** What to show while no release is selected; null while the queue is loading. */
  without: 'nothing submitted' | 'nothing selected' | null
  hasNext: boolean
  onOpenList: () => void
  onNext: () => void
}

/** The selected release above its decision dock. Memoized, so that scrolling the queue does not render it again. */
export const ReleasePane = memo(function ReleasePane({
  id,
  me,
  without,
  hasNext,
  onOpenList,
  onNext,
}: Props) {
  const release = useQuery({ ...deskReleaseQuery(id ?? 0), enabled: id !== null })
  // A release that arrives later is rendered in slices; one that is already here at once, so that it can be decided.
  const isRendered = useDeferredValue(release.data !== undefined)
  const list = <ListButton label={texts.queue.label} onOpen={onOpenList} />
  const data = isRendered ? release.data : undefined
  return (
    <SheetPane
      query={release}
      texts={texts.release}
      heading={texts.pageTitle}
      list={list}
      none={id === null ? <Without what={without} /> : undefined}
      sheet={data === undefined ? null : <ReleaseSheet release={data} list={list} me={me.id} />}
      dock={data && <ReleaseDock release={data} me={me} onNext={onNext} hasNext={hasNext} />}
    />
  )
})

function Without({ what }: { what: Props['without'] }) {
  if (what === 'nothing submitted') return <FirstSubmission />
  return what === null ? null : <EmptyState icon={IconInbox} title={texts.release.noneSelected} />
}
