import { IconTerminal2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readUserCode } from '../../../shared/user-code.ts'
import { Notice } from '../../components/feedback/notice.tsx'
import { canUsePasskeys } from '../../lib/app/passkeys.ts'
import { isRemote } from '../../lib/app/remote.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { NewSetupLink } from './components/new-setup-link.tsx'
import { CommandLine } from '../../components/text/command-line.tsx'
import { EntryFrame } from './components/entry-frame.tsx'
import { SignInWays } from './components/sign-in-ways.tsx'
import { savePendingConfirmation, useFragment } from './pending-confirmation.ts'
import { deskStateQuery } from './session.api.ts'
import { texts } from './session.texts.ts'
import classes from './signed-out-page.module.css'

const { signedOut, noAdministrator } = texts

/** Shown without a session and a sign-in link. `code` is that of a terminal waiting for confirmation. */
export function SignedOutPage({ code = null }: { code?: string | null }) {
  useTitle(signedOut.pageTitle)
  const state = useQuery(deskStateQuery).data
  const passkeys = state?.passkeys === true && canUsePasskeys()
  const providers = state?.providers ?? []
  const hasWays = passkeys || providers.length > 0
  return (
    <EntryFrame title={signedOut.title} lead={hasWays ? signedOut.choose : signedOut.lead}>
      {hasWays && <SignInWays passkeys={passkeys} providers={providers} />}
      {isRemote ? (
        <p>{hasWays ? signedOut.otherwise : signedOut.remote}</p>
      ) : (
        <>
          <p>{signedOut.command}</p>
          <CommandLine command="skilldock desk" />
          <p>{signedOut.people}</p>
        </>
      )}
      {code !== null && (
        <div className={classes['waiting']}>
          <Notice tone="note" icon={IconTerminal2} title={signedOut.waiting.title}>
            <p>
              {signedOut.waiting.text[0]}
              <code>{code}</code>
              {signedOut.waiting.text[1]}
            </p>
          </Notice>
        </div>
      )}
    </EntryFrame>
  )
}

/** The confirmation page without a session: the person signs in first and is then returned to it. */
export function ConfirmSignedOut() {
  const code = readUserCode(useFragment())
  useEffect(() => {
    if (code !== null) savePendingConfirmation(code)
  }, [code])
  return <SignedOutPage code={code} />
}

/** Shown before the setup to a visitor without the setup link. */
export function NoAdministratorPage() {
  useTitle(noAdministrator.pageTitle)
  return (
    <EntryFrame title={noAdministrator.title} lead={noAdministrator.lead}>
      <NewSetupLink hint={noAdministrator.command} />
    </EntryFrame>
  )
}
