import { useState } from 'react'
import type { StringKind } from '../../../../shared/wasm/strings.ts'
import type { StringRow, StringView } from '../../../../shared/wasm/string-view.ts'
import { Choice } from '../../../components/form/choice.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import type { Column } from '../../../components/list/data-column.ts'
import { formatCount } from '../../../lib/format.ts'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { formatOffset } from './offsets.ts'
import type { OpenModule } from './open-module.ts'
import { maxRows, useRows } from './use-rows.ts'
import { RowFilter } from './row-filter.tsx'
import { texts } from './module-views.texts.ts'
import classes from './module-viewer.module.css'

const kindTexts: Record<StringKind, readonly [row: string, filter: string]> = texts.strings.kind
const kinds = ['address', 'ip', 'path', 'base64', 'other'] as const

const columns: Column[] = [
  { key: 'kind', label: texts.strings.type },
  { key: 'text', label: texts.strings.text, mono: true },
  { key: 'offset', label: texts.strings.offset, numeric: true, mono: true },
  { key: 'size', label: texts.strings.bytes, numeric: true },
]

/** The strings in the module; opening one shows its bytes. */
export function StringList({
  module,
  onOpen,
}: {
  module: OpenModule
  onOpen: (range: { offset: number; length: number }) => void
}) {
  const [view, setView] = useState<StringView>({ kind: 'all', filter: '' })
  const filter = useDebounced(view.filter, 200)
  const query = { ...view, filter }
  const rows = useRows(
    [module.key, 'strings', query],
    ({ kind, offset }: StringRow) => `${kind} ${offset}`,
    (from, count) => module.ask('strings', { view: query, from, count }),
  )
  const { size, strings } = module.outline
  const all = kinds.reduce((sum, kind) => sum + strings.totals[kind], 0)
  const cells = (index: number) => {
    const one = rows.rowAt(index)
    if (one === undefined) return null
    return [
      kindTexts[one.kind][0],
      <PlainText key="text" text={one.text} />,
      formatOffset(one.offset, size),
      formatCount(one.length),
    ]
  }
  return (
    <div className={classes['view']}>
      <div className={classes['tools']}>
        <Choice
          label={texts.strings.kinds}
          value={view.kind}
          onChange={(kind) => setView({ ...view, kind })}
          options={[
            { key: 'all', label: texts.strings.all, count: formatCount(all) },
            ...kinds.map((kind) => ({
              key: kind,
              label: kindTexts[kind][1],
              count: formatCount(strings.totals[kind]),
            })),
          ]}
        />
        <RowFilter
          label={texts.strings.filter}
          placeholder={texts.strings.filter}
          filter={view.filter}
          onFilter={(next) => setView({ ...view, filter: next })}
          rows={rows}
          all={all}
          what={texts.strings.noun}
        />
      </div>
      <div className={`${classes['pane']} ${classes['strings']}`}>
        <VirtualTable
          label={texts.views.strings}
          columns={columns}
          widths="var(--inside-strings)"
          total={Math.min(rows.total, maxRows)}
          cells={cells}
          view={JSON.stringify(query)}
          loadVisible={rows.loadVisible}
          onOpen={(index) => {
            const one = rows.rowAt(index)
            if (one !== undefined) onOpen(one)
          }}
        />
      </div>
    </div>
  )
}
