import type { OwnRelease } from '../../shared/contracts/desk-own.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'

export interface Waiting {
  /** Asks the registry. */
  look(): Promise<OwnRelease>
  pause(ms: number): Promise<void>
  /** Milliseconds on a clock that only goes forward. */
  now(): number
  /** On that clock; it is looked once more just then. */
  deadline: number
  /** Told what was seen each time that it is still pending. */
  onPending(release: OwnRelease): void
  /** Told why the registry could not be asked this time; it is asked again later. */
  onTrouble(error: ClientError): void
}

const firstPauseMs = 15_000
const longestPauseMs = 60_000

/**
 * Looks every 15 s, then less and less often, until the release is decided or time is up; the release as it was seen
 * last. A registry that is away for a while is waited for.
 */
export async function untilDecided(first: OwnRelease, waiting: Waiting): Promise<OwnRelease> {
  let seen = first
  let pause = firstPauseMs
  while (seen.status === 'pending') {
    const left = waiting.deadline - waiting.now()
    if (left <= 0) break
    // oxlint-disable-next-line no-await-in-loop
    await waiting.pause(Math.min(pause, left))
    pause = Math.min(pause * 1.5, longestPauseMs)
    try {
      // oxlint-disable-next-line no-await-in-loop
      seen = await waiting.look()
      if (seen.status === 'pending') waiting.onPending(seen)
    } catch (error) {
      if (!isPassing(error)) throw error
      waiting.onTrouble(error)
      pause = Math.min(Math.max(pause, (error.retryAfter ?? 0) * 1000), longestPauseMs)
    }
  }
  return seen
}

const isPassing = (error: unknown): error is ClientError =>
  error instanceof ClientError && (error.exitCode === exitCodes.unreachable || error.retryAfter !== null)
