import { useState } from 'react'
import type { ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import { Facts } from '../../../components/facts.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { memoryWords, moduleWords, startWords } from '../changes/module-words.ts'
import classes from './capabilities.module.css'

/** What it has not asked for, and what it declares beside its imports. */
export function ModuleSummary({ module, never }: { module: ModuleFacts; never: string[] }) {
  const [open, setOpen] = useState(false)
  const words = moduleWords(module)
  return (
    <>
      <p className={classes['text']}>
        {never.length > 0 && (
          <>
            <b>Never asked for:</b> {never.join(', ')}.
            <br />
          </>
        )}
        <b>Memory</b> {memoryWords(module)}. {startWords(module)} <PlainText text={words.built} />{' '}
        <button type="button" className={classes['more']} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Less' : 'Tables, names, sections, features'}
        </button>
      </p>
      {open && (
        <div className={classes['facts']}>
          <Facts
            facts={[
              { label: 'tables', value: words.tables },
              { label: 'names', value: words.names },
              { label: 'custom sections', value: <PlainText text={words.customSections} /> },
              { label: 'target features', value: <PlainText text={words.targetFeatures} /> },
            ]}
          />
        </div>
      )}
    </>
  )
}
