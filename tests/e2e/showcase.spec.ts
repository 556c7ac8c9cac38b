import type { Page } from '@playwright/test'
import { dock, expect, row, test, toast } from '../support/desk/desk-browser.ts'
import { handMadePng } from '../support/fixtures/images.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'
import {
  addImage,
  decideProject,
  listProjects,
  photoWithPlace,
  submitProject,
} from '../support/server/projects.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const titles = (page: Page) => page.getByRole('list', { name: 'Projects' }).locator('[data-row]')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const openShowcasePage = (page: Page, search = '') =>
  page.goto(new URL(`/desk/content/showcase${search}`, page.url()).href)
const openShowcase = async (page: Page, search = ''): Promise<void> => {
  await openShowcasePage(page, search)
  await expect(page.getByRole('complementary', { name: 'Projects' })).toBeVisible()
}

test('a submitted project is displayed safely, approved and published', async ({ desk, browser }) => {
  test.slow()
  const page = await desk.open('ilse')
  await test.step('a project is submitted with the public form, approved and published', async () => {
    const bar = page.getByRole('navigation', { name: 'Areas' })
    await expect(bar.getByRole('link', { name: /^Content/ })).toBeVisible()
    await expect(bar.getByRole('img', { name: '1 pending' })).toHaveCount(0)

    // An anonymous visitor whose browser has scripts disabled.
    const context = await browser.newContext({ javaScriptEnabled: false })
    const form = await context.newPage()
    await form.goto(`${desk.registry}/showcase/submit`)
    await form.getByLabel('Title').fill('Tide tables offline')
    await form.getByLabel('Tagline').fill('Tides for a harbor without a net.')
    await form.getByLabel('Your name').fill('Ada Okafor')
    await form.getByLabel('Description').fill('## What it does\n\nIt tells the *tides* of a harbor.')
    await form.getByLabel('Image 1').setInputFiles({
      name: 'harbor.jpg',
      mimeType: 'image/jpeg',
      buffer: await photoWithPlace(),
    })
    await form.getByLabel('Alt text').first().fill('A harbor at low tide.')
    await form.getByRole('button', { name: 'Submit for review' }).click()
    await expect(form.getByRole('heading', { name: 'Your project was submitted' })).toBeVisible()
    expect((await form.request.get(`${desk.registry}/showcase/tide-tables-offline`)).status()).toBe(404)

    await expect(bar.getByRole('img', { name: '1 pending' })).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page
      .getByRole('navigation', { name: 'Content' })
      .getByRole('link', { name: 'Showcase 1 pending' })
      .click()
    await expect(heading(page, 'Tide tables offline')).toBeVisible()
    const sheet = page.getByRole('region', { name: 'Project Tide tables offline' })
    await expect(sheet).toContainText('Tides for a harbor without a net.')
    await expect(sheet.getByRole('heading', { name: 'What it does' })).toBeVisible()
    await expect(sheet.getByRole('img', { name: 'A harbor at low tide.' })).toBeVisible()
    await expect(sheet).toContainText("This image contains location data. Published copies don't.")
    await sheet.getByRole('button', { name: 'A harbor at low tide.' }).click()
    await expect(sheet.getByRole('img', { name: 'A harbor at low tide.' })).toHaveAttribute(
      'data-rendition',
      'large',
    )
    await expect(sheet).toContainText('/showcase/tide-tables-offline')

    await page.keyboard.press('a')
    const approval = page.getByRole('form', { name: 'Approve Tide tables offline' })
    await expect(approval).toContainText('It becomes public at /showcase/tide-tables-offline immediately.')
    await page.keyboard.press('Control+Enter')
    await expect(toast(page)).toContainText('Tide tables offline was approved. Anyone can view it now.')
    await expect(bar.getByRole('img', { name: '1 pending' })).toHaveCount(0)
    await expect(row(page, 'Tide tables offline')).toContainText('approved by Ilse Verbeek')

    await form.goto(`${desk.registry}/showcase/tide-tables-offline`)
    await expect(form.getByRole('heading', { level: 1, name: 'Tide tables offline' })).toBeVisible()
    await expect(form.getByRole('img', { name: 'A harbor at low tide.' })).toBeVisible()
    await context.close()
  })
  await test.step('a submitted project runs no scripts in the desk and loads no images from other origins', async () => {
    const ilse = await desk.client('ilse')
    const { sha256 } = await addImage(ilse, handMadePng(40, 30))
    await submitProject(desk.registry, {
      title: 'Project\u200BOne <b>bold</b>',
      description: [
        '<script>document.title = "run"</script><img src=x onerror="document.title = 1">',
        '[press](javascript:alert(1)) ![far](https://example.com/far.png) pay\u200Bload',
        `![Of the library](image:${sha256})`,
      ].join('\n\n'),
    })
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await openShowcase(page)
    const sheet = page.getByRole('region', { name: /^Project Project/ })
    await expect(sheet.getByRole('heading', { level: 1 })).toContainText('U+200BOne <b>bold</b>')
    await expect(sheet).toContainText('<script>document.title = "run"</script>')
    await expect(sheet).toContainText('payU+200Bload')
    await expect(sheet.getByRole('link', { name: 'press' })).toHaveCount(0)
    await expect(sheet.getByRole('link', { name: 'far' })).toBeVisible()
    await expect(sheet.locator('img')).toHaveCount(1)
    await expect(sheet.getByRole('img', { name: 'Of the library' })).toHaveJSProperty('complete', true)
    expect(requested.filter((url) => new URL(url).origin !== desk.dashboard)).toEqual([])
    await expect(page).toHaveTitle(/Skilldock$/)
  })
})

test('two people decide and edit projects', async ({ desk }) => {
  test.setTimeout(120_000)
  const tomas = await desk.client('tomas')
  const page = await desk.open('ilse')
  await test.step('projects are decided with the keyboard, and a rejection requires review notes', async () => {
    for (const title of ['One', 'Two', 'Three']) {
      // One after another, so that their order is known.
      await submitProject(desk.registry, { title: `Project ${title}` })
    }
    await openShowcase(page)
    await expect(heading(page, 'Project One')).toBeVisible()
    await page.keyboard.press('j')
    await expect(heading(page, 'Project Two')).toBeVisible()
    await page.keyboard.press('r')
    const form = page.getByRole('form', { name: 'Reject Project Two' })
    await expect(form.getByRole('textbox', { name: /^Review notes/ })).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expect(form.getByRole('alert')).toContainText('Enter review notes.')
    expect(await violations(page, 'rejecting')).toEqual([])
    await form.getByRole('textbox', { name: /^Review notes/ }).focus()
    await page.keyboard.type('It is an advertisement.')
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await page.keyboard.press('r')
    await expect(form.getByRole('textbox', { name: /^Review notes/ })).toHaveValue('It is an advertisement.')
    await page.keyboard.press('Control+Enter')
    await expect(heading(page, 'Project Three')).toBeVisible()
    await expect(titles(page)).toHaveText([/^Project One/, /^Project Two/, /^Project Three/])
    await expect(row(page, 'Project Three')).toBeFocused()
    await expect(row(page, 'Project Two')).toContainText('rejected')

    await page.getByRole('link', { name: /^Rejected/ }).click()
    await expect(page.getByRole('region', { name: 'Project Project Two' })).toContainText(
      'It is an advertisement.',
    )
    await expect(dock(page).getByRole('button', { name: 'Reject…' })).toHaveCount(0)
    await page.keyboard.press('a')
    await page.getByRole('form', { name: 'Approve Project Two' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await expect(row(page, 'Project Two')).toContainText('approved')
  })
  await test.step('the slower of two administrators sees who decided and keeps the review notes', async () => {
    await openShowcase(page)
    await expect(heading(page, 'Project One')).toBeVisible()
    await page.keyboard.press('r')
    await page.getByRole('textbox', { name: /^Review notes/ }).fill('It is an advertisement.')
    const [{ id } = { id: 0 }] = await listProjects(tomas, 'pending')
    await decideProject(tomas, id, 'approved', 'Fine.')
    const alert = dock(page).getByRole('alert')
    await expect(alert).toContainText('Tomáš Novák approved this')
    await expect(alert).toContainText('“Fine.”')
    await expect(alert).toContainText('Your notes were not sent')
    await page.keyboard.press('Escape')
    await expect(dock(page).getByRole('button', { name: 'Take down…' })).toBeVisible()
  })
  await test.step('a conflicting edit by someone else is shown before it would be overwritten', async () => {
    await openShowcase(page)
    await expect(heading(page, 'Project Three')).toBeVisible()
    await page.keyboard.press('e')
    const editor = page.getByRole('region', { name: /^Edit/ })
    const tagline = editor.getByRole('textbox', { name: 'Tagline' })
    await tagline.fill('Mine.')
    const [{ id } = { id: 0 }] = await listProjects(tomas, 'pending')
    const { body } = await tomas.get<{ revision: number; content: Record<string, unknown> }>(
      `/projects/${id}`,
    )
    const saved = await tomas.send('PUT', `/projects/${id}`, {
      revision: body.revision,
      content: { ...body.content, tagline: 'Theirs.' },
    })
    expect(saved.status).toBe(200)

    await expect(editor.getByRole('alert')).toContainText(
      'Someone else saved this project while you were editing it',
    )
    await page.keyboard.press('Control+Enter')
    await expect(tagline).toHaveValue('Mine.')
    await editor.getByRole('button', { name: 'Use their version' }).click()
    await expect(tagline).toHaveValue('Theirs.')
    await tagline.fill('Both.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('region', { name: /^Project/ })).toContainText('Both.')
  })
  await test.step('a deletion is canceled when someone else decides or deletes the project', async () => {
    await submitProject(desk.registry, { title: 'Project Four' })
    await submitProject(desk.registry, { title: 'Project Five' })
    const [, one, two] = (await listProjects(tomas, 'pending')).map(({ id }) => id)
    await decideProject(tomas, one ?? 0, 'rejected', 'An advertisement.')
    await decideProject(tomas, two ?? 0, 'rejected', 'An advertisement.')
    await openShowcase(page, '?view=rejected')
    await expect(heading(page, 'Project Five')).toBeVisible()
    await page.keyboard.press('x')
    await decideProject(tomas, two ?? 0, 'approved', 'Fine.')
    await expect(dock(page).getByRole('button', { name: 'Take down…' })).toBeVisible()
    await expect(dock(page)).toBeFocused()

    await row(page, 'Project Four').click()
    await expect(heading(page, 'Project Four')).toBeVisible()
    await page.keyboard.press('x')
    await expect(dock(page).getByRole('button', { name: 'Delete', exact: true })).toBeFocused()
    expect((await tomas.send('DELETE', `/projects/${one}`)).status).toBe(200)
    await expect(page.getByText('This project was deleted')).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(row(page, 'Project Four')).toHaveCount(0)
    await expect(heading(page, 'Project Five')).toBeVisible()
  })
  await test.step('a project whose URL is taken cannot be approved until it is changed', async () => {
    // Both get the same slug, since neither is approved yet.
    await submitProject(desk.registry, { title: 'Project Six' })
    await submitProject(desk.registry, { title: 'Project Six', author: 'Sana Iqbal' })
    const [, first] = await listProjects(tomas, 'pending')
    await decideProject(tomas, first?.id ?? 0, 'approved')
    await openShowcase(page)
    await row(page, 'Project Six').click()
    const approve = dock(page).getByRole('button', { name: 'Approve…' })
    await expect(approve).toHaveAttribute('aria-disabled', 'true')
    await expect(approve).toHaveAccessibleDescription(
      /Another project already uses the URL \/showcase\/project-six/,
    )
    await page.keyboard.press('a')
    await expect(page.getByRole('form')).toHaveCount(0)
  })
  await test.step('the list is a drawer in a narrow window', async () => {
    await page.setViewportSize({ width: 1000, height: 700 })
    await openShowcasePage(page)
    const list = page.getByRole('complementary', { name: 'Projects' })
    await expect(list).toBeHidden()
    await page.getByRole('button', { name: 'Projects' }).click()
    await row(page, 'Project Six').click()
    await expect(heading(page, 'Project Six')).toBeVisible()
    await expect(list).toBeHidden()

    // A drawer that was opened before the first project is selected stays open.
    const known = Promise.withResolvers<void>()
    await page.route('**/desk/api/projects?*', async (route) => {
      await known.promise
      await route.continue()
    })
    await openShowcasePage(page)
    await page.getByRole('button', { name: 'Projects' }).click()
    await expect(list).toBeVisible()
    known.resolve()
    await expect(heading(page, 'Project Three')).toBeVisible()
    await expect(row(page, 'Project Six')).toBeVisible()
  })
})

test('approved projects are reordered, rejected ones deleted, and any of them edited', async ({ desk }) => {
  test.setTimeout(120_000)
  const ilse = await desk.client('ilse')
  const page = await desk.open('ilse')
  await test.step('a rejected project is deleted with its images, with the keyboard, after a confirmation', async () => {
    const pictures = [
      { bytes: handMadePng(64, 48), alt: 'One.' },
      { bytes: handMadePng(48, 64), alt: 'Two.' },
    ]
    await submitProject(desk.registry, { title: 'Project One', pictures })
    await submitProject(desk.registry, { title: 'Project Two', pictures: pictures.slice(1) })
    await submitProject(desk.registry, { title: 'Project Three' })
    await openShowcase(page)
    await expect(heading(page, 'Project One')).toBeVisible()
    await expect(dock(page).getByRole('button', { name: 'Delete…' })).toHaveCount(0)
    for (const { id } of await listProjects(ilse, 'pending')) {
      await decideProject(ilse, id, 'rejected', 'An advertisement.')
    }

    await openShowcase(page, '?view=rejected')
    await expect(titles(page)).toHaveText([/^Project Three/, /^Project Two/, /^Project One/])
    await row(page, 'Project One').click()
    await expect(heading(page, 'Project One')).toBeVisible()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toContainText('Delete Project One…')
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await expect(dock(page)).toContainText(
      'The project and 1 image used nowhere else will be permanently deleted.',
    )
    await expect(dock(page).getByRole('button', { name: 'Delete', exact: true })).toBeFocused()
    expect(await violations(page, 'deleting')).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dock(page).getByRole('button', { name: 'Delete…' })).toBeVisible()
    expect(await listProjects(ilse, 'rejected')).toHaveLength(3)

    await row(page, 'Project Two').click()
    await expect(heading(page, 'Project Two')).toBeVisible()
    await dock(page).getByRole('button', { name: 'Delete…' }).click()
    await expect(dock(page)).toContainText('The project will be permanently deleted.')
    await page.keyboard.press('Control+Enter')
    await expect(toast(page)).toContainText('Project Two was deleted.')
    await expect(titles(page)).toHaveText([/^Project Three/, /^Project One/])
    await expect(row(page, 'Project One')).toBeFocused()
    await expect(heading(page, 'Project One')).toBeVisible()

    await page.keyboard.press('x')
    await expect(dock(page)).toContainText(
      'The project and 2 images used nowhere else will be permanently deleted.',
    )
    await page.keyboard.press('Control+Enter')
    await expect(row(page, 'Project Three')).toBeFocused()
    await expect(heading(page, 'Project Three')).toBeVisible()
    await page.keyboard.press('x')
    await page.keyboard.press('Control+Enter')
    await expect(titles(page)).toHaveCount(0)
    await expect(page.getByText('No project selected')).toBeVisible()
    await expect(page.getByRole('link', { name: /^Rejected/ })).toBeFocused()
    expect(await listProjects(ilse, 'rejected')).toEqual([])
  })
  await test.step('new submissions and a new order are announced, and shown on request', async () => {
    await submitProject(desk.registry, { title: 'Project One' })
    await submitProject(desk.registry, { title: 'Project Two' })
    await openShowcase(page)
    await expect(titles(page)).toHaveCount(2)
    await submitProject(desk.registry, {
      title: 'Project Three',
      pictures: [{ bytes: await photoWithPlace(), alt: 'Noise.' }],
    })
    await expect(page.getByRole('button', { name: /1 new submission/ })).toBeVisible()
    await expect(titles(page)).toHaveCount(2)
    await page.keyboard.press('.')
    await expect(titles(page)).toHaveCount(3)

    for (const { id } of await listProjects(ilse, 'pending')) {
      await decideProject(ilse, id, 'approved')
    }
    await openShowcase(page, '?view=approved')
    await expect(titles(page)).toHaveText([/^Project Three/, /^Project Two/, /^Project One/])
    const [last] = (await listProjects(ilse, 'approved')).toReversed()
    const [first] = await listProjects(ilse, 'approved')
    await ilse.send('PUT', '/project-order', { id: last?.id, before: first?.id })
    await expect(page.getByRole('button', { name: /new order/ })).toBeVisible()
    await expect(titles(page)).toHaveText([/^Project Three/, /^Project Two/, /^Project One/])
    await page.keyboard.press('.')
    await expect(titles(page)).toHaveText([/^Project One/, /^Project Three/, /^Project Two/])
  })
  await test.step('an approved project is featured, reordered with keys and by dragging, and taken down', async () => {
    const onPage = async (): Promise<string[]> => {
      const text = await (await fetch(`${desk.registry}/showcase`)).text()
      return [...new Set([...text.matchAll(/\/showcase\/(project-\w+)"/g)].map(([, slug = '']) => slug))]
    }
    // Project Three was the first and is still selected.
    await expect(heading(page, 'Project Three')).toBeVisible()
    await page.keyboard.press('Shift+ArrowDown')
    await expect(titles(page)).toHaveText([/^Project One/, /^Project Two/, /^Project Three/])
    await expect.poll(onPage).toEqual(['project-one', 'project-two', 'project-three'])

    await row(page, 'Project Two').dragTo(row(page, 'Project One'), { targetPosition: { x: 40, y: 6 } })
    await expect(titles(page)).toHaveText([/^Project Two/, /^Project One/, /^Project Three/])
    await expect.poll(onPage).toEqual(['project-two', 'project-one', 'project-three'])

    await page.keyboard.press('f')
    await expect(page.getByRole('button', { name: 'Featured' })).toHaveAttribute('aria-pressed', 'true')
    await expect(titles(page)).toHaveText([/^Project Three.*featured/, /^Project Two/, /^Project One/])
    await expect(page.getByRole('region', { name: 'Project Project Three' }).locator('img')).toBeVisible()
    expect(await violations(page, 'approved and featured')).toEqual([])
    await expect.poll(onPage).toEqual(['project-three', 'project-two', 'project-one'])
    // Other projects cannot be moved among the featured ones.
    await page.keyboard.press('Shift+ArrowDown')
    await expect(titles(page)).toHaveText([/^Project Three/, /^Project Two/, /^Project One/])

    await page.keyboard.press('x')
    const form = page.getByRole('form', { name: 'Take down Project Three' })
    await form.getByRole('textbox', { name: /^Review notes/ }).fill('Its author asked for it.')
    await page.keyboard.press('Control+Enter')
    await expect(toast(page)).toContainText('Project Three was taken down. It is no longer public.')
    expect((await fetch(`${desk.registry}/showcase/project-three`)).status).toBe(404)
  })
  await test.step('a project is edited: text, URL, links and images', async () => {
    const bytes = handMadePng(64, 48)
    await submitProject(desk.registry, { title: 'Project Two', pictures: [{ bytes, alt: 'Noise.' }] })

    await openShowcase(page)
    await expect(heading(page, 'Project Two')).toBeVisible()
    await page.keyboard.press('e')
    const editor = page.getByRole('region', { name: 'Edit Project Two' })
    await expect(editor.getByRole('textbox', { name: 'Title' })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
    await page.keyboard.press('Control+Enter')
    const address = editor.getByRole('textbox', { name: /^URL, after/ })
    await address.fill('project-one')
    await expect(editor).toContainText('project-one-2 is available.')
    await address.fill('Two words')
    await editor.getByRole('textbox', { name: 'Tagline' }).fill('Fixed.')
    await page.keyboard.press('Control+Enter')
    await expect(editor).toContainText('Use lowercase letters, digits and single hyphens.')
    await expect(address).toBeFocused()
    await expect(page.getByText('Fix 1 field before saving.')).toBeVisible()
    expect(await violations(page, 'fields')).toEqual([])
    await address.fill('second-project')
    await expect(editor.getByText('available', { exact: true })).toBeVisible()

    await editor.getByRole('button', { name: 'Add link' }).click()
    const link = editor.getByRole('group', { name: 'Link 2' })
    await expect(link.getByRole('textbox', { name: 'Label' })).toBeFocused()
    await page.keyboard.type('Manual')
    await link.getByRole('textbox', { name: 'URL' }).fill('https://example.com/manual')
    await editor.getByLabel('Add image', { exact: true }).setInputFiles({
      name: 'chart.png',
      mimeType: 'image/png',
      buffer: handMadePng(80, 60),
    })
    const added = editor.getByRole('group', { name: 'Image 2' })
    await added.getByRole('textbox', { name: 'Alt text' }).fill('A chart.')
    await added.getByRole('button', { name: 'Move image 2 up' }).click()
    await page.keyboard.press('Control+Enter')

    await expect(toast(page)).toContainText('Project Two was saved.')
    const sheet = page.getByRole('region', { name: 'Project Project Two' })
    await expect(sheet).toContainText('Fixed.')
    await expect(sheet.locator('img')).toHaveCount(2)
    await expect(sheet.locator('img').first()).toHaveAccessibleName('A chart.')
    await expect(sheet.getByRole('link', { name: 'https://example.com/manual' })).toBeVisible()
    await expect(sheet).toContainText('/showcase/second-project')
  })
})
