import { useState } from 'react'
import type { FunctionRow, FunctionSort, FunctionView } from '../../../../shared/wasm/function-view.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatOffset, formatShare } from './offsets.ts'
import type { ModuleOutline } from './module-questions.ts'
import type { OpenModule } from './open-module.ts'
import { RowTable } from './row-table.tsx'
import { texts } from './module-views.texts.ts'
import classes from './module-viewer.module.css'

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

const columnsFor = ({ size, functions }: ModuleOutline): readonly DataColumn<FunctionRow, FunctionSort>[] => [
  { label: texts.functions.index, numeric: true, sort: 'index', cell: 'index' },
  { label: texts.functions.name, sort: 'name', cell: (one) => <FunctionName {...one} /> },
  {
    label: texts.functions.offset,
    numeric: true,
    mono: true,
    cell: ({ offset }) => formatOffset(offset, size),
  },
  {
    label: texts.functions.bytes,
    numeric: true,
    sort: 'size',
    descends: true,
    cell: (one) => formatCount(one.size),
  },
  { label: texts.functions.share, numeric: true, cell: (one) => formatShare(one.size, functions.codeSize) },
]

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
  const change = (next: Partial<FunctionView>): void => {
    setStartRow(0)
    setView({ ...view, ...next })
  }
  return (
    <RowTable
      module={module}
      kind="functions"
      view={view}
      load={(ask) => module.ask('functions', ask)}
      keyOf={({ place }) => place}
      all={module.outline.functions.count}
      columns={columnsFor(module.outline)}
      sorting={{
        now: { sort: view.sort, order: view.descending ? 'desc' : 'asc' },
        onSort: ({ sort, order }) => change({ sort, descending: order === 'desc' }),
      }}
      start={startRow}
      takeFocus={back}
      onFilter={(filter) => change({ filter })}
      onOpen={({ place }, row) => onOpen(place, { view, row })}
    />
  )
}
