import { useState } from 'react'
import type { ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import { Facts } from '../../../components/facts.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { formatMemory, formatModuleFacts, formatStart } from '../changes/format-module-facts.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import { texts } from '../review.texts.ts'
import classes from './capabilities.module.css'

/** What the module does not import, and what it declares besides its imports. */
export function ModuleSummary({ module, notImported }: { module: ModuleFacts; notImported: string[] }) {
  const [open, setOpen] = useState(false)
  const parts = formatModuleFacts(module)
  return (
    <>
      <p className={classes['text']} data-text="hint">
        {notImported.length > 0 && (
          <>
            <b>{texts.capabilities.notImported}</b> {notImported.join(', ')}.
            <br />
          </>
        )}
        <b>{texts.capabilities.memory}</b> {formatMemory(module)}. {formatStart(module)}{' '}
        <PlainText text={parts.built} />{' '}
        <TextButton inline aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? texts.capabilities.less : texts.capabilities.more}
        </TextButton>
      </p>
      {open && (
        <div className={classes['facts']}>
          <Facts
            facts={[
              { label: texts.capabilities.tables, value: parts.tables },
              { label: texts.capabilities.names, value: parts.names },
              { label: texts.capabilities.customSections, value: <PlainText text={parts.customSections} /> },
              { label: texts.capabilities.targetFeatures, value: <PlainText text={parts.targetFeatures} /> },
            ]}
          />
        </div>
      )}
    </>
  )
}
