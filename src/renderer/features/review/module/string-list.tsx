import { useState } from 'react'
import type { StringKind } from '../../../../shared/wasm/strings.ts'
import type { StringRow, StringView } from '../../../../shared/wasm/string-view.ts'
import { Choice } from '../../../components/form/choice.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatOffset } from './offsets.ts'
import type { OpenModule } from './open-module.ts'
import { RowTable } from './row-table.tsx'
import { texts } from './module-views.texts.ts'

const kindTexts: Record<StringKind, readonly [row: string, filter: string]> = texts.strings.kind
const kinds = ['address', 'ip', 'path', 'base64', 'other'] as const

const columnsFor = (size: number): readonly DataColumn<StringRow>[] => [
  { label: texts.strings.type, cell: ({ kind }) => kindTexts[kind][0] },
  { label: texts.strings.text, mono: true, cell: ({ text }) => <PlainText text={text} /> },
  {
    label: texts.strings.offset,
    numeric: true,
    mono: true,
    cell: ({ offset }) => formatOffset(offset, size),
  },
  { label: texts.strings.bytes, numeric: true, cell: ({ length }) => formatCount(length) },
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
  const { size, strings } = module.outline
  const all = kinds.reduce((sum, kind) => sum + strings[kind], 0)
  return (
    <RowTable
      module={module}
      kind="strings"
      view={view}
      load={(ask) => module.ask('strings', ask)}
      keyOf={({ kind, offset }) => `${kind} ${offset}`}
      all={all}
      columns={columnsFor(size)}
      onFilter={(filter) => setView({ ...view, filter })}
      onOpen={onOpen}
    >
      <Choice
        label={texts.strings.kinds}
        value={view.kind}
        onChange={(kind) => setView({ ...view, kind })}
        options={[
          { key: 'all', label: texts.strings.all, count: formatCount(all) },
          ...kinds.map((kind) => ({
            key: kind,
            label: kindTexts[kind][1],
            count: formatCount(strings[kind]),
          })),
        ]}
      />
    </RowTable>
  )
}
