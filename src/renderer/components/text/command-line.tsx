import { CopyIcon } from '../form/copy-button.tsx'
import classes from './command-line.module.css'

interface Props {
  command: string
  /** Completes "Copy …"; needed where there are several commands. */
  what?: string
}

/** A command to copy, on one selectable line. */
export function CommandLine({ command, what = 'the command' }: Props) {
  return (
    <div className={classes['line']}>
      <code>{command}</code>
      <CopyIcon text={command} what={what} />
    </div>
  )
}
