import { Fragment } from 'react'
import type { ReactNode } from 'react'
import classes from './facts.module.css'

export interface Fact {
  label: string
  value: ReactNode
  /** For links that lead to this value. */
  id?: string
}

/** A list of labels and values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes['facts']}>
      {facts.map(({ label, value, id }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd id={id} tabIndex={id === undefined ? undefined : -1}>
            {value}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}
