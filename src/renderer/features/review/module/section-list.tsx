import type { ModuleSection } from '../../../../shared/wasm/module-summary.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { allRows, DataTable } from '../../../components/list/data-table.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatOffset, formatShare } from './offsets.ts'
import type { OpenModule } from './open-module.ts'
import { texts } from './module-views.texts.ts'
import classes from './module-viewer.module.css'

const columnsFor = (size: number): readonly DataColumn<ModuleSection>[] => [
  { label: texts.sections.id, numeric: true, cell: 'id' },
  {
    label: texts.sections.name,
    cell: ({ id, name }) => <PlainText text={id === 0 ? texts.sections.custom(name) : name} />,
  },
  {
    label: texts.sections.offset,
    numeric: true,
    mono: true,
    cell: ({ offset }) => formatOffset(offset, size),
  },
  { label: texts.sections.bytes, numeric: true, cell: (section) => formatCount(section.size) },
  { label: texts.sections.share, numeric: true, cell: (section) => formatShare(section.size, size) },
]

/** The sections of the module in file order; opening one shows its first bytes. */
export function SectionList({
  module,
  onOpen,
}: {
  module: OpenModule
  onOpen: (range: { offset: number; length: number }) => void
}) {
  const { sections, size } = module.outline
  return (
    <div className={classes['view']}>
      <div className={`${classes['pane']} ${classes['functions']}`}>
        <DataTable
          label={texts.sections.label}
          rows={allRows(sections, 'sections')}
          columns={columnsFor(size)}
          widths="var(--inside-functions)"
          onOpen={({ offset }) => onOpen({ offset, length: 1 })}
        />
      </div>
    </div>
  )
}
