import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Server as TlsServer } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { Logger } from '../operations/logging.ts'

export interface CertificateFiles {
  cert: string
  key: string
}

/** A certificate that cannot be used. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
  /** What is wrong, to follow the name of the part. */
  readonly reason: string
  /** The same with the name of the part. */
  readonly words: string
  readonly part: keyof CertificateFiles

  constructor(files: CertificateFiles, part: keyof CertificateFiles, reason: string, cause?: unknown) {
    const words = `its ${part === 'cert' ? 'file' : 'key'} ${reason}`
    super(
      `The certificate cannot be used (${words}). ` +
        `Correct SKILLDOCK_TLS_CERT (${files.cert}) or SKILLDOCK_TLS_KEY (${files.key}).`,
      { cause },
    )
    this.part = part
    this.reason = reason
    this.words = words
  }
}

/** Milliseconds between two looks at the certificate's files. */
const certificateCheckMs = 2000

/** Throws CertificateError where the files are not there or do not belong together. */
export function checkCertificate(tls: CertificateFiles): { cert: Buffer; key: Buffer } {
  const cert = readPart(tls, 'cert')
  const key = readPart(tls, 'key')
  const certificate = parse(tls, 'cert', 'holds no certificate in PEM form', () => new X509Certificate(cert))
  const isLocked = /ENCRYPTED/.test(key.toString('latin1'))
  const noKey = isLocked
    ? 'is locked with a passphrase; give one without'
    : 'holds no private key in PEM form'
  const privateKey = parse(tls, 'key', noKey, () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new CertificateError(tls, 'key', 'does not belong to the certificate')
  }
  parse(tls, 'cert', null, () => createSecureContext({ cert, key }))
  return { cert, key }
}

/** Until when the certificate is good; to be called for one that can be used. */
export function certificateEnd({ cert }: CertificateFiles): Date {
  return new X509Certificate(readFileSync(cert)).validToDate
}

const readReasons: Record<string, string> = {
  ENOENT: 'is not there',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  EISDIR: 'is a folder',
}

function readPart(tls: CertificateFiles, part: keyof CertificateFiles): Buffer {
  try {
    return readFileSync(tls[part])
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new CertificateError(tls, part, readReasons[code] ?? `cannot be read (${code})`, error)
  }
}

/** Without a `reason` that of the error is given. */
function parse<T>(
  tls: CertificateFiles,
  part: keyof CertificateFiles,
  reason: string | null,
  work: () => T,
): T {
  try {
    return work()
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    throw new CertificateError(tls, part, reason ?? `cannot be used: ${words}`, error)
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
