import { useState } from 'react'
import type { FunctionRow, FunctionSort, FunctionView } from '../../../../shared/wasm/function-view.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import type { Column } from '../../../components/list/data-column.ts'
import { formatCount } from '../../../lib/format.ts'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { formatOffset, formatShare } from './offsets.ts'
import type { OpenModule } from './open-module.ts'
import { maxRows, useRows } from './use-rows.ts'
import { RowFilter } from './row-filter.tsx'
import { texts } from './module-views.texts.ts'
import classes from './module-viewer.module.css'

const firstDescending: Record<FunctionSort, boolean> = { size: true, index: false, name: false }

function FunctionName({ name, source }: Pick<FunctionRow, 'name' | 'source'>) {
  if (name === null) return <span className={classes['nameless']}>{texts.functions.unnamed}</span>
  return (
    <>
      <code>
        <PlainText text={name} />
      </code>
      {source === 'export' && <span className={classes['source']}> {texts.functions.exported}</span>}
    </>
  )
}

/** The functions of the module, largest first; opening one shows its instructions. */
export function FunctionList({
  module,
  start,
  back,
  onOpen,
}: {
  module: OpenModule
  /** The view and row to restore. */
  start: { view: FunctionView; row: number }
  /** Whether the list was opened with “Functions” from a function, and so takes the focus. */
  back: boolean
  onOpen: (place: number, left: { view: FunctionView; row: number }) => void
}) {
  const [view, setView] = useState(start.view)
  const [startRow, setStartRow] = useState(start.row)
  const filter = useDebounced(view.filter, 200)
  const query = { ...view, filter }
  const rows = useRows(
    [module.key, 'functions', query],
    ({ place }: FunctionRow) => place,
    (from, count) => module.ask('functions', { view: query, from, count }),
  )
  const { size, functions } = module.outline
  const change = (next: Partial<FunctionView>): void => {
    setStartRow(0)
    setView({ ...view, ...next })
  }
  const sortBy = (sort: FunctionSort): Pick<Column, 'sort' | 'onSort'> => ({
    sort: view.sort !== sort ? 'none' : view.descending ? 'descending' : 'ascending',
    onSort: () => change({ sort, descending: view.sort === sort ? !view.descending : firstDescending[sort] }),
  })
  const columns: Column[] = [
    { key: 'index', label: texts.functions.index, numeric: true, ...sortBy('index') },
    { key: 'name', label: texts.functions.name, ...sortBy('name') },
    { key: 'offset', label: texts.functions.offset, numeric: true, mono: true },
    { key: 'size', label: texts.functions.bytes, numeric: true, ...sortBy('size') },
    { key: 'share', label: texts.functions.share, numeric: true },
  ]
  const cells = (index: number) => {
    const one = rows.rowAt(index)
    if (one === undefined) return null
    return [
      one.index,
      <FunctionName key="name" name={one.name} source={one.source} />,
      formatOffset(one.offset, size),
      formatCount(one.size),
      formatShare(one.size, functions.codeSize),
    ]
  }
  return (
    <div className={classes['view']}>
      <div className={classes['tools']}>
        <RowFilter
          label={texts.functions.filter}
          placeholder={texts.functions.filterPlaceholder}
          filter={view.filter}
          onFilter={(next) => change({ filter: next })}
          rows={rows}
          all={functions.count}
          what={texts.functions.noun}
        />
      </div>
      <div className={`${classes['pane']} ${classes['functions']}`}>
        <VirtualTable
          label={texts.views.functions}
          columns={columns}
          widths="var(--inside-functions)"
          total={Math.min(rows.total, maxRows)}
          cells={cells}
          view={JSON.stringify(query)}
          start={startRow}
          takeFocus={back}
          loadVisible={rows.loadVisible}
          onOpen={(index) => {
            const one = rows.rowAt(index)
            if (one !== undefined) onOpen(one.place, { view, row: index })
          }}
        />
      </div>
    </div>
  )
}
