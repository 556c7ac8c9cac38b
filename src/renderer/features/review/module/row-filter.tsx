import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useDelayed } from '../../../lib/time/use-delayed.ts'
import { maxRows } from './use-rows.ts'
import { texts } from './module-views.texts.ts'
import classes from './module-viewer.module.css'

interface Props {
  label: string
  placeholder: string
  filter: string
  onFilter: (filter: string) => void
  rows: { isPending: boolean; isFetching: boolean; total: number; error: Error | null }
  /** The number of rows without a filter. */
  all: number
  /** `function`, `string` */
  what: string
}

/** The text that rows must contain, and how many of them the table shows, announced when it changes. */
export function RowFilter({ label, placeholder, filter, onFilter, rows, all, what }: Props) {
  const { isPending, isFetching, total, error } = rows
  const late = useDelayed(isFetching && error === null, 300)
  return (
    <>
      <TextInput
        size="sm"
        type="search"
        className={classes['filter'] ?? ''}
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        leftSection={<IconSearch size={14} stroke={1.75} />}
        value={filter}
        onChange={(event) => onFilter(event.currentTarget.value)}
      />
      <p
        className={classes['count']}
        role="status"
        data-text="hint"
        data-ink={error === null ? undefined : 'bad'}
      >
        {error !== null ? error.message : late ? texts.loading : isPending ? '' : countText(total, all, what)}
      </p>
    </>
  )
}

function countText(matched: number, all: number, what: string): string {
  return all === 0 ? texts.noRows(what) : texts.rows(matched, all, what, maxRows)
}
