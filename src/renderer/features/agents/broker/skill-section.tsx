import { IconPuzzle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AgentBroker } from '../../../../shared/contracts/desk-agents-tables.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import { formatCount, plural } from '../../../lib/format.ts'
import { ListBox } from '../components/list-box.tsx'
import classes from '../components/list-section.module.css'
import { Utc } from '../components/utc.tsx'

const columns = [
  { key: 'name', label: 'Skill', mono: true },
  { key: 'version', label: 'Version', mono: true },
  { key: 'source', label: 'Source' },
  { key: 'file', label: 'Module', mono: true },
  { key: 'description', label: 'What it does' },
  { key: 'routes', label: 'Routes', numeric: true },
  { key: 'installed', label: 'Installed, UTC' },
]
const widths = 'minmax(110px, 1fr) 72px minmax(72px, 0.5fr) minmax(110px, 1fr) minmax(140px, 1.8fr) 72px 96px'

/** The skills that the broker can send work to, and how much it has sent in the time shown. */
export function SkillSection({ skills }: { skills: AgentBroker['skills'] }) {
  const cells = (place: number): readonly ReactNode[] | null => {
    const skill = skills[place]
    if (skill === undefined) return null
    return [
      skill.name,
      skill.version ?? 'unknown',
      skill.source ?? 'unknown',
      <span key="file" title={skill.wasmPath ?? undefined}>
        {skill.wasmPath ?? 'unknown'}
      </span>,
      <span key="description" title={skill.description ?? undefined}>
        {skill.description ?? ''}
      </span>,
      skill.routes === null ? 'unknown' : formatCount(skill.routes),
      <Utc key="installed" at={skill.installedAt} />,
    ]
  }
  return (
    <section className={classes['section']} aria-label="Skills">
      <header className={classes['head']}>
        <h2>Skills</h2>
        {skills.length > 0 && (
          <span className={classes['note']}>
            {plural(skills.length, 'skill')} of the project; routes in the time shown above
          </span>
        )}
      </header>
      {skills.length === 0 ? (
        <EmptyState icon={IconPuzzle} title="The project has no skills" />
      ) : (
        <ListBox rows={skills.length} most={8}>
          <VirtualTable
            label="Skills"
            columns={columns}
            widths={widths}
            total={skills.length}
            cells={cells}
            view="skills"
          />
        </ListBox>
      )}
    </section>
  )
}
