import { createServer } from 'node:net'
import { join } from 'node:path'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { askOverTls, certificateFiles } from '../support/server/certificate-files.ts'
import { readJson, temporaryFolder } from '../support/server/command-line.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { skipWithout } from '../support/programs.ts'
import { dock, expect, test } from '../support/desk/desk-browser.ts'
import { forgetSession, goInDesk } from '../support/desk/desk-page.ts'
import { violations } from '../support/desk/violations.ts'
import { listProjects, submitProject } from '../support/server/projects.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

test.describe('where the port can be chosen', () => {
  test.use({ settings: { port: 0 }, variables: { SKILLDOCK_PORT: '' } })

  test('five choices set up the registry; a port in use is rejected while typing', async ({
    emptyDesk,
    page,
  }) => {
    const [free, taken] = [await findFreePort(), await findFreePort()]
    const holder = createServer().listen(taken, '127.0.0.1')
    await page.goto(await emptyDesk.link())
    await page.getByLabel('Your name').fill('Ilse Verbeek')

    // Each option explains itself and shows the fields that it needs.
    await page.getByRole('radio', { name: /^The local network, with a certificate/ }).check()
    await expect(page.getByLabel('Certificate (PEM)')).toBeVisible()
    await expect(page.getByText('Enter a certificate and its key.')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Start Skilldock/ })).toBeDisabled()
    expect(await violations(page, 'the first run on the local network')).toEqual([])
    await page.getByRole('radio', { name: /^Behind a proxy/ }).check()
    await page.getByLabel('Public address').fill('ftp://skills.example')
    await expect(page.getByText(/must be a URL starting with http/)).toBeVisible()
    await page.getByLabel('Public address').fill('https://skills.example')

    const port = page.getByRole('textbox', { name: 'Registry port' })
    for (const wrong of ['seventy', '65536', '-1']) {
      await port.fill(wrong)
      await expect(page.getByText('Enter a number from 1 to 65535.')).toBeVisible()
    }
    await port.fill(String(taken))
    await expect(page.getByText(`Port ${taken} is in use by`)).toBeVisible()
    // Submitting it anyway reports the problem once and keeps the input.
    await page.getByRole('button', { name: /^Start Skilldock/ }).click()
    await expect(page.getByText(`Port ${taken} is in use by`)).toHaveCount(1)
    await expect(page.getByLabel('Public address')).toHaveValue('https://skills.example')
    await page.getByRole('textbox', { name: 'Agent project (optional)' }).fill('my/project')
    await expect(page.getByText('It must be an absolute path.')).toBeVisible()
    await port.fill(String(free))
    await expect(page.getByText('available', { exact: true })).toBeVisible()
    await page.getByRole('textbox', { name: 'Agent project (optional)' }).fill(emptyDesk.folder)
    await page.keyboard.press('Control+Enter')

    await expect(page.getByText('https://skills.example/install.sh')).toBeVisible()
    expect((await fetch(`http://127.0.0.1:${free}/api/health`)).ok).toBe(true)
    expect(await readJson(dataPaths(emptyDesk.folder).settings)).toEqual({
      port: free,
      workspace: emptyDesk.folder,
      publicUrl: 'https://skills.example',
      trustProxy: ['127.0.0.1'],
    })
    holder.close()
  })

  test('the local network with a certificate: each invalid file is reported at its field, and the registry then uses TLS', async ({
    emptyDesk,
    page,
  }) => {
    const port = await findFreePort()
    const files = temporaryFolder()
    const { paths, made } = certificateFiles(files, 'desk')
    const other = certificateFiles(files, 'other')
    const old = certificateFiles(files, 'old', -1)
    await page.goto(await emptyDesk.link())
    await test.step('a name from which no sign-in name can be derived asks for one', async () => {
      await page.getByLabel('Your name').fill('Ilse')
      await expect(page.getByLabel('Sign-in name')).toHaveCount(0)
      await page.getByLabel('Your name').fill('李')
      await expect(page.getByRole('button', { name: /^Start Skilldock/ })).toBeDisabled()
      await page.getByLabel('Sign-in name').fill('li')
    })
    await page.getByRole('radio', { name: /^The local network, with a certificate/ }).check()
    const cert = page.getByLabel('Certificate (PEM)')
    const key = page.getByLabel('Private key (PEM)')
    const start = page.getByRole('button', { name: /^Start Skilldock/ })

    await cert.fill(join(files, 'nowhere.pem'))
    await expect(page.getByText('Enter a certificate and its key.')).toBeVisible()
    await expect(start).toBeDisabled()
    await key.fill(paths.key)
    await expect(page.getByText('It does not exist.')).toBeVisible()
    await cert.fill(paths.key)
    await expect(page.getByText('It contains no PEM certificate.')).toBeVisible()
    await cert.fill(paths.cert)
    await key.fill(paths.cert)
    await expect(page.getByText('It contains no PEM private key.')).toBeVisible()
    await key.fill(other.paths.key)
    await expect(page.getByText('It does not match the certificate.')).toBeVisible()
    await start.click()
    await expect(page.getByText('It does not match the certificate.')).toBeVisible()
    await expect(page.getByLabel('Your name')).toHaveValue('李')
    await cert.fill(old.paths.cert)
    await key.fill(old.paths.key)
    await expect(
      page.getByText(/^It expired on \d{4}-\d\d-\d\d, so clients refuse it; renew it\.$/),
    ).toBeVisible()

    await cert.fill(paths.cert)
    await key.fill(paths.key)
    await page.getByRole('textbox', { name: 'Registry port' }).fill(String(port))
    const address = page.getByLabel('Address for colleagues')
    await expect(address).toHaveValue(new RegExp(`:${port}$`))
    await address.fill(`http://localhost:${port}`)
    await expect(page.getByText(/must start with https:/)).toBeVisible()
    await address.fill(`https://localhost:${port}`)
    await expect(page.getByText('available', { exact: true })).toBeVisible()
    await start.click()
    await expect(page.getByText(`https://localhost:${port}/install.sh`)).toBeVisible()
    expect(await askOverTls(`https://localhost:${port}`, [made.cert])).toEqual({ status: 200, name: 'desk' })
    expect(await readJson(dataPaths(emptyDesk.folder).settings)).toEqual({
      host: '0.0.0.0',
      port,
      publicUrl: `https://localhost:${port}`,
      tlsCert: paths.cert,
      tlsKey: paths.key,
    })
  })
})

test('the setup requires its link', async ({ emptyDesk, page }) => {
  test.slow()
  await page.goto(`${emptyDesk.dashboard}/desk/`)
  await expect(page.getByRole('heading', { name: 'This registry has no administrator yet' })).toBeVisible()
  await test.step('settings from the environment are read-only', async () => {
    await page.goto(await emptyDesk.link())
    await expect(page.getByText("Set by SKILLDOCK_PORT. It can't be changed here.")).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Registry port' })).not.toBeEditable()
  })
  await test.step('a name that is too long is reported and kept, and an invalid link is reported immediately', async () => {
    const name = page.getByLabel('Your name')
    await name.fill('x'.repeat(101))
    await expect(page.getByText('The name is too long: 101 of 100 characters.').first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Start Skilldock/ })).toBeDisabled()
    await expect(name).toHaveValue('x'.repeat(101))
    await name.fill('x'.repeat(100))
    await expect(page.getByRole('button', { name: /^Start Skilldock/ })).toBeEnabled()

    for (const code of ['a'.repeat(43), 'cut']) {
      await page.goto(`${emptyDesk.dashboard}/desk/#code=${code}`)
      await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()
    }
    await expect(page.getByText('skilldock desk')).toBeVisible()
    await page.goto(await emptyDesk.link())
    await expect(name).toHaveValue('x'.repeat(100))
  })
  await test.step('the first administrator is created with the setup link', async () => {
    await expect(page.getByRole('heading', { name: 'Set up your registry' })).toBeVisible()
    await expect(page.getByText(emptyDesk.folder)).toBeVisible()
    await page.getByLabel('Your name').fill('Ilse Verbeek')
    await expect(page.getByText('with the sign-in name ilse.verbeek.')).toBeVisible()
    await page.keyboard.press('Control+Enter')

    await expect(page.getByText('No submissions yet').first()).toBeVisible()
    await expect(page.getByText(`${emptyDesk.registry}/install.sh`)).toBeVisible()
    await page.getByRole('button', { name: /Ilse Verbeek/ }).click()
    await expect(page.getByText('Ilse Verbeek, administrator')).toBeVisible()
  })
})

test('a session starts with a link, ends, and leaves nothing behind', async ({ desk, page }) => {
  test.slow()
  const id = await desk.submit({
    readme: '# Title\n\n<script>alert(1)</script> ![x](https://example.com/x.png)',
  })
  await test.step('a sign-in link works once, and its code is removed from the URL', async () => {
    const link = await desk.link('ilse')
    await page.goto(link)
    await expect(page.getByRole('link', { name: 'People' })).toBeVisible()
    expect(page.url()).not.toContain('code')

    await page.getByRole('button', { name: /theme, tokens/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    await expect(page.getByText('skilldock desk')).toBeVisible()

    for (const invalid of [link, link.slice(0, -30), `${link}%`]) {
      await page.goto('about:blank')
      await page.goto(invalid)
      await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()
      expect(page.url()).not.toContain('code')
    }
  })
  await test.step('no page breaks the content security policy', async () => {
    await page.goto(await desk.link('ilse'))
    await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
    const messages: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') messages.push(message.text())
    })
    page.on('pageerror', (error) => messages.push(error.message))
    // The console does not report what a library tries and catches.
    await page.exposeFunction('noteRefused', (directive: string) => messages.push(directive))
    await page.addInitScript(() => {
      const { noteRefused } = globalThis as unknown as { noteRefused(directive: string): void }
      document.addEventListener('securitypolicyviolation', (event) => noteRefused(event.violatedDirective))
    })
    await page.goto(`${desk.dashboard}/desk/review/${id}`)
    await expect(page).toHaveTitle('upper-case 1.0.0 · Review · Skilldock')
    await expect(page.getByText('Both services running')).toBeVisible()
    for (const [path, title] of [
      ['history', /^Audit log/],
      ['review?view=all', /Review · Skilldock$/],
      ['reasons', /^Templates/],
      ['people', /^People/],
      ['services', /^Services/],
      ['own', /^My releases/],
    ] as const) {
      await page.evaluate((address) => history.pushState(null, '', address), `/desk/${path}`)
      await expect(page).toHaveTitle(title)
    }
    await page.goto(`${desk.dashboard}/desk/nowhere`)
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    expect(messages).toEqual([])
  })
  await test.step('a page whose script fails to load says so and can be retried', async () => {
    await page.route('**/assets/people-page-*.js', (route) => route.abort())
    await page.goto(`${desk.dashboard}/desk/people`)
    await expect(page.getByRole('alert')).toContainText("This page can't be shown")
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('link', { name: /Marta Okafor/ })).toBeVisible()
  })
  await test.step('a session that was ended elsewhere leads to the signed-out page', async () => {
    await page.goto(`${desk.dashboard}/desk/review/${id}`)
    await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
    await forgetSession(page)
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  })
  await test.step('unsent notes are only shown to the person who wrote them', async () => {
    const notes = page.getByRole('form', { name: /^Reject/ }).getByRole('textbox')
    const openNotes = async (subject: string, name: string): Promise<void> => {
      await page.goto(await desk.link(subject))
      await expect(page.getByRole('button', { name: `${name}: theme, tokens` })).toBeVisible()
      await page.goto(`${desk.dashboard}/desk/review/${id}`)
      await dock(page).getByRole('button', { name: 'Reject…' }).click()
    }
    await openNotes('ilse', 'Ilse Verbeek')
    await notes.fill('Only for me until I send it.')
    await openNotes('tomas', 'Tomáš Novák')
    await expect(notes).toHaveValue('')
    await openNotes('ilse', 'Ilse Verbeek')
    await expect(notes).toHaveValue('Only for me until I send it.')
  })
  await test.step('the theme is saved and applied before the first paint', async () => {
    await page.goto(await desk.link('ilse'))
    await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
    const scheme = page.locator('html')
    await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'light')
    await page.getByRole('button', { name: /theme, tokens/ }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload()
    await expect(scheme).toHaveAttribute('data-mantine-color-scheme', 'dark')
    expect(await scheme.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
      'rgb(21, 20, 18)',
    )
  })
})

test('what a person has not saved is not shown to the next one who signs in on the same page', async ({
  desk,
  page,
}) => {
  test.slow()
  await submitProject(desk.registry, { title: 'Tide tables' })
  const [project] = await listProjects(await desk.client('ilse'), 'pending')
  await desk.decide(await desk.submit({ name: 'growing' }), 'approved')
  const withRandomNumbers = await assembleWat(`(module
    (import "wasi_snapshot_preview1" "random_get" (func (param i32 i32) (result i32)))
    (memory (export "memory") 1)
    (func (export "_start")))`)
  const grown = await desk.submit({ name: 'growing', version: '1.1.0' }, undefined, withRandomNumbers)
  const confirmed = dock(page).getByRole('checkbox')
  const editor = page.getByRole('region', { name: 'Edit Tide tables' })
  const tagline = editor.getByRole('textbox', { name: 'Tagline' })
  const daily = page.getByRole('textbox', { name: 'Daily submissions per publisher', exact: true })
  const template = page
    .getByRole('region', { name: 'Approve', exact: true })
    .getByRole('textbox', { name: 'Label of template 1' })
  const text = page.getByRole('textbox', { name: 'Post text (Markdown)' })
  const openProject = async (): Promise<void> => {
    await goInDesk(page, `content/showcase/${project?.id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Tide tables' })).toBeVisible()
  }
  // Without loading the page again: only then can it show what it still has in memory.
  const signIn = async (subject: string, name: string): Promise<void> => {
    const { hash } = new URL(await desk.link(subject))
    await page.evaluate((code) => location.assign(code), hash)
    await expect(page.getByRole('button', { name: `${name}: theme, tokens` })).toBeVisible()
  }
  const signOut = async (): Promise<void> => {
    await page.getByRole('button', { name: /theme, tokens/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  }

  await page.goto(`${desk.dashboard}/desk/`)
  await signIn('ilse', 'Ilse Verbeek')
  await goInDesk(page, `review/${grown}`)
  await confirmed.check()
  await openProject()
  await page.keyboard.press('e')
  await tagline.fill('Only mine.')
  await goInDesk(page, 'settings/limits')
  const before = await daily.inputValue()
  await daily.fill('77')
  await goInDesk(page, 'reasons/approved')
  await template.fill('Only my label')
  await goInDesk(page, 'content/blog')
  await page.getByRole('button', { name: 'New post' }).first().click()
  await expect(page.locator('[data-save="saved"]')).toBeVisible()
  const post = new URL(page.url()).pathname.replace('/desk/', '')
  await page.route('**/desk/api/posts/*', (route) =>
    route.request().method() === 'PUT' ? route.abort('connectionreset') : route.continue(),
  )
  await text.click()
  await page.keyboard.insertText('Only my text.')
  await expect(page.getByText("Not saved: Skilldock isn't responding")).toBeVisible()
  await signOut()
  await page.unroute('**/desk/api/posts/*')

  await signIn('tomas', 'Tomáš Novák')
  await goInDesk(page, 'reasons/approved')
  await expect(template).not.toHaveValue('Only my label')
  await goInDesk(page, 'settings/limits')
  await expect(daily).toHaveValue(before)
  await openProject()
  await expect(editor).toHaveCount(0)
  await goInDesk(page, `review/${grown}`)
  await expect(confirmed).not.toBeChecked()
  await goInDesk(page, post)
  await expect(page.locator('[data-save="saved"]')).toBeVisible()
  await expect(text).not.toContainText('Only my text.')
  await signOut()

  await signIn('ilse', 'Ilse Verbeek')
  await openProject()
  await expect(tagline).toHaveValue('Only mine.')
  await goInDesk(page, 'settings/limits')
  await expect(daily).toHaveValue('77')
  await goInDesk(page, 'reasons/approved')
  await expect(template).toHaveValue('Only my label')
  await goInDesk(page, `review/${grown}`)
  await expect(confirmed).toBeChecked()
  await goInDesk(page, post)
  await expect(text).toContainText('Only my text.')
  await expect(page.locator('[data-save="saved"]')).toBeVisible()
})
