import { ListColumn } from '../../../components/list/list-column.tsx'
import { FieldSegments } from '../../../components/list/field-segments.tsx'
import { PagedRows } from '../../../components/list/paged-rows.tsx'
import { listWords } from '../../../lib/format.ts'
import { moveNextTo } from '../project-order.ts'
import { projectStatuses } from '../../../../shared/contracts/desk-projects.ts'
import type { FilterState } from '../../../lib/list/view-filter.ts'
import type { ShowcaseFilter } from '../showcase-filter.ts'
import type { Projects } from '../use-projects.ts'
import { ProjectEmpty } from './project-empty.tsx'
import { ProjectRowLink } from './project-row.tsx'
import { texts } from '../showcase.texts.ts'

const { list } = texts

interface Props {
  state: FilterState<ShowcaseFilter>
  projects: Projects
  selected: number | null
  focusRequested: number | null
  onFocused: () => void
}

/** The list of pending, approved or rejected projects. Approved ones can be reordered by dragging. */
export function ProjectColumn({ state, projects, selected, focusRequested, onFocused }: Props) {
  const { filter, show } = state
  const { counts } = projects
  const drop = (dropped: number, on: number, after: boolean): void => {
    const order = moveNextTo(projects.rows, dropped, { id: on, after })
    if (order !== null) projects.reorder(order)
  }
  return (
    <ListColumn
      label={list.label}
      what={texts.page.list}
      views={
        <FieldSegments
          label={list.views.label}
          state={state}
          field="view"
          options={projectStatuses.map((view) => [view, list.views[view], counts?.[view]] as const)}
        />
      }
      search={{
        value: filter.q,
        placeholder: list.search,
        onSearch: (q) => show({ q }),
      }}
      news={newsOf(projects, filter)}
      sort={projects.total === 0 ? null : list.heads[filter.view]}
      query={projects}
      empty={projects.total === 0 && <ProjectEmpty filter={filter} counts={counts} />}
    >
      <PagedRows
        label={list.label}
        list={projects}
        selected={selected}
        renderRow={(row, look) => (
          <ProjectRowLink
            row={row}
            filter={filter}
            onDrop={filter.view === 'approved' && filter.q === '' ? drop : null}
            {...look}
          />
        )}
        focusRequested={focusRequested}
        onFocused={onFocused}
      />
    </ListColumn>
  )
}

function newsOf({ news, hasOtherOrder, showNews }: Projects, { view }: ShowcaseFilter) {
  const added = view === 'pending' ? list.newPending(news) : list.newDecided(news, view)
  const parts = [...(news > 0 ? [added] : []), ...(hasOtherOrder ? [list.newOrder] : [])]
  return { text: parts.length === 0 ? null : listWords(parts), onShow: showNews }
}
