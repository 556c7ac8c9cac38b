import type { ComponentProps } from 'react'
import classes from './text-button.module.css'

/** A button that looks like a link, on a line of its own or within a text. */
export function TextButton({ inline = false, ...button }: ComponentProps<'button'> & { inline?: boolean }) {
  return <button type="button" className={classes['button']} data-inline={inline || undefined} {...button} />
}
