import { IconCircleCheck, IconFilter, IconStar } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { ProjectStatus } from '../../../../shared/contracts/desk-projects.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { showcaseFilter } from '../showcase-filter.ts'
import type { ShowcaseFilter } from '../showcase-filter.ts'
import { texts } from '../showcase.texts.ts'

const { empty } = texts.list

interface Props {
  filter: ShowcaseFilter
  counts: Record<ProjectStatus, number> | undefined
}

/** No matches, nothing left to review, or no projects yet. */
export function ProjectEmpty({ filter, counts }: Props) {
  if (filter.q !== '') {
    return (
      <EmptyState icon={IconFilter} title={empty.noMatches(filter.view, filter.q)}>
        <Link href={showcaseFilter.path({ ...filter, q: '' })}>{empty.clearSearch}</Link>
      </EmptyState>
    )
  }
  const all = counts === undefined ? 0 : counts.pending + counts.approved + counts.rejected
  if (filter.view === 'pending' && all > 0) {
    return (
      <EmptyState icon={IconCircleCheck} title={empty.nothingPending}>
        <Link href={showcaseFilter.path({ view: 'approved' })}>{empty.approved(counts?.approved ?? 0)}</Link>
      </EmptyState>
    )
  }
  if (all > 0) return <EmptyState icon={IconStar} title={empty.none(filter.view)} />
  return (
    <EmptyState icon={IconStar} title={empty.noProjects}>
      <p>{empty.hint}</p>
    </EmptyState>
  )
}
