import { keycap } from '../../lib/keys/chords.ts'
import { isMac } from '../../lib/app/platform.ts'
import classes from './keycap.module.css'

/** The keys of a shortcut. `quiet` hides it from screen readers where the shortcut is named elsewhere. */
export function Keycap({ keys, quiet = false }: { keys: string; quiet?: boolean }) {
  return (
    <kbd className={classes['cap']} aria-hidden={quiet}>
      {keycap(keys, isMac)}
    </kbd>
  )
}
