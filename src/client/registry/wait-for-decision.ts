import type { OwnRelease } from '../../shared/contracts/desk-own.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'

interface Waiting {
  fetchRelease(): Promise<OwnRelease>
  pause(ms: number): Promise<void>
  /** Milliseconds on a monotonic clock. */
  now(): number
  /** On that clock. The release is fetched one last time then. */
  deadline: number
  /** Called each time the release is still pending. */
  onPending(release: OwnRelease): void
  /** Called if a request failed and will be repeated. */
  onError(error: ClientError): void
}

const firstPauseMs = 15_000
const longestPauseMs = 60_000

/**
 * Polls every 15 s at first, then less often, until the release is decided or the time is up. Resolves to the last
 * known state of the release. Retries if the registry is temporarily unreachable.
 */
export async function waitForDecision(first: OwnRelease, waiting: Waiting): Promise<OwnRelease> {
  let seen = first
  let pause = firstPauseMs
  while (seen.status === 'pending') {
    const left = waiting.deadline - waiting.now()
    if (left <= 0) break
    await waiting.pause(Math.min(pause, left))
    pause = Math.min(pause * 1.5, longestPauseMs)
    try {
      seen = await waiting.fetchRelease()
      if (seen.status === 'pending') waiting.onPending(seen)
    } catch (error) {
      if (!isTemporary(error)) throw error
      waiting.onError(error)
      pause = Math.min(Math.max(pause, (error.retryAfter ?? 0) * 1000), longestPauseMs)
    }
  }
  return seen
}

const isTemporary = (error: unknown): error is ClientError =>
  error instanceof ClientError && (error.exitCode === exitCodes.unreachable || error.retryAfter !== null)
