import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { plainLine } from '../terminal/terminal.ts'

/** Nothing came or went for as long as a silence may last. */
export class SilenceError extends Error {}

/** Something came all the time, and too little of it. */
export class SlownessError extends Error {}

/** What has come is not what a registry says. */
export function mismatch(sentence: string, code: string): ClientError {
  return new ClientError(exitCodes.mismatch, sentence, {
    code,
    next: 'Is that the address of a Skilldock registry? Nothing was kept of it.',
  })
}

export function redirected(url: URL, location: string | undefined): ClientError {
  const place = location === undefined ? 'another place' : plainLine(location)
  return new ClientError(
    exitCodes.mismatch,
    `${url.host} sends to ${place}, and skill follows no redirect.`,
    {
      code: 'REDIRECT',
      next: 'If that is the right place, name it with --registry or in SKILL_REGISTRY.',
    },
  )
}

const ownCertificate = 'nobody that is known vouches for its certificate'

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'nothing answers there',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  EPROTO: 'it does not speak HTTPS there',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not good yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: ownCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: ownCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ownCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ownCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** Why there is no answer, or no whole one. */
export function unreachable(url: URL, error: unknown): ClientError {
  const { reason, next = 'Look at the address and the network, then try again.' } = explain(error)
  return new ClientError(exitCodes.unreachable, `${url.host} did not answer: ${reason}.`, {
    code: 'UNREACHABLE',
    next,
    cause: error,
  })
}

const moreTime = 'Try again, or give it more time with SKILL_TIMEOUT (in seconds).'

function explain(error: unknown): { reason: string; next?: string } {
  if (error instanceof SilenceError) return { reason: 'it has been silent for too long', next: moreTime }
  if (error instanceof SlownessError) return { reason: 'it is too slow', next: moreTime }
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code.startsWith('HPE_')) return { reason: 'what it says is not HTTP' }
  const reason = reasons[code] ?? (message === 'aborted' ? 'the connection was cut' : plainLine(message))
  if (reason !== ownCertificate) return { reason }
  return { reason, next: 'If it is yours and you trust it, name its file in NODE_EXTRA_CA_CERTS.' }
}
