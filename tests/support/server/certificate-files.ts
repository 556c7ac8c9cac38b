import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { selfSigned } from './self-signed.ts'

/** A self-signed certificate and its key in files, named after the purpose of the certificate. */
export function certificateFiles(folder: string, name: string, days = 1) {
  const paths = { cert: join(folder, `${name}-cert.pem`), key: join(folder, `${name}-key.pem`) }
  const made = selfSigned(name, days)
  writeFileSync(paths.cert, made.cert)
  writeFileSync(paths.key, made.key)
  return { paths, made }
}

export interface TlsAnswer {
  status: number | undefined
  /** The name in the certificate. */
  name: string
}

/** Requests the health of a registry, trusting only these certificates. */
export function askOverTls(url: string, ca: string[]): Promise<TlsAnswer> {
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/api/health`, { ca, agent: false }, (response) => {
      const name = (response.socket as TLSSocket).getPeerCertificate().subject.CN
      response.resume().once('end', () => resolve({ status: response.statusCode, name: String(name) }))
    })
    asking.once('error', reject)
    asking.end()
  })
}
