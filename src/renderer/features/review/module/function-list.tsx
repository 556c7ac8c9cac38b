import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { FunctionRow, FunctionSort, FunctionView } from '../../../../shared/wasm/function-view.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import type { Column } from '../../../components/list/data-column.ts'
import { formatCount } from '../../../lib/format.ts'
import { useRested } from '../../../lib/time/use-rested.ts'
import { formatOffset, formatShare } from './offsets.ts'
import type { OpenModule } from './open-module.ts'
import { mostRows, useRows } from './use-rows.ts'
import { RowCount } from './row-count.tsx'
import classes from './module-viewer.module.css'

const firstDescending: Record<FunctionSort, boolean> = { size: true, index: false, name: false }

export function FunctionName({ name, source }: Pick<FunctionRow, 'name' | 'source'>) {
  if (name === null) return <span className={classes['nameless']}>unnamed</span>
  return (
    <>
      <code>
        <PlainText text={name} />
      </code>
      {source === 'export' && <span className={classes['source']}> exported</span>}
    </>
  )
}

/** The functions with a body, largest first; opening one shows its instructions. */
export function FunctionList({
  module,
  start,
  back,
  onOpen,
}: {
  module: OpenModule
  /** The view and row that was open last, to come back to. */
  start: { view: FunctionView; row: number }
  /** Whether one comes back to it. */
  back: boolean
  onOpen: (place: number, left: { view: FunctionView; row: number }) => void
}) {
  const [view, setView] = useState(start.view)
  const [startRow, setStartRow] = useState(start.row)
  const filter = useRested(view.filter, 200)
  const asked = { ...view, filter }
  const { matched, row, arranging, error, onVisible } = useRows(
    [module.key, 'functions', asked],
    (from, count) => module.ask('functions', { view: asked, from, count }),
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
    { key: 'index', label: 'Index', numeric: true, ...sortBy('index') },
    { key: 'name', label: 'Function', ...sortBy('name') },
    { key: 'offset', label: 'Offset', numeric: true, mono: true },
    { key: 'size', label: 'Bytes', numeric: true, ...sortBy('size') },
    { key: 'share', label: 'of code', numeric: true },
  ]
  const cells = (index: number) => {
    const one = row(index)
    if (one === null) return null
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
        <TextInput
          size="sm"
          type="search"
          className={classes['filter'] ?? ''}
          aria-label="Filter functions by name, index or offset"
          placeholder="Name, index or 0x offset"
          maxLength={100}
          leftSection={<IconSearch size={14} stroke={1.75} />}
          value={view.filter}
          onChange={(event) => change({ filter: event.currentTarget.value })}
        />
        <RowCount
          matched={matched}
          all={functions.count}
          what="function"
          arranging={arranging}
          error={error}
        />
      </div>
      <div className={`${classes['pane']} ${classes['functions']}`}>
        <VirtualTable
          label="Functions"
          columns={columns}
          widths="var(--inside-functions)"
          total={Math.min(matched ?? 0, mostRows)}
          cells={cells}
          view={JSON.stringify(asked)}
          start={startRow}
          takeFocus={back}
          onVisible={onVisible}
          onOpen={(index) => {
            const one = row(index)
            if (one !== null) onOpen(one.place, { view, row: index })
          }}
        />
      </div>
    </div>
  )
}
