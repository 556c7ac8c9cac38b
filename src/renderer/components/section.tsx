import type { ReactNode } from 'react'
import { ErrorBoundary } from './feedback/error-boundary.tsx'
import classes from './section.module.css'

/** A section that shortcuts and the section links can jump to. `note` is to the right of the title. */
export function Section({
  id,
  title,
  beside,
  note,
  children,
}: {
  id?: string
  title: string
  /** Right after the title. */
  beside?: ReactNode
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <section id={id} className={classes['section']} tabIndex={-1} aria-label={title}>
      <header className={classes['title']}>
        <h2>{title}</h2>
        {beside !== undefined && <div className={classes['beside']}>{beside}</div>}
        {Boolean(note) && <span>{note}</span>}
      </header>
      <ErrorBoundary what={title}>{children}</ErrorBoundary>
    </section>
  )
}
