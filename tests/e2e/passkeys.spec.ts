import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startClient } from '../support/client/client.ts'
import { expect, test } from '../support/desk/desk-browser.ts'
import { launchTrusting } from '../support/desk/trusting-browser.ts'
import { violations } from '../support/desk/violations.ts'
import { skipWithout } from '../support/programs.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { startCaddy } from '../support/server/reverse-proxy.ts'
import { until } from '../support/wait.ts'

test.skip(skipWithout('chromium') || skipWithout('caddy'), 'needs Chromium and Caddy')

test('a developer adds a passkey, signs in with it, confirms a terminal elsewhere, and removes the passkey', async ({
  desk,
  browser,
}) => {
  test.slow()
  const site = `https://localhost:${await findFreePort()}`
  const proxy = await startCaddy({ site, registry: desk.registry })
  const ilse = await desk.client('ilse')
  const changes = { 'desk.remote': 'on', publicUrl: site, trustProxy: ['127.0.0.1'] }
  expect((await ilse.send('PUT', '/settings', { changes })).status).toBe(200)
  const trusting = await launchTrusting(browser, proxy.certificate)
  const page = await trusting.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(30_000)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const account = page.getByRole('button', { name: /theme, tokens/ })
  const access = page.getByRole('region', { name: 'Tokens, sessions and passkeys' })
  const signOut = async (): Promise<void> => {
    await account.click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  }

  await test.step('signed in with a link, the developer adds a passkey', async () => {
    const { items } = (await ilse.get<{ items: { id: number; subject: string }[] }>('/people')).body
    const id = items.find(({ subject }) => subject === 'marta')?.id
    const { url } = (await ilse.send<{ url: string }>('POST', `/people/${id}/sign-in-link`)).body
    await page.goto(url)
    await expect(account).toBeVisible()
    await page.goto(`${site}/desk/own`)
    await access.getByRole('button', { name: 'Add passkey…' }).click()
    const form = page.getByRole('form', { name: 'New passkey' })
    await form.getByLabel('Passkey name').fill('laptop')
    expect(await violations(page, 'the form for a passkey')).toEqual([])
    await form.getByRole('button', { name: 'Add passkey' }).click()
    await expect(page.getByText('Passkey “laptop” added.')).toBeVisible()
    await expect(access.getByRole('row', { name: /^laptop/ })).toContainText('passkey')
    expect(await violations(page, 'the list of passkeys')).toEqual([])
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }])
  })

  await test.step('a place that already has a passkey does not get a second one', async () => {
    await access.getByRole('button', { name: 'Add passkey…' }).click()
    const form = page.getByRole('form', { name: 'New passkey' })
    await form.getByLabel('Passkey name').fill('again')
    await form.getByRole('button', { name: 'Add passkey' }).click()
    await expect(form.getByRole('alert')).toContainText('You already have a passkey there')
    await form.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('the passkey signs in without a name', async () => {
    await signOut()
    expect(await violations(page, 'the sign-in page')).toEqual([])
    await button('Sign in with a passkey').click()
    await expect(account).toBeVisible()
  })

  await test.step('a person who is not recognized is not signed in', async () => {
    await signOut()
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await button('Sign in with a passkey').click()
    await expect(page.getByRole('alert')).toContainText('No passkey was used')
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  })

  await test.step('a terminal at another address is confirmed at the remote desk', async () => {
    const authority = join(desk.folder, 'test-authority.pem')
    writeFileSync(authority, proxy.certificate)
    const terminal = startClient(['login', '--registry', site], { env: { NODE_EXTRA_CA_CERTS: authority } })
    const address = await until(
      'the address is shown',
      () => /https:\S+#[A-Z-]+/.exec(terminal.output.stdout + terminal.output.stderr)?.[0],
    )
    expect(address).toMatch(new RegExp(`^${site}/desk/confirm#`))
    await page.goto(address)
    await expect(page.getByText('A terminal is waiting for your confirmation')).toBeVisible()
    await button('Sign in with a passkey').click()
    await page.getByRole('checkbox', { name: /^I started this sign-in/ }).check()
    await button('Confirm').click()
    expect(await terminal.ended).toMatchObject({ status: 0 })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/The terminal is signed in/)
  })

  await test.step('once it is removed, the passkey is refused', async () => {
    await page.goto(`${site}/desk/own`)
    await access.getByRole('button', { name: 'Remove laptop' }).click()
    await access.getByRole('button', { name: 'Remove now' }).click()
    await expect(access.getByRole('row', { name: /^laptop/ })).toContainText('removed')
    await signOut()
    await button('Sign in with a passkey').click()
    await expect(page.getByRole('alert')).toContainText('This passkey was refused')
  })
  await trusting.close()
  await proxy.stop()
})
