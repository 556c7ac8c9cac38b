import { useEffect } from 'react'
import { readUserCode } from '../../../shared/user-code.ts'
import { savePendingConfirmation, useFragment } from './pending-confirmation.ts'
import { SignedOutPage } from './signed-out-page.tsx'

/** The confirmation page without a session: the person signs in first and is then returned to it. */
export function ConfirmSignedOut() {
  const code = readUserCode(useFragment())
  useEffect(() => {
    if (code !== null) savePendingConfirmation(code)
  }, [code])
  if (code === null) return <SignedOutPage />
  return <SignedOutPage code={code} />
}
