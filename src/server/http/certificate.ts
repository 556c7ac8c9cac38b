import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Server as TlsServer } from 'node:https'
import { createSecureContext } from 'node:tls'
import { codeOf, messageOf } from '../../shared/errors.ts'
import type { Logger } from '../operations/logging.ts'
import { texts } from './http.texts.ts'
import { logTexts } from '../operations/log.texts.ts'

export interface CertificateFiles {
  cert: string
  key: string
}

/** A certificate is missing or invalid. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
  /** A predicate, such as `does not exist`. */
  readonly reason: string
  /** The reason with its subject, such as `its file does not exist`. */
  readonly explanation: string
  readonly part: keyof CertificateFiles

  constructor(files: CertificateFiles, part: keyof CertificateFiles, reason: string, cause?: unknown) {
    const explanation = `${texts.certificate.subject[part]} ${reason}`
    super(texts.certificate.unusable(explanation, files.cert, files.key), { cause })
    this.part = part
    this.reason = reason
    this.explanation = explanation
  }
}

/** Milliseconds between two checks of the certificate's files. */
const certificateCheckMs = 2000

/** Throws CertificateError if a file is missing or invalid, or the key does not match the certificate. */
export function checkCertificate(tls: CertificateFiles): { cert: Buffer; key: Buffer } {
  const cert = readPart(tls, 'cert')
  const key = readPart(tls, 'key')
  const certificate = parse(tls, 'cert', texts.certificate.noCertificate, () => new X509Certificate(cert))
  const isLocked = /ENCRYPTED/.test(key.toString('latin1'))
  const noKey = isLocked ? texts.certificate.locked : texts.certificate.noKey
  const privateKey = parse(tls, 'key', noKey, () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new CertificateError(tls, 'key', texts.certificate.otherKey)
  }
  parse(tls, 'cert', null, () => createSecureContext({ cert, key }))
  return { cert, key }
}

/** When the certificate expires. The certificate must be valid (see `checkCertificate`). */
export function certificateEnd({ cert }: CertificateFiles): Date {
  return new X509Certificate(readFileSync(cert)).validToDate
}

const readReasons: Record<string, string> = {
  ENOENT: texts.certificate.missing,
  EACCES: texts.certificate.forbidden,
  EPERM: texts.certificate.forbidden,
  EISDIR: texts.certificate.folder,
}

function readPart(tls: CertificateFiles, part: keyof CertificateFiles): Buffer {
  try {
    return readFileSync(tls[part])
  } catch (error) {
    const code = codeOf(error) ?? String(error)
    throw new CertificateError(tls, part, readReasons[code] ?? texts.certificate.unreadable(code), error)
  }
}

/** Runs `work`; throws a CertificateError with `reason`, or with the error's message if it is null. */
function parse<T>(
  tls: CertificateFiles,
  part: keyof CertificateFiles,
  reason: string | null,
  work: () => T,
): T {
  try {
    return work()
  } catch (error) {
    const message = messageOf(error)
    throw new CertificateError(tls, part, reason ?? texts.certificate.rejected(message), error)
  }
}

function readCertificate(tls: CertificateFiles): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(tls.cert), key: readFileSync(tls.key) }
}

/** Reloads a renewed certificate without a restart. An invalid one is logged, and the old one stays in use. */
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
      log.info(logTexts.certificateReloaded)
    } catch (error) {
      log.error({ err: error }, logTexts.certificateInvalid)
    }
  }, certificateCheckMs)
  timer.unref()
  return timer
}
