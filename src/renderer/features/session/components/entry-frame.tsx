import type { ReactNode, Ref } from 'react'
import { Logo } from '../../../components/logo.tsx'
import classes from './entry-frame.module.css'

/** The frame of the pages before the desk: the task on the left, explanations on the right. */
export function EntryFrame({
  heading,
  title,
  lead,
  children,
  aside,
}: {
  /** Receives the focus when the page's content is replaced. */
  heading?: Ref<HTMLHeadingElement>
  title: ReactNode
  lead: ReactNode
  children?: ReactNode
  aside?: ReactNode
}) {
  return (
    <div className={classes['frame']} data-aside={aside !== undefined || undefined}>
      <main className={classes['main']}>
        <div className={classes['column']}>
          <p className={classes['mark']}>
            <Logo />
            Skilldock
          </p>
          <h1 ref={heading} tabIndex={heading === undefined ? undefined : -1}>
            {title}
          </h1>
          <p className={classes['lead']}>{lead}</p>
          {children}
        </div>
      </main>
      {aside !== undefined && <aside className={classes['aside']}>{aside}</aside>}
    </div>
  )
}
