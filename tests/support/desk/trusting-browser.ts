import { X509Certificate, createHash } from 'node:crypto'
import type { Browser } from '@playwright/test'
import { BROWSER_ARGUMENTS } from '../programs.ts'

/** A Chromium that trusts these certificates. It refuses passkeys on pages whose certificate is merely ignored. */
export function launchTrusting(browser: Browser, ...certificates: Buffer[]): Promise<Browser> {
  const hashes = certificates.map((certificate) => {
    const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
    return createHash('sha256').update(key).digest('base64')
  })
  const trust = `--ignore-certificate-errors-spki-list=${hashes.join(',')}`
  return browser.browserType().launch({ args: [...BROWSER_ARGUMENTS, trust] })
}
