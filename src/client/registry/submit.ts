import { setTimeout as wait } from 'node:timers/promises'
import type { OwnRelease } from '../../shared/contracts/desk-own.ts'
import { registrySubmissionSchema, releaseRoutes } from '../../shared/contracts/releases.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { mismatch } from './http-troubles.ts'
import { findOwnRelease } from './own-releases.ts'
import { nameOf } from './registry.ts'
import type { Registry } from './registry.ts'
import { submissionBody } from './submission-body.ts'
import type { Submission, SubmissionBody } from './submission-body.ts'

/** The own release of that name and version, whatever its state; null where there is none. */
export function findPublished(registry: Registry, { name, version }: Submission): Promise<OwnRelease | null> {
  return findOwnRelease(registry, (release) => release.name === name && release.version === version)
}

/**
 * Sends a release, once. An answer that is lost is looked up in the list of the own releases. Throws where the registry
 * has refused it, or where it is not there or not known to be there; the error says which.
 */
export async function submit(
  registry: Registry,
  submission: Submission,
  tell: { onProgress(done: number, whole: number): void; onLost(error: ClientError): void },
): Promise<void> {
  const sending = submissionBody(submission, tell.onProgress)
  try {
    const { path } = releaseRoutes.submitRelease
    const taken = await registry.post(path, sending.body, registrySubmissionSchema)
    if (nameOf(taken) !== nameOf(submission) || taken.sha256 !== submission.sha256) {
      throw mismatch(`${registry.address.host} says that it took ${nameOf(taken)}.`, 'OTHER_RELEASE')
    }
  } catch (error) {
    if (registry.options.signal.aborted) throw interrupted(submission, sending)
    if (!(error instanceof ClientError) || !isLost(error)) throw error
    if (sending.handedOn() < sending.body.length) throw notTaken(submission, sending, error)
    tell.onLost(error)
    await lookUp(registry, submission, sending, error)
  }
}

/** A refusal is an answer; what the registry said of itself or what nobody can read is none. */
const isLost = ({ exitCode, code }: ClientError): boolean =>
  exitCode === exitCodes.unreachable || (exitCode === exitCodes.mismatch && code !== 'REDIRECT')

const looks = 4

/** Comes back where the release has arrived. It may still be read while it is asked for, so it is asked for again. */
async function lookUp(
  registry: Registry,
  submission: Submission,
  sending: SubmissionBody,
  error: ClientError,
): Promise<void> {
  const { silenceMs, signal } = registry.options
  let isAnswered = false
  for (let look = 1; look <= looks; look += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop
      if (look > 1) await wait(silenceMs / 10, undefined, { signal })
      // oxlint-disable-next-line no-await-in-loop
      const found = await findPublished(registry, submission)
      isAnswered = true
      if (found?.sha256 === submission.sha256) return
    } catch (trouble) {
      if (signal.aborted) throw interrupted(submission, sending)
      if (!(trouble instanceof ClientError)) throw trouble
    }
  }
  throw notSeen(submission, error, isAnswered)
}

/** The registry takes nothing of a body that is not whole. */
function notTaken(submission: Submission, sending: SubmissionBody, error: ClientError): ClientError {
  const part = sending.handedOn() === 0 ? 'Nothing' : 'Not all'
  return new ClientError(error.exitCode, `${error.message} ${part} of ${nameOf(submission)} was sent.`, {
    code: error.code,
    next: error.next ?? 'Publish it again.',
    retryAfter: error.retryAfter,
    cause: error,
  })
}

function notSeen(submission: Submission, error: ClientError, isAnswered: boolean): ClientError {
  const release = nameOf(submission)
  const known = isAnswered
    ? `All of ${release} was sent, and it is not among your releases so far.`
    : `All of ${release} was sent; whether it arrived is not known.`
  return new ClientError(error.exitCode, `${error.message} ${known}`, {
    code: 'ANSWER_LOST',
    next: `Look again with: skill status ${release}. If it is not there, publish it again.`,
    retryAfter: error.retryAfter,
    cause: error,
  })
}

function interrupted(submission: Submission, sending: SubmissionBody): ClientError {
  const release = nameOf(submission)
  const isWhole = sending.handedOn() === sending.body.length
  const known = isWhole
    ? `All of ${release} was sent; whether it was taken is not known.`
    : `${sending.handedOn() === 0 ? 'Nothing' : 'Not all'} of ${release} was sent, so the registry takes nothing of it.`
  return new ClientError(exitCodes.interrupted, `Ended before there was an answer. ${known}`, {
    code: 'INTERRUPTED',
    next: isWhole
      ? `See whether it arrived with: skill status ${release}`
      : 'Publish it again when you like.',
  })
}
