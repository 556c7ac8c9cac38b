import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '../../../shared/contracts/desk-passkeys.ts'

/** Whether this browser can use passkeys. */
export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === 'function'

/** Whether a person has closed the browser's dialog, or let it time out. Browsers don't tell the difference. */
export const isDismissed = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')

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
