import { keycap } from '../../lib/keys/keys.ts'
import { isMac } from '../../lib/app/platform.ts'
import classes from './keycap.module.css'

/** The keys of a binding; read aloud only where it stands alone. */
export function Keycap({ keys, quiet = false }: { keys: string; quiet?: boolean }) {
  return (
    <kbd className={classes['cap']} aria-hidden={quiet}>
      {keycap(keys, isMac)}
    </kbd>
  )
}
