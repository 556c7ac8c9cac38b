import { useState } from 'react'
import type { FunctionRow, FunctionSort, FunctionView } from '../../../../shared/wasm/function-view.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import type { Column } from '../../../components/list/data-column.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatOffset, formatShare } from './offsets.ts'
import type { OpenModule } from './open-module.ts'
import { RowTable } from './row-table.tsx'
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
  const cells = (one: FunctionRow) => [
    one.index,
    <FunctionName key="name" name={one.name} source={one.source} />,
    formatOffset(one.offset, size),
    formatCount(one.size),
    formatShare(one.size, functions.codeSize),
  ]
  return (
    <RowTable
      module={module}
      kind="functions"
      view={view}
      load={(ask) => module.ask('functions', ask)}
      keyOf={({ place }) => place}
      all={functions.count}
      columns={columns}
      cells={cells}
      start={startRow}
      takeFocus={back}
      onFilter={(filter) => change({ filter })}
      onOpen={({ place }, row) => onOpen(place, { view, row })}
    />
  )
}
