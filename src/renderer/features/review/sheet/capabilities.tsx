import { VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Capability } from '../../../../shared/capabilities.ts'
import { readCapabilities } from '../../../../shared/capabilities.ts'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { plural } from '../../../lib/format.ts'
import { whatItDid } from '../../../../shared/observed.ts'
import type { Observed } from '../../../../shared/observed.ts'
import { ModuleSummary } from './module-summary.tsx'
import { CapabilityFunctions } from './capability-functions.tsx'
import { capabilityIcons } from './capability-icons.ts'
import classes from './capabilities.module.css'
import { Section } from '../../../components/section.tsx'

interface Props {
  release: Pick<DeskRelease, 'module' | 'checks' | 'status'>
  /** What was seen of it here; null before any example ran. */
  runs: readonly Observed[] | null
}

/** What the module could do, by what it imports, beside what it was seen to do. */
export function Capabilities({ release: { module, checks }, runs }: Props) {
  if (module === null) {
    return (
      <Section id="can-do" title="What it can do" note="unknown">
        <p className={classes['text']}>
          This release was submitted before the imports were kept. Inspect the module to look at them.
        </p>
      </Section>
    )
  }
  const { could, never } = readCapabilities(module.imports)
  const growth = checks?.growth ?? null
  const grown = new Set(growth?.capabilities)
  const added = new Set(growth?.base === null ? [] : growth?.functions)
  return (
    <Section id="can-do" title="What it can do" note={plural(module.imports.length, 'import')}>
      {could.length === 0 ? (
        <p className={classes['text']}>It imports nothing: it can only compute.</p>
      ) : (
        <table className={classes['could']}>
          <thead>
            <tr>
              <th scope="col">
                <VisuallyHidden>what</VisuallyHidden>
              </th>
              <th scope="col">could</th>
              <th scope="col">did</th>
            </tr>
          </thead>
          <tbody>
            {could.map((capability) => (
              <Row
                key={capability.key}
                capability={capability}
                isNew={grown.has(capability.key)}
                added={added}
                runs={runs}
              />
            ))}
          </tbody>
        </table>
      )}
      <ModuleSummary module={module} never={never} />
    </Section>
  )
}

interface RowProps {
  capability: Capability
  isNew: boolean
  /** Functions that the approved version before it does not import. */
  added: ReadonlySet<string>
  runs: readonly Observed[] | null
}

function Row({ capability, isNew, added, runs }: RowProps) {
  const Icon = capabilityIcons[capability.key]
  const did = whatItDid(capability, runs)
  return (
    <tr data-new={isNew || undefined}>
      <th scope="row">
        <span className={classes['item']}>
          <Icon size={16} stroke={1.75} aria-hidden />
          <span>
            <span className={classes['label']}>
              {capability.label} {isNew && <b className={classes['new']}>new</b>}
            </span>
            <CapabilityFunctions capability={capability} added={added} runs={runs} />
          </span>
        </span>
      </th>
      <td>
        <IconCheck size={14} stroke={2} aria-label="yes" role="img" />
      </td>
      <td data-seen={did.seen || undefined} title={did.meaning}>
        {did.words}
      </td>
    </tr>
  )
}
