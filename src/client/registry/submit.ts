import { setTimeout as wait } from 'node:timers/promises'
import type { OwnRelease } from '../../shared/contracts/desk-own.ts'
import { registrySubmissionSchema, releaseRoutes } from '../../shared/contracts/releases.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { mismatch } from './http-errors.ts'
import { findOwnRelease } from './own-releases.ts'
import { nameOf } from './registry.ts'
import type { Registry } from './registry.ts'
import { texts } from './registry.texts.ts'
import { interrupted } from '../to-client-error.ts'
import { submissionBody } from './submission-body.ts'
import type { Submission, SubmissionBody } from './submission-body.ts'

/** The user's release with that name and version, whatever its status, or null. */
export function findPublished(registry: Registry, { name, version }: Submission): Promise<OwnRelease | null> {
  return findOwnRelease(registry, (release) => release.name === name && release.version === version)
}

/**
 * Submits a release once. If the response is lost, looks for it among the user's releases. Throws if the registry
 * rejected it, if it did not arrive, or if that could not be determined.
 */
export async function submit(
  registry: Registry,
  submission: Submission,
  callbacks: { onProgress(done: number, total: number): void; onLost(error: ClientError): void },
): Promise<void> {
  const sending = submissionBody(submission, callbacks.onProgress)
  try {
    const { path } = releaseRoutes.submitRelease
    const taken = await registry.post(path, sending.body, registrySubmissionSchema)
    if (nameOf(taken) !== nameOf(submission) || taken.sha256 !== submission.sha256) {
      const { host } = registry.address
      throw mismatch(texts.response.otherSubmission(host, nameOf(taken)), 'OTHER_RELEASE')
    }
  } catch (error) {
    const { signal } = registry.options
    if (signal.aborted) throw notAnswered(signal, submission, sending)
    if (!(error instanceof ClientError) || !isLost(error)) throw error
    if (sending.bytesSent() < sending.body.length) throw notTaken(submission, sending, error)
    callbacks.onLost(error)
    await lookUp(registry, submission, sending, error)
  }
}

/** Whether the outcome is unknown: the connection failed, the server failed, or the response was unreadable. */
const isLost = ({ exitCode, code }: ClientError): boolean =>
  exitCode === exitCodes.unreachable || (exitCode === exitCodes.mismatch && code !== 'REDIRECT')

const maxLookups = 4

/** Returns if the release has arrived. Tries several times, because the registry may still be processing it. */
async function lookUp(
  registry: Registry,
  submission: Submission,
  sending: SubmissionBody,
  error: ClientError,
): Promise<void> {
  const { idleTimeoutMs, signal } = registry.options
  let isAnswered = false
  for (let lookup = 1; lookup <= maxLookups; lookup += 1) {
    try {
      if (lookup > 1) await wait(idleTimeoutMs / 10, undefined, { signal })
      const found = await findPublished(registry, submission)
      isAnswered = true
      if (found?.sha256 === submission.sha256) return
    } catch (lookupError) {
      if (signal.aborted) throw notAnswered(signal, submission, sending)
      if (!(lookupError instanceof ClientError)) throw lookupError
    }
  }
  throw notSeen(submission, error, isAnswered)
}

/** The registry discards an incomplete upload. */
function notTaken(submission: Submission, sending: SubmissionBody, error: ClientError): ClientError {
  const { exitCode, message, code, next, retryAfter } = error
  const text = texts.submission.incomplete(message, nameOf(submission), sending.bytesSent() > 0, next)
  return new ClientError(exitCode, text, { code, retryAfter, cause: error })
}

function notSeen(submission: Submission, error: ClientError, isAnswered: boolean): ClientError {
  const text = texts.submission.notSeen(error.message, nameOf(submission), isAnswered)
  const { exitCode, retryAfter } = error
  return new ClientError(exitCode, text, { code: 'ANSWER_LOST', retryAfter, cause: error })
}

function notAnswered(signal: AbortSignal, submission: Submission, sending: SubmissionBody): ClientError {
  const release = nameOf(submission)
  const sent = sending.bytesSent()
  const text =
    sent === sending.body.length
      ? texts.submission.interruptedAfter(release)
      : texts.submission.interrupted(release, sent > 0)
  return interrupted(signal, text)
}
