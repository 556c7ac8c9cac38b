import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import { inDesk } from '../view-address.ts'
import classes from './cells.module.css'

/** Leads to an agent. In a row that Enter opens it is no stop of its own: `tabIndex` -1. */
export function AgentLink({ name, tabIndex }: { name: string; tabIndex?: -1 }) {
  return (
    <Link
      href={inDesk(agentPlaces.agent(name))}
      className={classes['agent']}
      title={name}
      {...(tabIndex === undefined ? {} : { tabIndex })}
    >
      {name}
    </Link>
  )
}

export function Quiet({ children }: { children: ReactNode }) {
  return <span className={classes['quiet']}>{children}</span>
}

/** Several things in one cell. */
export function Inline({ children }: { children: ReactNode }) {
  return <span className={classes['inline']}>{children}</span>
}

export function orUnknown(value: ReactNode): ReactNode {
  return value ?? <Quiet>unknown</Quiet>
}

/** Text that may be cut; all of it on a closer look. */
export function cutText(text: string | null): ReactNode {
  return text === null ? orUnknown(null) : <span title={text}>{text}</span>
}
