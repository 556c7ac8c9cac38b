import { ListColumn } from '../../../components/list/list-column.tsx'
import { Segmented } from '../../../components/list/segmented.tsx'
import { PagedRows } from '../../../components/list/paged-rows.tsx'
import { plural } from '../../../lib/format.ts'
import { reviewPath, withView } from './queue-filter.ts'
import type { QueueFilter } from './queue-filter.ts'
import type { Queue } from './use-queue.ts'
import { QueueEmpty } from './queue-empty.tsx'
import { QueueMenus, sortLabel } from './queue-menus.tsx'
import { QueueRowLink } from './queue-row.tsx'

interface Props {
  filter: QueueFilter
  queue: Queue
  selected: number | null
  hint: number | null
  me: number
  focusWanted: number | null
  onFocused: () => void
  onFilter: (filter: QueueFilter, replace?: boolean) => void
}

/** Pending, decided or all releases; a column, and a drawer where the window is narrow. */
export function QueueColumn(props: Props) {
  const { filter, queue, selected, hint, me, focusWanted, onFocused, onFilter } = props
  const { counts } = queue
  const path = (view: QueueFilter['view']): string => reviewPath(null, withView(filter, view))
  const newsOf = filter.view === 'decided' ? 'new decision' : 'new submission'
  return (
    <ListColumn
      label="Queue"
      what="the queue"
      views={
        <Segmented
          label="Which releases"
          current={filter.view}
          segments={[
            { key: 'pending', label: 'Pending', count: counts?.pending, href: path('pending') },
            { key: 'decided', label: 'Decided', href: path('decided') },
            { key: 'all', label: 'All', href: path('all') },
          ]}
        />
      }
      menus={<QueueMenus filter={filter} counts={counts} onFilter={onFilter} />}
      search={{
        value: filter.q,
        placeholder: 'Name, person, digest',
        onSearch: (q) => onFilter({ ...filter, q }, true),
      }}
      news={queue.news === 0 ? null : { words: plural(queue.news, newsOf), onShow: queue.showNews }}
      sort={queue.total === 0 ? null : [sortLabel(filter), filter.view === 'pending' ? 'waited' : 'when']}
      loading={queue.loading}
      error={queue.error}
      onRetry={queue.retry}
      empty={queue.total === 0 && <QueueEmpty filter={filter} counts={counts} recent={queue.recent} />}
    >
      <PagedRows
        label="Releases"
        list={queue}
        recentHead={['Decided today and yesterday', 'when']}
        selected={selected}
        hint={hint}
        renderRow={(row, state) => <QueueRowLink row={row} filter={filter} me={me} {...state} />}
        focusWanted={focusWanted}
        onFocused={onFocused}
      />
    </ListColumn>
  )
}
