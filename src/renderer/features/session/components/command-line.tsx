import { CopyIcon } from '../../../components/copy-button.tsx'
import classes from './command-line.module.css'

/** A command to type, whole and selectable at once. */
export function CommandLine({ command }: { command: string }) {
  return (
    <div className={classes['line']}>
      <code>{command}</code>
      <CopyIcon text={command} what="the command" />
    </div>
  )
}
