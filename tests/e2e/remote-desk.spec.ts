import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { findSkill } from '../../resources/skills/build.ts'
import { skillManifestSchema } from '../../src/shared/contracts/manifest.ts'
import { expect, row, test } from '../support/desk/desk-browser.ts'
import { violations } from '../support/desk/violations.ts'
import { skipWithout } from '../support/programs.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { startCaddy } from '../support/server/reverse-proxy.ts'

test.skip(skipWithout('chromium') || skipWithout('caddy'), 'needs Chromium and Caddy')
test.use({ settings: { undoMs: 0 } })

test('over HTTPS, an administrator signs in with a link, runs the examples, approves a release and signs out', async ({
  desk,
  browser,
}) => {
  test.slow()
  const site = `https://127.0.0.1:${await findFreePort()}`
  const proxy = await startCaddy({ site, registry: desk.registry })
  const ilse = await desk.client('ilse')
  const changes = { 'desk.remote': 'on', publicUrl: site, trustProxy: ['127.0.0.1'] }
  expect((await ilse.send('PUT', '/settings', { changes })).status).toBe(200)
  const { committedFile, manifestFile } = findSkill('rot13')
  const manifest = skillManifestSchema.parse(JSON.parse(await readFile(manifestFile, 'utf8')))
  await desk.submit(manifest, undefined, await readFile(committedFile))

  // Caddy's certificate is not one that Chromium trusts.
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1280, height: 800 },
  })
  const page = await context.newPage()
  const refused: string[] = []
  await page.exposeFunction('noteRefused', (directive: string) => refused.push(directive))
  await page.addInitScript(() => {
    const { noteRefused } = globalThis as unknown as { noteRefused(directive: string): void }
    document.addEventListener('securitypolicyviolation', (event) => noteRefused(event.violatedDirective))
  })
  const areas = page.getByRole('navigation', { name: 'Areas' })

  await test.step('signed out, the page asks for a link and names no command', async () => {
    await page.goto(`${site}/desk/`)
    await expect(page.getByText('Ask an administrator for a link.')).toBeVisible()
    await expect(page.getByText('skilldock desk')).toHaveCount(0)
    expect(await violations(page, 'the remote desk, signed out')).toEqual([])
  })

  await test.step('a link from People signs in with a cookie that scripts cannot read', async () => {
    const { items } = (await ilse.get<{ items: { id: number; subject: string }[] }>('/people')).body
    const id = items.find(({ subject }) => subject === 'tomas')?.id
    const { url } = (await ilse.send<{ url: string }>('POST', `/people/${id}/sign-in-link`)).body
    await page.goto(url)
    await expect(areas.getByRole('link')).toHaveText([/^Review/, 'Content', 'People', 'Settings'])
    expect(await context.cookies()).toEqual([
      expect.objectContaining({
        name: '__Host-skilldock-desk',
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
      }),
    ])
    const readable = await page.evaluate(() => document.cookie + JSON.stringify(Object.keys(localStorage)))
    expect(readable).not.toContain('skilldock-desk')
    expect(page.url()).not.toContain('code')
  })

  await test.step('there are no agents and services, and only the settings of the registry itself', async () => {
    for (const path of ['agents', 'services']) {
      await page.goto(`${site}/desk/${path}`)
      await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    }
    await areas.getByRole('link', { name: 'Settings' }).click()
    const groups = page.getByRole('navigation', { name: 'Setting groups' })
    await expect(groups.getByRole('link')).toHaveText(['Registry', 'Limits', 'Backups', 'Desk', 'Webhooks'])
    await groups.getByRole('link', { name: 'Desk' }).click()
    await expect(page.getByRole('textbox', { name: 'Undo window' })).toBeVisible()
    await expect(page.getByText('Log file')).toHaveCount(0)
    expect(await violations(page, 'the settings at the remote desk')).toEqual([])
  })

  await test.step('the examples run in the sandbox, and the release is approved', async () => {
    await areas.getByRole('link', { name: 'Review' }).click()
    await row(page, 'rot13').click()
    const runs = page.getByRole('region', { name: 'Test runs', exact: true })
    await runs.getByRole('button', { name: 'Run examples' }).click()
    await expect(page.getByRole('button', { name: /^Test runs/ })).toContainText(/([1-3]) of \1/, {
      timeout: 30_000,
    })
    const frame = page.frames().find((one) => one.url() === `${site}/desk/sandbox/run`)
    expect(await frame?.evaluate(() => self.origin)).toBe('null')
    await page.getByRole('button', { name: 'Approve…' }).click()
    await page.getByLabel('Review notes (public)').fill('Read the source, ran the examples.')
    await page.getByRole('button', { name: /^Approve/ }).click()
    await expect(row(page, 'rot13')).toContainText('approved by Tomáš Novák')
    const approved = await fetch(`${desk.registry}/api/marketplace/skills/rot13/${manifest.version}`)
    expect(approved.status).toBe(200)
  })

  await test.step('a page of another site can neither show the desk nor write with its cookie', async () => {
    const foreign = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end(`<iframe src="${site}/desk/"></iframe>`)
    })
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve))
    const other = await context.newPage()
    await other.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`)
    const shown = other.frames().find((one) => one !== other.mainFrame())
    await expect.poll(() => shown?.url()).toBe('chrome-error://chromewebdata/')
    const written = await other.evaluate(async (address) => {
      const options: RequestInit = { method: 'DELETE', credentials: 'include', mode: 'cors' }
      return fetch(address, options).then(
        ({ status }) => String(status),
        () => 'refused',
      )
    }, `${site}/desk/api/session`)
    expect(written).toBe('refused')
    await other.close()
    foreign.close()
    await page.reload()
    await expect(areas).toBeVisible()
  })

  await test.step('signing out removes the cookie and ends the session', async () => {
    const [cookie] = await context.cookies()
    await page.getByRole('button', { name: /theme, tokens/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    expect(await context.cookies()).toEqual([])
    if (cookie !== undefined) await context.addCookies([cookie])
    await page.reload()
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  })
  expect(refused).toEqual([])
  await context.close()
  await proxy.stop()
})
