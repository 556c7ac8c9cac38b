import type { ReactNode } from 'react'
import { useTitle } from '../lib/app/use-title.ts'
import classes from './page-head.module.css'

interface Props {
  title: string
  /** The name of the area that the page belongs to. */
  area?: string
  /** Next to the title. */
  children?: ReactNode
}

/** The head of a page, which is also the title of the window. */
export function PageHead({ title, area, children }: Props) {
  useTitle(title, ...(area === undefined ? [] : [area]))
  return (
    <header className={classes['head']}>
      <h1>{title}</h1>
      {children}
    </header>
  )
}
