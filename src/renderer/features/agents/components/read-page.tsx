import type { ReactNode } from 'react'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { Counting } from './counting.tsx'
import classes from './read-page.module.css'
import { ReadState } from './read-state.tsx'
import { ViewHead } from './view-head.tsx'

interface Props {
  title: string
  /** What the page is about, where its title alone does not say it. */
  label?: string
  /** What is read: `the cost`. */
  what: string
  read: {
    data: { stamp: AgentStamp } | undefined
    error: unknown
    isPending: boolean
    refetch: () => unknown
  }
  /** Between the title and how old the answer is. */
  tools?: ReactNode
  children: ReactNode
}

/** A view that shows one answer: charts, figures and tables below each other. */
export function ReadPage({ title, label = title, what, read, tools, children }: Props) {
  const { data } = read
  return (
    <>
      <ViewHead title={title} stamp={data?.stamp ?? null}>
        {tools}
      </ViewHead>
      {/* It scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['page']} tabIndex={0} role="region" aria-label={label}>
        <ReadState what={what} read={read} rows={10} height={40} />
        {data !== undefined && <Counting stamp={data.stamp} />}
        {children}
      </div>
    </>
  )
}
