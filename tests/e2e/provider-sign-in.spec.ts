import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test as base } from '../support/desk/desk-browser.ts'
import { launchTrusting } from '../support/desk/trusting-browser.ts'
import { violations } from '../support/desk/violations.ts'
import { skipWithout } from '../support/programs.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { startCaddy } from '../support/server/reverse-proxy.ts'
import type { ReverseProxy } from '../support/server/reverse-proxy.ts'
import { startSignInProvider } from '../support/server/sign-in-provider.ts'
import type { SignInProvider } from '../support/server/sign-in-provider.ts'

interface Fixtures {
  /** The address of the remote desk. */
  site: string
  /** The identity provider, behind a proxy of its own. */
  provider: SignInProvider & { proxy: ReverseProxy; certificateFile: string }
}

const test = base.extend<Fixtures>({
  // Playwright infers the required fixtures from the pattern.
  // oxlint-disable-next-line no-empty-pattern
  async site({}, provide) {
    await provide(`https://localhost:${await findFreePort()}`)
  },
  async provider({ site }, provide) {
    const issuer = `https://localhost:${await findFreePort()}`
    const started = await startSignInProvider(site, issuer)
    const proxy = await startCaddy({ site: issuer, registry: started.address })
    const folder = mkdtempSync(join(tmpdir(), 'skilldock-provider-'))
    const certificateFile = join(folder, 'certificate.pem')
    writeFileSync(certificateFile, proxy.certificate)
    await provide({ ...started, proxy, certificateFile })
    await proxy.stop()
    await started.stop()
    rmSync(folder, { recursive: true })
  },
  async settings({ provider }, provide) {
    await provide({ issuers: [provider.settings] })
  },
  async variables({ site, provider }, provide) {
    await provide({
      SKILLDOCK_DESK_REMOTE: 'on',
      SKILLDOCK_PUBLIC_URL: site,
      SKILLDOCK_TRUST_PROXY: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: provider.certificateFile,
    })
  },
})

test.skip(skipWithout('chromium') || skipWithout('caddy'), 'needs Chromium and Caddy')

test('people sign in through an identity provider, and learn what to do if that fails', async ({
  separateDesk: desk,
  browser,
  site,
  provider,
}) => {
  test.slow()
  const proxy = await startCaddy({ site, registry: desk.registry })
  const trusting = await launchTrusting(browser, proxy.certificate, provider.proxy.certificate)
  const open = async (): Promise<Page> => {
    const page = await trusting.newPage({ viewport: { width: 1280, height: 800 } })
    page.setDefaultTimeout(30_000)
    await page.goto(`${site}/desk/`)
    return page
  }
  const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Team login' })
  const account = (page: Page) => page.getByRole('button', { name: /theme, tokens/ })
  const heading = (page: Page) => page.getByRole('heading', { level: 1 })
  const page = await open()

  await test.step('a person signs in at the provider and arrives in the desk', async () => {
    expect(await violations(page, 'the sign-in page')).toEqual([])
    await button(page).click()
    await page.getByPlaceholder('Enter any login').fill('nora')
    await page.getByPlaceholder('and password').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(account(page)).toHaveAccessibleName(/nora of the provider/)
    expect(page.url()).not.toContain('code=')
    const cookies = (await page.context().cookies(site)).filter(({ name }) => name.startsWith('__Host-'))
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' })
    }
  })

  await test.step('an answer that belongs to another browser is refused', async () => {
    const other = await open()
    await other.goto(`${site}/desk/signed-in?code=a&state=b`)
    await expect(heading(other)).toHaveText('Not signed in')
    await expect(other.getByText('This sign-in was started in another browser or tab')).toBeVisible()
    expect(other.url()).toBe(`${site}/desk/signed-in`)
    expect(await violations(other, 'a refused sign-in')).toEqual([])
    await other.getByRole('button', { name: 'Choose how to sign in' }).click()
    await expect(button(other)).toBeVisible()
    await other.close()
  })

  await test.step('a person who cancels at the provider is told how to go on', async () => {
    const other = await open()
    await button(other).click()
    await other.getByRole('link', { name: 'Cancel' }).click()
    await expect(other.getByText('The sign-in was canceled at Team login.')).toBeVisible()
    await other.close()
  })

  await trusting.close()
  await proxy.stop()
})
