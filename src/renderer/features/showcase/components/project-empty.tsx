import { IconCircleCheck, IconFilter, IconStar } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { ProjectStatus } from '../../../../shared/contracts/desk-projects.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { plural } from '../../../lib/format.ts'
import { showcasePath } from '../showcase-filter.ts'
import type { ShowcaseFilter } from '../showcase-filter.ts'

interface Props {
  filter: ShowcaseFilter
  counts: Record<ProjectStatus, number> | undefined
}

/** Which of the three it is: nothing for this filter, nothing left, or nothing yet. */
export function ProjectEmpty({ filter, counts }: Props) {
  if (filter.q !== '') {
    return (
      <EmptyState icon={IconFilter} title={`No ${filter.view} project with “${filter.q}”`}>
        <Link href={showcasePath(null, { ...filter, q: '' })}>Drop the text</Link>
      </EmptyState>
    )
  }
  const all = counts === undefined ? 0 : counts.pending + counts.approved + counts.rejected
  if (filter.view === 'pending' && all > 0) {
    return (
      <EmptyState icon={IconCircleCheck} title="Nothing waits for a decision">
        <Link href={showcasePath(null, { view: 'approved', q: '' })}>
          {plural(counts?.approved ?? 0, 'approved project')}
        </Link>
      </EmptyState>
    )
  }
  if (all > 0) return <EmptyState icon={IconStar} title={`Nothing has been ${filter.view} yet`} />
  return (
    <EmptyState icon={IconStar} title="Nothing has been submitted yet">
      <p>Anybody can submit a project on the public page /showcase/submit. It waits here for a decision.</p>
    </EmptyState>
  )
}
