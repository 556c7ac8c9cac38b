import { VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Capability } from '../../../../shared/capabilities.ts'
import { readCapabilities } from '../../../../shared/capabilities.ts'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import { capabilityUse } from '../../../../shared/capability-use.ts'
import type { Observed } from '../../../../shared/capability-use.ts'
import { ModuleSummary } from './module-summary.tsx'
import { CapabilityFunctions } from './capability-functions.tsx'
import { capabilityIcons } from './capability-icons.ts'
import { texts } from '../review.texts.ts'
import classes from './capabilities.module.css'
import { Section } from '../../../components/section.tsx'

interface Props {
  release: Pick<DeskRelease, 'module' | 'checks' | 'status'>
  /** The test runs in this browser; null before any example ran. */
  runs: readonly Observed[] | null
}

/** What the module can do, judging by its imports, next to what it did in the test runs. */
export function Capabilities({ release: { module, checks }, runs }: Props) {
  if (module === null) {
    return (
      <Section id="can-do" title={texts.capabilities.title} note={texts.capabilities.unknown}>
        <p className={classes['text']} data-text="hint">
          {texts.capabilities.notRecorded}
        </p>
      </Section>
    )
  }
  const { imported, notImported } = readCapabilities(module.imports)
  const growth = checks?.growth ?? null
  const newCapabilities = new Set(growth?.capabilities)
  const added = new Set(growth?.base === null ? [] : growth?.functions)
  return (
    <Section
      id="can-do"
      title={texts.capabilities.title}
      note={texts.capabilities.imports(module.imports.length)}
    >
      {imported.length === 0 ? (
        <p className={classes['text']} data-text="hint">
          {texts.capabilities.noImports}
        </p>
      ) : (
        <table className={classes['table']}>
          <thead>
            <tr>
              <th scope="col">
                <VisuallyHidden>{texts.capabilities.column}</VisuallyHidden>
              </th>
              <th scope="col">{texts.capabilities.imported}</th>
              <th scope="col">{texts.capabilities.called}</th>
            </tr>
          </thead>
          <tbody>
            {imported.map((capability) => (
              <Row
                key={capability.key}
                capability={capability}
                isNew={newCapabilities.has(capability.key)}
                added={added}
                runs={runs}
              />
            ))}
          </tbody>
        </table>
      )}
      <ModuleSummary module={module} notImported={notImported} />
    </Section>
  )
}

interface RowProps {
  capability: Capability
  isNew: boolean
  /** Functions that the previous approved release does not import. */
  added: ReadonlySet<string>
  runs: readonly Observed[] | null
}

function Row({ capability, isNew, added, runs }: RowProps) {
  const Icon = capabilityIcons[capability.key]
  const called = capabilityUse(capability, runs)
  return (
    <tr data-new={isNew || undefined}>
      <th scope="row">
        <span className={classes['item']}>
          <Icon size={16} stroke={1.75} aria-hidden />
          <span>
            <span className={classes['label']}>
              {capability.label} {isNew && <b className={classes['new']}>{texts.capabilities.new}</b>}
            </span>
            <CapabilityFunctions capability={capability} added={added} runs={runs} />
          </span>
        </span>
      </th>
      <td>
        <IconCheck size={14} stroke={2} aria-label={texts.capabilities.yes} role="img" />
      </td>
      <td data-seen={called.seen || undefined} title={called.meaning}>
        {called.label}
      </td>
    </tr>
  )
}
