import { useId, useState } from 'react'
import type { Capability } from '../../../../shared/capabilities.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { plural } from '../../../lib/format.ts'
import { callsOf } from '../../../../shared/observed.ts'
import type { Observed } from '../../../../shared/observed.ts'
import classes from './capabilities.module.css'

const named = 3

interface Props {
  capability: Capability
  added: ReadonlySet<string>
  runs: readonly Observed[] | null
}

/** The functions that make something possible; one click shows each with how often it was called. */
export function CapabilityFunctions({ capability: { label, functions }, added, runs }: Props) {
  const [open, setOpen] = useState(false)
  const list = useId()
  const short =
    functions.length <= named ? functions.join(', ') : `${functions[0]} and ${functions.length - 1} more`
  return (
    <>
      <button
        type="button"
        className={classes['functions']}
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        aria-label={`${label}: ${short}`}
        onClick={() => setOpen(!open)}
      >
        <PlainText text={short} />
      </button>
      {open && (
        <ul id={list} className={classes['calls']}>
          {functions.map((name) => {
            // What is no function but two together has no calls of its own.
            const calls = name.includes(' ') ? null : callsOf(name, runs)
            return (
              <li key={name}>
                <code>
                  <PlainText text={name} />
                </code>
                {added.has(name) && <b className={classes['new']}>new</b>}
                {calls !== null && <span>{calls === 0 ? 'not called' : plural(calls, 'call')}</span>}
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
