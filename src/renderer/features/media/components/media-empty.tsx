import { IconCircleCheck, IconFilter, IconPhoto } from '@tabler/icons-react'
import { Link } from 'wouter'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { mediaPath } from '../media-filter.ts'
import type { MediaFilter } from '../media-filter.ts'

/** Which of the three it is: nothing yet, nothing left to delete, or nothing for this filter. */
export function MediaEmpty({ use }: Pick<MediaFilter, 'use'>) {
  if (use === 'all') {
    return (
      <EmptyState icon={IconPhoto} title="There are no pictures yet">
        <p>Upload some, drop them here, or paste one into a post.</p>
      </EmptyState>
    )
  }
  const isClean = use === 'unused'
  return (
    <EmptyState
      icon={isClean ? IconCircleCheck : IconFilter}
      title={isClean ? 'Every picture is used' : 'No picture is used'}
    >
      <Link href={mediaPath({ use: 'all', picture: null })}>All pictures</Link>
    </EmptyState>
  )
}
