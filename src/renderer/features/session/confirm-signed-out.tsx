import { useEffect } from 'react'
import { readUserCode } from '../../../shared/user-code.ts'
import { keepConfirmPlace, useFragment } from './confirm-place.ts'
import { SignedOutPage } from './signed-out-page.tsx'

/** Whoever is to confirm a terminal signs in first, and comes back to it. */
export function ConfirmSignedOut() {
  const code = readUserCode(useFragment())
  useEffect(() => {
    if (code !== null) keepConfirmPlace(code)
  }, [code])
  if (code === null) return <SignedOutPage />
  return <SignedOutPage code={code} />
}
