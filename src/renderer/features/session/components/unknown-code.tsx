import { useTitle } from '../../../lib/app/use-title.ts'
import { CodeField } from './code-field.tsx'
import { CommandLine } from '../../../components/text/command-line.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { ToDesk } from './login-outcome.tsx'
import { texts } from '../session.texts.ts'

/** Shown for a code that has expired, was forgotten by a restart, or never existed. */
export function UnknownCode() {
  useTitle(texts.confirm.title)
  return (
    <EntryFrame title={texts.confirm.unknown.title} lead={texts.confirm.unknown.lead}>
      <p>{texts.confirm.unknown.command}</p>
      <CommandLine command="skill login" />
      <CodeField />
      <ToDesk />
    </EntryFrame>
  )
}
