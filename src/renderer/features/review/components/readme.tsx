import { renderMarkdown } from '../../../lib/markdown.ts'
import classes from './readme.module.css'

/** A readme as it reads. What it is made of has gone through an allow list of plain elements. */
export function Readme({ source }: { source: string }) {
  return <div className={classes['readme']} dangerouslySetInnerHTML={{ __html: renderMarkdown(source) }} />
}
