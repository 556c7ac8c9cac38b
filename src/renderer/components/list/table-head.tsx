import { VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { headSort } from './data-column.ts'
import type { DataColumn, SortControl } from './data-column.ts'
import classes from './data-table.module.css'

interface HeadProps<Sort extends string> {
  columns: readonly Omit<DataColumn<never, Sort>, 'cell'>[]
  sorting: SortControl<Sort> | undefined
}

/** The sticky column headings, which sort the table. */
export function TableHead<Sort extends string>({ columns, sorting }: HeadProps<Sort>) {
  return (
    <div className={classes['head']} role="rowgroup">
      <div className={classes['headRow']} role="row" aria-rowindex={1}>
        {columns.map((column) => {
          const { label, unseen = false, numeric = false } = column
          const by = headSort(column, sorting)
          return (
            <div
              key={label}
              role="columnheader"
              data-column={label.toLowerCase()}
              data-numeric={numeric ? '' : undefined}
              aria-sort={by?.sort}
            >
              {unseen ? (
                <VisuallyHidden>{label}</VisuallyHidden>
              ) : by === null ? (
                label
              ) : (
                <button type="button" onClick={by.onSort} data-ring="inside">
                  {label}
                  {by.sort === 'descending' && <IconArrowDown size={12} stroke={1.75} aria-hidden />}
                  {by.sort === 'ascending' && <IconArrowUp size={12} stroke={1.75} aria-hidden />}
                </button>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
