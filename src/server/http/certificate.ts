import { readFileSync, statSync } from 'node:fs'
import type { Server as TlsServer } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { Logger } from '../logging.ts'

export interface CertificateFiles {
  cert: string
  key: string
}

/** A certificate that cannot be used. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
  readonly reason: string

  constructor(message: string, reason: string, cause: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** Milliseconds between two looks at the certificate's files. */
const certificateCheckMs = 2000

/** Throws CertificateError where the files are not there or do not belong together. */
export function checkCertificate(tls: CertificateFiles): { cert: Buffer; key: Buffer } {
  try {
    const certificate = readCertificate(tls)
    createSecureContext(certificate)
    return certificate
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CertificateError(
      `The certificate cannot be used (${reason}). Correct SKILLDOCK_TLS_CERT (${tls.cert}) or SKILLDOCK_TLS_KEY (${tls.key}).`,
      reason,
      error,
    )
  }
}

function readCertificate(tls: CertificateFiles): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(tls.cert), key: readFileSync(tls.key) }
}

/** A renewed certificate is taken up without a restart; a broken one is reported and the old one stays. */
export function rereadCertificate(
  tls: CertificateFiles,
  current: () => TlsServer,
  log: Logger,
): NodeJS.Timeout {
  const changedAt = (): string =>
    [tls.cert, tls.key].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ')
  let seen = changedAt()
  const timer = setInterval(() => {
    const now = changedAt()
    if (now === seen) return
    seen = now
    try {
      current().setSecureContext(readCertificate(tls))
      log.info('the certificate was read again')
    } catch (error) {
      log.error({ err: error }, 'the new certificate cannot be used; the old one stays')
    }
  }, certificateCheckMs)
  timer.unref()
  return timer
}
