import { ListColumn } from '../../../components/list/list-column.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { PagedRows } from '../../../components/list/paged-rows.tsx'
import { listWords, plural } from '../../../lib/format.ts'
import { placeBeside } from '../project-order.ts'
import { showcasePath } from '../showcase-filter.ts'
import type { ShowcaseFilter } from '../showcase-filter.ts'
import type { Projects } from '../use-projects.ts'
import { ProjectEmpty } from './project-empty.tsx'
import { ProjectRowLink } from './project-row.tsx'

interface Props {
  filter: ShowcaseFilter
  projects: Projects
  selected: number | null
  focusWanted: number | null
  onFocused: () => void
  onFilter: (filter: ShowcaseFilter) => void
}

const heads = {
  pending: ['Waiting, longest first', 'waited'],
  approved: ['As the public sees them', 'approved'],
  rejected: ['Latest submission first', 'rejected'],
} as const

/** Pending, approved or rejected projects; the approved ones can be put in another order. */
export function ProjectColumn({ filter, projects, selected, focusWanted, onFocused, onFilter }: Props) {
  const { counts } = projects
  const segment = (view: ShowcaseFilter['view'], label: string) => ({
    key: view,
    label,
    count: counts?.[view],
    href: showcasePath(null, { ...filter, view }),
  })
  const drop = (dropped: number, on: number, after: boolean): void => {
    const order = placeBeside(projects.rows, dropped, { id: on, after })
    if (order !== null) projects.reorder(order)
  }
  return (
    <ListColumn
      label="Projects"
      what="the list of projects"
      views={
        <Segmented
          label="Which projects"
          current={filter.view}
          segments={[
            segment('pending', 'Pending'),
            segment('approved', 'Approved'),
            segment('rejected', 'Rejected'),
          ]}
        />
      }
      search={{
        value: filter.q,
        placeholder: 'Title, address, author',
        onSearch: (q) => onFilter({ ...filter, q }),
      }}
      news={newsOf(projects, filter)}
      sort={projects.total === 0 ? null : heads[filter.view]}
      loading={projects.loading}
      error={projects.error}
      onRetry={projects.retry}
      empty={projects.total === 0 && <ProjectEmpty filter={filter} counts={counts} />}
    >
      <PagedRows
        label="Projects"
        list={projects}
        selected={selected}
        renderRow={(row, state) => (
          <ProjectRowLink
            row={row}
            filter={filter}
            onDrop={filter.view === 'approved' && filter.q === '' ? drop : null}
            {...state}
          />
        )}
        focusWanted={focusWanted}
        onFocused={onFocused}
      />
    </ListColumn>
  )
}

function newsOf({ news, showNews }: Projects, { view }: ShowcaseFilter) {
  const noun = view === 'pending' ? 'new submission' : `project ${view}`
  const many = view === 'pending' ? 'new submissions' : `projects ${view}`
  const parts = [
    ...(news.added > 0 ? [plural(news.added, noun, many)] : []),
    ...(news.isOtherOrder ? ['another order'] : []),
  ]
  return parts.length === 0 ? null : { words: listWords(parts), onShow: showNews }
}
