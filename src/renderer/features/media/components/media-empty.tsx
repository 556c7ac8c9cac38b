import { IconCircleCheck, IconFilter, IconPhoto } from '@tabler/icons-react'
import { Link } from 'wouter'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { mediaFilter } from '../media-filter.ts'
import type { MediaFilter } from '../media-filter.ts'
import { texts } from '../media.texts.ts'

const { empty } = texts

/** An empty library, no unused images, or no used images. */
export function MediaEmpty({ use }: Pick<MediaFilter, 'use'>) {
  if (use === 'all') {
    return (
      <EmptyState icon={IconPhoto} title={empty.library}>
        <p>{empty.libraryHint}</p>
      </EmptyState>
    )
  }
  const isClean = use === 'unused'
  return (
    <EmptyState
      icon={isClean ? IconCircleCheck : IconFilter}
      title={isClean ? empty.allUsed : empty.noneUsed}
    >
      <Link href={mediaFilter.path({})}>{empty.all}</Link>
    </EmptyState>
  )
}
