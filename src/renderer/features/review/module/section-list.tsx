import { PlainText } from '../../../components/text/plain-text.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import type { Column } from '../../../components/list/data-column.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatOffset, formatShare } from './offsets.ts'
import type { OpenModule } from './open-module.ts'
import { texts } from './module-views.texts.ts'
import classes from './module-viewer.module.css'

const columns: Column[] = [
  { key: 'id', label: texts.sections.id, numeric: true },
  { key: 'name', label: texts.sections.name },
  { key: 'offset', label: texts.sections.offset, numeric: true, mono: true },
  { key: 'size', label: texts.sections.bytes, numeric: true },
  { key: 'share', label: texts.sections.share, numeric: true },
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
  const cells = (index: number) => {
    const section = sections[index]
    if (section === undefined) return null
    return [
      section.id,
      <PlainText key="name" text={section.id === 0 ? texts.sections.custom(section.name) : section.name} />,
      formatOffset(section.offset, size),
      formatCount(section.size),
      formatShare(section.size, size),
    ]
  }
  return (
    <div className={classes['view']}>
      <div className={`${classes['pane']} ${classes['functions']}`}>
        <VirtualTable
          label={texts.sections.label}
          columns={columns}
          widths="var(--inside-functions)"
          total={sections.length}
          cells={cells}
          view="sections"
          onOpen={(index) => {
            const section = sections[index]
            if (section !== undefined) onOpen({ offset: section.offset, length: 1 })
          }}
        />
      </div>
    </div>
  )
}
