import { useState } from 'react'
import type { StringKind } from '../../../../shared/wasm/strings.ts'
import type { StringRow, StringView } from '../../../../shared/wasm/string-view.ts'
import { Choice } from '../../../components/form/choice.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import type { Column } from '../../../components/list/data-column.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatOffset } from './offsets.ts'
import type { OpenModule } from './open-module.ts'
import { RowTable } from './row-table.tsx'
import { texts } from './module-views.texts.ts'

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
  const { size, strings } = module.outline
  const all = kinds.reduce((sum, kind) => sum + strings[kind], 0)
  const cells = ({ kind, text, offset, length }: StringRow) => [
    kindTexts[kind][0],
    <PlainText key="text" text={text} />,
    formatOffset(offset, size),
    formatCount(length),
  ]
  return (
    <RowTable
      module={module}
      kind="strings"
      view={view}
      load={(ask) => module.ask('strings', ask)}
      keyOf={({ kind, offset }) => `${kind} ${offset}`}
      all={all}
      columns={columns}
      cells={cells}
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
