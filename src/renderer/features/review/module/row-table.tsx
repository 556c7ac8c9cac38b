import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DataTable } from '../../../components/list/data-table.tsx'
import type { DataColumn, SortControl } from '../../../components/list/data-column.ts'
import { asListed } from '../../../lib/list/paged-list.ts'
import type { KeyOf } from '../../../lib/list/paged-list.ts'
import { usePagedList } from '../../../lib/list/use-paged-list.ts'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { useDelayed } from '../../../lib/time/use-delayed.ts'
import type { Rows } from './module-questions.ts'
import type { OpenModule } from './open-module.ts'
import { texts } from './module-views.texts.ts'
import classes from './module-viewer.module.css'

/** Rows per request to the worker. */
const pageSize = 100
/** Rows shown at most. Further ones are found with a filter. */
const maxRows = 10_000

interface Props<Row, View, Sort extends string> {
  module: OpenModule
  kind: 'functions' | 'strings'
  view: View
  /** Asks the worker of the module, as rows become visible. */
  load: (ask: { view: View; from: number; count: number }) => Promise<Rows<Row>>
  keyOf: KeyOf<Row>
  /** The number of rows without a filter. */
  all: number
  columns: readonly DataColumn<Row, Sort>[]
  sorting?: SortControl<Sort>
  start?: number
  takeFocus?: boolean
  onFilter: (filter: string) => void
  onOpen: (row: Row, place: number) => void
  /** Before the filter. */
  children?: ReactNode
}

/** The rows of a view that contain a text, and how many they are, announced when that changes. */
export function RowTable<Row, View extends { filter: string }, Sort extends string = never>(
  props: Props<Row, View, Sort>,
) {
  const { module, kind, view, load, keyOf, all, start = 0, onFilter, children, ...table } = props
  const query = { ...view, filter: useDebounced(view.filter, 200) }
  const rows = usePagedList<Rows<Row>, QueryKey>({
    page: (from) => ({
      queryKey: ['inside', module.key, kind, query, from],
      queryFn: () => load({ view: query, from, count: pageSize }),
      staleTime: Infinity,
      gcTime: 10_000,
      retry: false,
      structuralSharing: false,
    }),
    placement: asListed,
    keyOf,
    pageSize,
  })
  const { isPending, isFetching, total, error } = rows
  const late = useDelayed(isFetching && error === null, 300)
  const { noun, filter, filterPlaceholder } = texts[kind]
  const count = all === 0 ? texts.noRows(noun) : texts.rows(total, all, noun, maxRows)
  return (
    <div className={classes['view']}>
      <div className={classes['tools']}>
        {children}
        <TextInput
          size="sm"
          type="search"
          className={classes['filter'] ?? ''}
          aria-label={filter}
          placeholder={filterPlaceholder}
          maxLength={100}
          leftSection={<IconSearch size={14} stroke={1.75} />}
          value={view.filter}
          onChange={(event) => onFilter(event.currentTarget.value)}
        />
        <p
          className={classes['count']}
          role="status"
          data-text="hint"
          data-ink={error === null ? undefined : 'bad'}
        >
          {error !== null ? error.message : late ? texts.loading : isPending ? '' : count}
        </p>
      </div>
      <div className={`${classes['pane']} ${classes[kind]}`}>
        <DataTable
          {...table}
          label={texts.views[kind]}
          rows={{ ...rows, total: Math.min(total, maxRows), view: JSON.stringify(query), start }}
          widths={`var(--inside-${kind})`}
        />
      </div>
    </div>
  )
}
