import { CopyIcon } from '../form/copy-button.tsx'
import classes from './command-line.module.css'

interface Props {
  command: string
  /** What the button copies, where there are several of them. */
  what?: string
}

/** A command to type, whole and selectable at once. */
export function CommandLine({ command, what = 'the command' }: Props) {
  return (
    <div className={classes['line']}>
      <code>{command}</code>
      <CopyIcon text={command} what={what} />
    </div>
  )
}
