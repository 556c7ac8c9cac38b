import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { plainLine } from '../terminal/terminal.ts'

/** No bytes were sent or received for the length of the timeout. */
export class IdleTimeoutError extends Error {}

/** The request as a whole took too long, although bytes kept coming. */
export class TotalTimeoutError extends Error {}

/** The response is not what a Skilldock registry sends. */
export function mismatch(sentence: string, code: string): ClientError {
  return new ClientError(exitCodes.mismatch, sentence, {
    code,
    next: 'Check that this is the address of a Skilldock registry. The response was discarded.',
  })
}

export function redirected(url: URL, location: string | undefined): ClientError {
  const target = location === undefined ? 'another address' : plainLine(location)
  return new ClientError(
    exitCodes.mismatch,
    `${url.host} redirects to ${target}, but skill does not follow redirects.`,
    {
      code: 'REDIRECT',
      next: 'If you trust that address, pass it with --registry or SKILL_REGISTRY.',
    },
  )
}

const untrustedCertificate = 'its certificate is not from a trusted authority'

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be resolved',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  EPROTO: 'it does not use HTTPS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrustedCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: untrustedCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrustedCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrustedCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** Why there is no response, or only part of one. */
export function unreachable(url: URL, error: unknown): ClientError {
  const { reason, next = 'Check the address and your network, then try again.' } = explain(error)
  return new ClientError(exitCodes.unreachable, `No valid response from ${url.host}: ${reason}.`, {
    code: 'UNREACHABLE',
    next,
    cause: error,
  })
}

const moreTime = 'Try again, or set a longer SKILL_TIMEOUT (in seconds).'

function explain(error: unknown): { reason: string; next?: string } {
  if (error instanceof IdleTimeoutError) return { reason: 'the request timed out', next: moreTime }
  if (error instanceof TotalTimeoutError) return { reason: 'it is too slow', next: moreTime }
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code.startsWith('HPE_')) return { reason: 'the response is not HTTP' }
  const reason = reasons[code] ?? (message === 'aborted' ? 'the connection was closed' : plainLine(message))
  if (reason !== untrustedCertificate) return { reason }
  return { reason, next: 'If you trust the certificate, set NODE_EXTRA_CA_CERTS to its file.' }
}
