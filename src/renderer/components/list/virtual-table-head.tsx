import { VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Column } from './data-column.ts'
import classes from './virtual-table.module.css'

/** The sticky column headings, which sort the table. */
export function TableHead({ columns }: { columns: readonly Column[] }) {
  return (
    <div className={classes['head']} role="rowgroup">
      <div className={classes['headRow']} role="row" aria-rowindex={1}>
        {columns.map(({ key, label, unseen, numeric, sort, onSort }) => (
          <div
            key={key}
            role="columnheader"
            data-column={key}
            data-numeric={numeric === true ? '' : undefined}
            aria-sort={sort}
          >
            {unseen === true ? (
              <VisuallyHidden>{label}</VisuallyHidden>
            ) : onSort === undefined ? (
              label
            ) : (
              <button type="button" onClick={onSort} data-ring="inside">
                {label}
                {sort === 'descending' && <IconArrowDown size={12} stroke={1.75} aria-hidden />}
                {sort === 'ascending' && <IconArrowUp size={12} stroke={1.75} aria-hidden />}
              </button>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}
