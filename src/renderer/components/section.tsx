import type { ReactNode, Ref } from 'react'
import { ErrorBoundary } from './feedback/error-boundary.tsx'
import classes from './section.module.css'

interface Props {
  ref?: Ref<HTMLElement>
  id?: string
  title: string
  /** The name of the section's region, if the title alone is not clear. */
  label?: string
  /** Right after the title. */
  beside?: ReactNode
  note?: ReactNode
  children: ReactNode
}

/** A section that shortcuts and the section links can jump to. `note` is to the right of the title. */
export function Section({ ref, id, title, label = title, beside, note, children }: Props) {
  return (
    <section ref={ref} id={id} className={classes['section']} tabIndex={-1} aria-label={label}>
      <header className={classes['title']}>
        <h2>{title}</h2>
        {beside !== undefined && <div className={classes['beside']}>{beside}</div>}
        {Boolean(note) && <div className={classes['note']}>{note}</div>}
      </header>
      <ErrorBoundary what={title}>{children}</ErrorBoundary>
    </section>
  )
}
