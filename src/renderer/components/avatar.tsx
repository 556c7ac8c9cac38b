import { initials } from '../lib/format.ts'
import classes from './avatar.module.css'

/** Initials in a circle. Hidden from screen readers: the name is always next to it or its label. */
export function Avatar({ name, size = 20 }: { name: string; size?: 20 | 24 | 28 | 40 }) {
  return (
    <span className={classes['avatar']} data-size={size} aria-hidden>
      {initials(name)}
    </span>
  )
}
