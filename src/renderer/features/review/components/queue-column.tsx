import { VisuallyHidden } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Bones } from '../../../components/bones.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Keycap } from '../../../components/keycap.tsx'
import { SearchField } from '../../../components/search-field.tsx'
import { Segmented } from '../../../components/segmented.tsx'
import { plural } from '../../../lib/format.ts'
import { reviewPath, withView } from '../queue-filter.ts'
import type { QueueFilter } from '../queue-filter.ts'
import type { Queue } from '../use-queue.ts'
import classes from './queue-column.module.css'
import { QueueEmpty } from './queue-empty.tsx'
import { QueueList } from './queue-list.tsx'
import { QueueMenus, sortLabel } from './queue-menus.tsx'

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
  const column = useRef<HTMLElement>(null)
  const { counts } = queue
  const path = (view: QueueFilter['view']): string => reviewPath(null, withView(filter, view))
  useEffect(() => {
    if (column.current?.parentElement?.hasAttribute('data-drawer') === true) column.current.focus()
  })
  return (
    <aside ref={column} className={classes['column']} data-region="list" aria-label="Queue" tabIndex={-1}>
      <div className={classes['head']}>
        <div className={classes['views']}>
          <Segmented
            label="Which releases"
            current={filter.view}
            segments={[
              { key: 'pending', label: 'Pending', count: counts?.pending, href: path('pending') },
              { key: 'decided', label: 'Decided', href: path('decided') },
              { key: 'all', label: 'All', href: path('all') },
            ]}
          />
          <QueueMenus filter={filter} counts={counts} onFilter={onFilter} />
        </div>
        <SearchField
          value={filter.q}
          placeholder="Name, person, digest"
          onSearch={(q) => onFilter({ ...filter, q }, true)}
        />
      </div>
      {queue.news > 0 && (
        <button type="button" className={classes['news']} onClick={queue.showNews} data-ring="inside">
          <IconArrowUp size={14} stroke={1.75} aria-hidden />
          {filter.view === 'decided'
            ? plural(queue.news, 'new decision')
            : plural(queue.news, 'new submission')}
          <b>Show</b>
          <Keycap keys="." quiet />
        </button>
      )}
      <VisuallyHidden role="status">{queue.news > 0 ? plural(queue.news, 'new row') : ''}</VisuallyHidden>
      {queue.total > 0 && (
        <p className={classes['sort']}>
          <span>{sortLabel(filter)}</span>
          <span>{filter.view === 'pending' ? 'waited' : 'when'}</span>
        </p>
      )}
      {queue.error !== null && (
        <div className={classes['trouble']}>
          <Failure error={queue.error} what="The queue cannot be read" retry={queue.retry} />
        </div>
      )}
      {queue.loading && queue.error === null && <Bones rows={7} height={52} what="the queue" />}
      {!queue.loading && queue.total === 0 && queue.error === null && (
        <QueueEmpty filter={filter} counts={counts} recent={queue.recent} />
      )}
      <QueueList
        queue={queue}
        filter={filter}
        selected={selected}
        hint={hint}
        me={me}
        focusWanted={focusWanted}
        onFocused={onFocused}
      />
    </aside>
  )
}
