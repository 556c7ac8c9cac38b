import type { ReactNode } from 'react'
import { Link } from 'wouter'
import classes from './list-row.module.css'

interface Props {
  id: number
  href: string
  selected: boolean
  /** Whether it needs no further action. */
  quiet: boolean
  name: ReactNode
  /** Whether the name is an identifier, set in monospace. */
  mono?: boolean
  when: { at: string; text: string }
  by: ReactNode
  badges?: ReactNode
}

/** A row of a list in two lines: name and time, publisher and status. */
export function ListRow({ id, href, selected, quiet, name, mono = false, when, by, badges }: Props) {
  return (
    <Link
      href={href}
      className={classes['row']}
      data-row={id}
      data-ring="inside"
      data-quiet={quiet || undefined}
      aria-current={selected ? 'true' : undefined}
    >
      <span className={classes['line']}>
        <span className={classes['name']} data-mono={mono || undefined}>
          {name}
        </span>
        <time dateTime={when.at} title={when.at}>
          {when.text}
        </time>
      </span>
      <span className={classes['line']}>
        <span className={classes['by']}>{by}</span>
        <span className={classes['signs']}>{badges}</span>
      </span>
    </Link>
  )
}
