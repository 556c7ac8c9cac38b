import { IconPuzzle } from '@tabler/icons-react'
import type { AgentBroker, ProjectSkill } from '../../../../shared/contracts/desk-agents-tables.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { formatCount, plural } from '../../../lib/format.ts'
import { Utc } from '../components/utc.tsx'
import { cutText, orUnknown } from '../table/cells.tsx'
import type { DataColumn } from '../table/data-column.ts'
import { ListSection, ListTable } from '../table/list-section.tsx'

const columns: readonly DataColumn<ProjectSkill>[] = [
  { key: 'name', label: 'Skill', width: [110, 1], mono: true, cell: ({ name }) => name },
  { key: 'version', label: 'Version', width: 72, mono: true, cell: ({ version }) => orUnknown(version) },
  { key: 'source', label: 'Source', width: [72, 0.5], cell: ({ source }) => orUnknown(source) },
  { key: 'file', label: 'Module', width: [110, 1], mono: true, cell: ({ wasmPath }) => cutText(wasmPath) },
  {
    key: 'description',
    label: 'What it does',
    width: [140, 1.8],
    cell: ({ description }) => description !== null && cutText(description),
  },
  {
    key: 'routes',
    label: 'Routes',
    width: 72,
    numeric: true,
    cell: ({ routes }) => (routes === null ? orUnknown(routes) : formatCount(routes)),
  },
  {
    key: 'installed',
    label: 'Installed, UTC',
    width: 96,
    cell: ({ installedAt }) => <Utc at={installedAt} />,
  },
]

/** The skills that the broker can send work to, and how much it has sent in the time shown. */
export function SkillSection({ skills }: { skills: AgentBroker['skills'] }) {
  const total = skills.length
  return (
    <ListSection
      title="Skills"
      note={total > 0 && `${plural(total, 'skill')} of the project; routes in the time shown above`}
    >
      {total === 0 ? (
        <EmptyState icon={IconPuzzle} title="The project has no skills" />
      ) : (
        <ListTable
          label="Skills"
          rows={{ total, rowAt: (place) => skills[place], view: 'skills' }}
          columns={columns}
          most={8}
        />
      )}
    </ListSection>
  )
}
