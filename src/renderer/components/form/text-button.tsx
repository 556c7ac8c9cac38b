import type { ComponentProps } from 'react'
import classes from './text-button.module.css'

/** A button that looks like a link. */
export function TextButton(button: ComponentProps<'button'>) {
  return <button type="button" className={classes['button']} {...button} />
}
