import { useRef } from 'react'
import type { KeyboardEvent } from 'react'
import classes from '../list/field-segments.module.css'

interface Option<Key extends string> {
  key: Key
  label: string
  count?: string | undefined
}

interface Props<Key extends string> {
  label: string
  options: readonly Option<Key>[]
  value: Key
  onChange: (key: Key) => void
  /** The ids of the elements that explain it. */
  describedBy?: string
  /** The id of the panel that the tabs control; without one it is a radio group. */
  panel?: string
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** A segmented control, operated with the mouse or the arrow keys. */
export function Choice<Key extends string>({
  label,
  options,
  value,
  onChange,
  describedBy,
  panel,
}: Props<Key>) {
  const group = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const at = options.findIndex(({ key }) => key === value)
    const next = (at + step + options.length) % options.length
    const option = options[next]
    if (option === undefined) return
    onChange(option.key)
    group.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div
      ref={group}
      className={classes['segmented']}
      role={panel === undefined ? 'radiogroup' : 'tablist'}
      aria-label={label}
      aria-describedby={describedBy}
    >
      {options.map(({ key, label: text, count }) => {
        const chosen = key === value
        return (
          <button
            key={key}
            type="button"
            data-ring="inside"
            tabIndex={chosen ? 0 : -1}
            onClick={() => onChange(key)}
            onKeyDown={move}
            {...(panel === undefined
              ? { role: 'radio', 'aria-checked': chosen }
              : { role: 'tab', 'aria-selected': chosen, 'aria-controls': panel })}
          >
            {text}
            {count !== undefined && <b>{count}</b>}
          </button>
        )
      })}
    </div>
  )
}
