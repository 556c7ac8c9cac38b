import { X509Certificate, createHash } from 'node:crypto'
import type { Browser } from '@playwright/test'
import { BROWSER_ARGUMENTS } from '../programs.ts'

/** A Chromium that trusts this certificate. It refuses passkeys on pages whose certificate is merely ignored. */
export function launchTrusting(browser: Browser, certificate: Buffer): Promise<Browser> {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  const hash = createHash('sha256').update(key).digest('base64')
  const trust = `--ignore-certificate-errors-spki-list=${hash}`
  return browser.browserType().launch({ args: [...BROWSER_ARGUMENTS, trust] })
}
