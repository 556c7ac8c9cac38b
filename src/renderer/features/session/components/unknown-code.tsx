import { useTitle } from '../../../lib/app/use-title.ts'
import { CodeField } from './code-field.tsx'
import { CommandLine } from '../../../components/text/command-line.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { ToDesk } from './login-outcome.tsx'

/** Too late, already forgotten, or never given out. */
export function UnknownCode() {
  useTitle('Confirm a terminal')
  return (
    <EntryFrame
      title="This code is not known"
      lead="A code counts for ten minutes, and a restart of Skilldock forgets it."
    >
      <p>This command shows a new one in your terminal:</p>
      <CommandLine command="skill login" />
      <CodeField />
      <ToDesk />
    </EntryFrame>
  )
}
