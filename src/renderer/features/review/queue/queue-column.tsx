import { ListColumn } from '../../../components/list/list-column.tsx'
import { FieldSegments } from '../../../components/list/field-segments.tsx'
import { PagedRows } from '../../../components/list/paged-rows.tsx'
import { queueFilter, withView } from './queue-filter.ts'
import type { QueueFilter } from './queue-filter.ts'
import type { Queue } from './use-queue.ts'
import { QueueEmpty } from './queue-empty.tsx'
import { QueueMenus, sortLabel } from './queue-menus.tsx'
import { QueueRowLink } from './queue-row.tsx'
import { texts } from '../review.texts.ts'

interface Props {
  filter: QueueFilter
  queue: Queue
  selected: number | null
  hint: number | null
  me: number
  focusRequested: number | null
  onFocused: () => void
  onFilter: (filter: QueueFilter, replace?: boolean) => void
}

/** Pending, decided or all releases: a column, or a drawer in a narrow window. */
export function QueueColumn(props: Props) {
  const { filter, queue, selected, hint, me, focusRequested, onFocused, onFilter } = props
  const { counts } = queue
  const pathTo = ({ view = filter.view }: Partial<QueueFilter>): string =>
    queueFilter.path(withView(filter, view))
  const news = filter.view === 'decided' ? texts.queue.newDecisions : texts.queue.newSubmissions
  return (
    <ListColumn
      label={texts.queue.label}
      what={texts.queue.what}
      views={
        <FieldSegments
          label={texts.queue.views.label}
          state={{ filter, pathTo }}
          field="view"
          options={[
            ['pending', texts.queue.views.pending, counts?.pending],
            ['decided', texts.queue.views.decided],
            ['all', texts.queue.views.all],
          ]}
        />
      }
      menus={<QueueMenus filter={filter} counts={counts} hasThreads={queue.hasThreads} onFilter={onFilter} />}
      search={{
        value: filter.q,
        placeholder: texts.queue.searchPlaceholder,
        onSearch: (q) => onFilter({ ...filter, q }, true),
      }}
      news={{ text: queue.news === 0 ? null : news(queue.news), onShow: queue.showNews }}
      sort={
        queue.total === 0
          ? null
          : [
              sortLabel(filter),
              filter.view === 'pending' ? texts.queue.waitingColumn : texts.queue.dateColumn,
            ]
      }
      query={queue}
      empty={queue.total === 0 && <QueueEmpty filter={filter} counts={counts} recent={queue.recent} />}
    >
      <PagedRows
        label={texts.queue.rows}
        list={queue}
        recentHead={[texts.queue.recent, texts.queue.dateColumn]}
        selected={selected}
        hint={hint}
        renderRow={(row, state) => <QueueRowLink row={row} filter={filter} me={me} {...state} />}
        focusRequested={focusRequested}
        onFocused={onFocused}
      />
    </ListColumn>
  )
}
