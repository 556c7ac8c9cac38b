import { IconTerminal2 } from '@tabler/icons-react'
import { Notice } from '../../components/feedback/notice.tsx'
import { useTitle } from '../../lib/app/use-title.ts'
import { AskForLink } from './components/ask-for-link.tsx'
import { CommandLine } from '../../components/text/command-line.tsx'
import { EntryFrame } from './components/entry-frame.tsx'
import classes from './signed-out-page.module.css'

/** Nobody is signed in and there is no code. `code`: that of a terminal, to be confirmed. */
export function SignedOutPage({ code }: { code?: string }) {
  useTitle('Signed out')
  return (
    <EntryFrame
      title="You are signed out"
      lead="A sign-in link opens the desk. It works once, within five minutes."
    >
      <p>On the computer that Skilldock runs on, this command prints one:</p>
      <CommandLine command="skilldock desk" />
      <p>Somebody who administers this registry can also make one for you in People.</p>
      {code !== undefined && (
        <div className={classes['waiting']}>
          <Notice tone="note" icon={IconTerminal2} title="A terminal waits for your answer">
            <p>
              Its code <code>{code}</code> is here again as soon as you have signed in with this browser.
            </p>
          </Notice>
        </div>
      )}
    </EntryFrame>
  )
}

/** The very first visit, without the link that makes the first administrator. */
export function NoAdministratorPage() {
  useTitle('Set up')
  return (
    <EntryFrame
      title="Nobody administers this registry yet"
      lead="The first administrator is made with a link, so that it is somebody of this computer."
    >
      <AskForLink words="On the computer that Skilldock runs on, this command prints it:" />
    </EntryFrame>
  )
}
