import type { ReactNode, Ref } from 'react'
import { Mark } from '../../../components/list/mark.tsx'
import classes from './entry-frame.module.css'

/** The pages in front of the desk: what to do at the left, what it means at the right. */
export function EntryFrame({
  heading,
  title,
  lead,
  children,
  aside,
}: {
  /** Where the focus goes when the page has become another one. */
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
            <Mark />
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
