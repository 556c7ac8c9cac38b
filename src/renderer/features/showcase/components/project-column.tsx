import { ListColumn } from '../../../components/list/list-column.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { PagedRows } from '../../../components/list/paged-rows.tsx'
import { listWords } from '../../../lib/format.ts'
import { moveNextTo } from '../project-order.ts'
import { showcasePath } from '../showcase-filter.ts'
import type { ShowcaseFilter } from '../showcase-filter.ts'
import type { Projects } from '../use-projects.ts'
import { ProjectEmpty } from './project-empty.tsx'
import { ProjectRowLink } from './project-row.tsx'
import { texts } from '../showcase.texts.ts'

const { list } = texts

interface Props {
  filter: ShowcaseFilter
  projects: Projects
  selected: number | null
  focusRequested: number | null
  onFocused: () => void
  onFilter: (filter: ShowcaseFilter) => void
}

/** The list of pending, approved or rejected projects. Approved ones can be reordered by dragging. */
export function ProjectColumn({ filter, projects, selected, focusRequested, onFocused, onFilter }: Props) {
  const { counts } = projects
  const segment = (view: ShowcaseFilter['view'], label: string) => ({
    key: view,
    label,
    count: counts?.[view],
    href: showcasePath(null, { ...filter, view }),
  })
  const drop = (dropped: number, on: number, after: boolean): void => {
    const order = moveNextTo(projects.rows, dropped, { id: on, after })
    if (order !== null) projects.reorder(order)
  }
  return (
    <ListColumn
      label={list.label}
      what={texts.page.list}
      views={
        <Segmented
          label={list.views.label}
          current={filter.view}
          segments={[
            segment('pending', list.views.pending),
            segment('approved', list.views.approved),
            segment('rejected', list.views.rejected),
          ]}
        />
      }
      search={{
        value: filter.q,
        placeholder: list.search,
        onSearch: (q) => onFilter({ ...filter, q }),
      }}
      news={newsOf(projects, filter)}
      sort={projects.total === 0 ? null : list.heads[filter.view]}
      loading={projects.isPending}
      error={projects.error}
      onRetry={projects.refetch}
      empty={projects.total === 0 && <ProjectEmpty filter={filter} counts={counts} />}
    >
      <PagedRows
        label={list.label}
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
        focusRequested={focusRequested}
        onFocused={onFocused}
      />
    </ListColumn>
  )
}

function newsOf({ news, showNews }: Projects, { view }: ShowcaseFilter) {
  const added = view === 'pending' ? list.newPending(news.added) : list.newDecided(news.added, view)
  const parts = [...(news.added > 0 ? [added] : []), ...(news.hasOtherOrder ? [list.newOrder] : [])]
  return { text: parts.length === 0 ? null : listWords(parts), onShow: showNews }
}
