import { expect, test as base } from '../support/desk/desk-browser.ts'
import { startOidcIssuer } from '../support/server/oidc-issuer.ts'
import type { OidcIssuer } from '../support/server/oidc-issuer.ts'
import { skipWithout } from '../support/programs.ts'
import { call } from '../support/server/publish.ts'

/** A desk whose settings contain a real issuer on this computer. */
const test = base.extend<{ issuer: OidcIssuer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructuring pattern even without dependencies
  async issuer({}, provide) {
    const issuer = await startOidcIssuer('Keycloak')
    await provide(issuer)
    await issuer.stop()
  },
  async settings({ issuer }, provide) {
    await provide({ issuers: [issuer.settings()] })
  },
})

test.skip(skipWithout('chromium'), 'needs Chromium')

test('people of an identity provider are accepted, and the provider can be tested', async ({
  desk,
  issuer,
}) => {
  const page = await desk.open('ilse')
  await page.getByRole('link', { name: 'People' }).click()
  await test.step('a person who signs in with a provider token is listed in People', async () => {
    const token = await issuer.sign({ name: 'Sana Iqbal' })
    expect((await call(`${desk.registry}/api/marketplace/mine`, { token })).status).toBe(200)
    await expect(page.getByText('Sana Iqbal')).toBeVisible()
  })
  await test.step('a provider test reports failures until they are fixed', async () => {
    const providers = page.getByRole('region', { name: 'Identity providers' })
    await expect(providers).toContainText(issuer.url)

    await providers.getByRole('button', { name: 'Test' }).click()
    await expect(providers.getByRole('status')).toContainText('passed')
    await expect(providers.getByLabel('failed')).toHaveCount(0)

    issuer.behavior = 'html'
    await providers.getByRole('button', { name: 'Test' }).click()
    await expect(providers.getByRole('status')).toContainText('failed')
    await expect(providers.getByLabel('failed').first()).toBeVisible()

    issuer.behavior = 'good'
    await providers.getByRole('button', { name: 'Test' }).click()
    await expect(providers.getByLabel('failed')).toHaveCount(0)
  })
})
