import { useId, useState } from 'react'
import type { Capability } from '../../../../shared/capabilities.ts'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { callsOf } from '../../../../shared/capability-use.ts'
import type { Observed } from '../../../../shared/capability-use.ts'
import { texts } from '../review.texts.ts'
import classes from './capabilities.module.css'

const named = 3

interface Props {
  capability: Capability
  added: ReadonlySet<string>
  runs: readonly Observed[] | null
}

/** The imported functions behind a capability; expanded, each with how many times it was called. */
export function CapabilityFunctions({ capability: { label, functions }, added, runs }: Props) {
  const [open, setOpen] = useState(false)
  const list = useId()
  const short =
    functions.length <= named
      ? functions.join(', ')
      : texts.capabilities.functions(functions[0] ?? '', functions.length - 1)
  return (
    <>
      <button
        type="button"
        className={classes['functions']}
        data-mono
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
            // An entry of two functions together (`path_open with fd_write`) has no call count of its own.
            const calls = name.includes(' ') ? null : callsOf(name, runs)
            return (
              <li key={name}>
                <code>
                  <PlainText text={name} />
                </code>
                {added.has(name) && <b className={classes['new']}>{texts.capabilities.new}</b>}
                {calls !== null && (
                  <span>{calls === 0 ? texts.capabilities.notCalled : texts.capabilities.calls(calls)}</span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
