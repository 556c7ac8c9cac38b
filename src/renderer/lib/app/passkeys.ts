import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '../../../shared/contracts/desk-passkeys.ts'

/** Whether this browser can use passkeys. */
export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === 'function'

/**
 * Replaces what browsers say in English, and only to developers: `dismissed` if the person has closed the dialog or let it
 * time out, which browsers do not distinguish, and `exists` if there is a passkey already. Other errors stay.
 */
export function toPasskeyError(error: unknown, texts: { dismissed: string; exists?: string }): unknown {
  const name = error instanceof Error ? error.name : ''
  const sentence =
    name === 'NotAllowedError' || name === 'AbortError'
      ? texts.dismissed
      : name === 'InvalidStateError'
        ? texts.exists
        : undefined
  return sentence === undefined ? error : new Error(sentence, { cause: error })
}

/** Asks for a passkey. Rejects if the person closes the browser's dialog. */
export async function askForPasskey(optionsJSON: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { response, ...credential } = await startAuthentication({ optionsJSON })
  // Only discoverable passkeys are used, and these have a user handle.
  return { ...credential, response: { ...response, userHandle: response.userHandle ?? '' } }
}

/** Creates a passkey. Rejects if the person closes the browser's dialog, or already has one in the chosen place. */
export async function createPasskey(optionsJSON: PasskeyCreationOptions): Promise<PasskeyAttestation> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return startRegistration({ optionsJSON })
}
