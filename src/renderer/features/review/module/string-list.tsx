import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { StringKind } from '../../../../shared/wasm/strings.ts'
import type { StringView } from '../../../../shared/wasm/string-view.ts'
import { Choice } from '../../../components/form/choice.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import type { Column } from '../../../components/list/data-column.ts'
import { formatCount } from '../../../lib/format.ts'
import { useRested } from '../../../lib/time/use-rested.ts'
import { formatOffset } from './offsets.ts'
import type { OpenModule } from './open-module.ts'
import { mostRows, useRows } from './use-rows.ts'
import { RowCount } from './row-count.tsx'
import classes from './module-viewer.module.css'

const words: Record<StringKind, [one: string, several: string]> = {
  address: ['web address', 'Web'],
  ip: ['IP address', 'IP'],
  path: ['path', 'Paths'],
  base64: ['base64', 'Base64'],
  other: ['text', 'Text'],
}
const kinds = ['address', 'ip', 'path', 'base64', 'other'] as const

const columns: Column[] = [
  { key: 'kind', label: 'Kind' },
  { key: 'text', label: 'String', mono: true },
  { key: 'offset', label: 'Offset', numeric: true, mono: true },
  { key: 'size', label: 'Bytes', numeric: true },
]

/** What reads as text in the module's data; opening one shows it among its bytes. */
export function StringList({
  module,
  onOpen,
}: {
  module: OpenModule
  onOpen: (range: { offset: number; length: number }) => void
}) {
  const [view, setView] = useState<StringView>({ kind: 'all', filter: '' })
  const filter = useRested(view.filter, 200)
  const asked = { ...view, filter }
  const { matched, row, arranging, error, onVisible } = useRows(
    [module.key, 'strings', asked],
    (from, count) => module.ask('strings', { view: asked, from, count }),
  )
  const { size, strings } = module.outline
  const all = kinds.reduce((sum, kind) => sum + strings.totals[kind], 0)
  const cells = (index: number) => {
    const one = row(index)
    if (one === null) return null
    return [
      words[one.kind][0],
      <PlainText key="text" text={one.text} />,
      formatOffset(one.offset, size),
      formatCount(one.length),
    ]
  }
  return (
    <div className={classes['view']}>
      <div className={classes['tools']}>
        <Choice
          label="Kind of string"
          value={view.kind}
          onChange={(kind) => setView({ ...view, kind })}
          options={[
            { key: 'all', label: 'All', count: formatCount(all) },
            ...kinds.map((kind) => ({
              key: kind,
              label: words[kind][1],
              count: formatCount(strings.totals[kind]),
            })),
          ]}
        />
        <TextInput
          size="sm"
          type="search"
          className={classes['filter'] ?? ''}
          aria-label="Search the strings"
          placeholder="Part of a string"
          maxLength={100}
          leftSection={<IconSearch size={14} stroke={1.75} />}
          value={view.filter}
          onChange={(event) => setView({ ...view, filter: event.currentTarget.value })}
        />
        <RowCount matched={matched} all={all} what="string" arranging={arranging} error={error} />
      </div>
      <div className={`${classes['pane']} ${classes['strings']}`}>
        <VirtualTable
          label="Strings"
          columns={columns}
          widths="var(--inside-strings)"
          total={Math.min(matched ?? 0, mostRows)}
          cells={cells}
          view={JSON.stringify(asked)}
          onVisible={onVisible}
          onOpen={(index) => {
            const one = row(index)
            if (one !== null) onOpen(one)
          }}
        />
      </div>
    </div>
  )
}
