import type { Page, Request } from '@playwright/test'
import { dock, expect, shareDesk, test, toast } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { decideProject, listProjects, submitProject } from '../support/server/projects.ts'
import { handMadePng } from '../support/fixtures/images.ts'
import { skipWithout } from '../support/programs.ts'

// What happens when people continue to type, press keys and navigate before a request is answered.

test.skip(skipWithout('chromium'), 'needs Chromium')

const shared = shareDesk()
const opened = (page: Page, name: string): Promise<void> =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

interface Held {
  /** The bodies of the requests that the page has made. */
  sent: string[]
  /** Lets them go on, and waits for their answers. */
  release(): Promise<void>
}

/** Holds the requests of a page to a path. */
async function hold(page: Page, path: string, method: string): Promise<Held> {
  const held = Promise.withResolvers<void>()
  const requests: Request[] = []
  const sent: string[] = []
  await page.route(`**${path}`, async (route) => {
    const request = route.request()
    if (request.method() === method) {
      requests.push(request)
      sent.push(request.postData() ?? '')
      await held.promise
    }
    await route.continue()
  })
  return {
    sent,
    async release() {
      held.resolve()
      await Promise.all(requests.map((request) => request.response()))
    },
  }
}

test('a decision that is confirmed twice at once is sent once, and the next release is shown', async () => {
  await shared.desk.submit({ name: 'first-tool' })
  await shared.desk.submit({ name: 'second-tool' })
  const page = await shared.open('ilse', { at: '/review' })
  await opened(page, 'first-tool 1.0.0')
  await dock(page).getByRole('button', { name: 'Reject…' }).click()
  await page.getByLabel('Review notes for Marta Okafor').fill('The examples do not match.')
  const decisions = await hold(page, '/desk/api/releases/*/decision', 'POST')
  await page.getByLabel('Review notes for Marta Okafor').evaluate(async (field) => {
    const press = (): boolean =>
      field.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }),
      )
    press()
    // On a busy machine, the next key press comes before any timer.
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
    press()
  })
  await decisions.release()
  await opened(page, 'second-tool 1.0.0')
  await expect(toast(page)).toContainText('first-tool 1.0.0 will be rejected in')
  expect(decisions.sent).toHaveLength(1)
  await page.keyboard.press('z')
  await expect(toast(page)).toContainText('is pending again')
})

/** Opens one of three new releases, with the form to reject it. */
async function beginRejection(
  names: readonly [string, string, string],
): Promise<{ page: Page; ids: number[] }> {
  const ids: number[] = []
  for (const name of names) ids.push(await shared.desk.submit({ name }))
  const page = await shared.open('ilse', { at: `/review/${ids[0]}` })
  await opened(page, `${names[0]} 1.0.0`)
  await page.keyboard.press('r')
  await page.getByLabel('Review notes for Marta Okafor').fill('The examples do not match.')
  return { page, ids }
}

test('a decision leads to the release that is the next pending one by then', async () => {
  const { page, ids } = await beginRejection(['third-tool', 'fourth-tool', 'fifth-tool'])
  const decisions = await hold(page, '/desk/api/releases/*/decision', 'POST')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => decisions.sent).toHaveLength(1)
  await shared.desk.decide(ids[1] ?? 0, 'rejected')
  await expect(page.locator('[data-row]').filter({ hasText: 'fourth-tool' })).toContainText('rejected by')
  await decisions.release()
  await opened(page, 'fifth-tool 1.0.0')
})

test('a decision whose answer is lost counts as made once the release shows it', async () => {
  const { page } = await beginRejection(['sixth-tool', 'seventh-tool', 'eighth-tool'])
  await page.route('**/desk/api/releases/*/decision', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.keyboard.press('Control+Enter')
  await expect(toast(page)).toContainText('sixth-tool 1.0.0 will be rejected in')
  await opened(page, 'seventh-tool 1.0.0')
  await expect(page.getByText('Your notes were not sent')).toHaveCount(0)
})

test('a setting that is changed again while it is being saved stays unsaved', async () => {
  const page = await shared.open('ilse', { at: '/settings/limits' })
  const daily = page.getByRole('textbox', { name: 'Daily submissions per publisher', exact: true })
  await daily.fill('50')
  const saves = await hold(page, '/desk/api/settings', 'PUT')
  await daily.press('Control+Enter')
  await expect.poll(() => saves.sent).toHaveLength(1)
  await daily.fill('60')
  await saves.release()
  await expect(toast(page)).toContainText('Saved.')
  await expect(daily).toHaveValue('60')
  await expect(page.getByText('Unsaved changes. Saving takes effect immediately.')).toBeVisible()
  await daily.press('Control+Enter')
  await expect(page.getByText('No unsaved changes.')).toBeVisible()
  await expect(daily).toHaveValue('60')
})

test('templates that are edited while they are being saved keep the edit, and leaving the page is no conflict', async () => {
  const page = await shared.open('ilse', { at: '/reasons/approved' })
  const approve = page.getByRole('region', { name: 'Approve', exact: true })
  const label = approve.getByRole('textbox', { name: 'Label of template 1' })
  const other = approve.getByRole('textbox', { name: 'Label of template 2' })
  await label.fill('First label')
  const first = await hold(page, '/desk/api/reasons', 'PUT')
  await label.press('Control+Enter')
  await expect.poll(() => first.sent).toHaveLength(1)
  await other.fill('Second label')
  await first.release()
  await expect(toast(page)).toContainText('Templates saved.')
  await expect(label).toHaveValue('First label')
  await expect(other).toHaveValue('Second label')
  await expect(page.getByText(/saved the templates while you were editing/)).toHaveCount(0)

  await page.unroute('**/desk/api/reasons')
  const second = await hold(page, '/desk/api/reasons', 'PUT')
  await other.press('Control+Enter')
  await expect.poll(() => second.sent).toHaveLength(1)
  await goInDesk(page, 'services')
  await opened(page, 'Services')
  await second.release()
  await goInDesk(page, 'reasons/approved')
  await expect(other).toHaveValue('Second label')
  await expect(page.getByText('No unsaved changes.')).toBeVisible()
  await expect(page.getByText(/saved the templates while you were editing/)).toHaveCount(0)
})

test('a project that is edited while it is being saved keeps the edit, and leaving it is no conflict', async () => {
  const ilse = await shared.desk.client('ilse')
  await submitProject(shared.desk.registry, { title: 'Edited Project' })
  const [project] = await listProjects(ilse, 'pending')
  const page = await shared.open('ilse', { at: `/content/showcase/${project?.id}` })
  await opened(page, 'Edited Project')
  await page.keyboard.press('e')
  const editor = page.getByRole('region', { name: 'Edit Edited Project' })
  const tagline = editor.getByRole('textbox', { name: 'Tagline' })
  await tagline.fill('Once.')
  const first = await hold(page, '/desk/api/projects/*', 'PUT')
  await tagline.press('Control+Enter')
  await expect.poll(() => first.sent).toHaveLength(1)
  await tagline.fill('Twice.')
  await first.release()
  await expect(toast(page)).toContainText('Edited Project was saved.')
  await expect(tagline).toHaveValue('Twice.')
  await expect(page.getByRole('button', { name: 'Discard changes' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Keep my version' })).toHaveCount(0)

  await page.unroute('**/desk/api/projects/*')
  const second = await hold(page, '/desk/api/projects/*', 'PUT')
  await tagline.press('Control+Enter')
  await expect.poll(() => second.sent).toHaveLength(1)
  await goInDesk(page, 'services')
  await opened(page, 'Services')
  await second.release()
  await goInDesk(page, `content/showcase/${project?.id}`)
  await expect(page.getByRole('region', { name: 'Project Edited Project' })).toContainText('Twice.')
})

test('a decision on a project leads to the project that is the next pending one by then', async () => {
  const ilse = await shared.desk.client('ilse')
  for (const title of ['Project One', 'Project Two', 'Project Three'])
    await submitProject(shared.desk.registry, { title })
  const projects = await listProjects(ilse, 'pending')
  const [first, second] = ['Project One', 'Project Two'].map((one) =>
    projects.find(({ title }) => title === one),
  )
  const page = await shared.open('ilse', { at: `/content/showcase/${first?.id}` })
  await opened(page, 'Project One')
  await page.keyboard.press('r')
  const notes = page.getByRole('textbox', { name: /^Review notes/ })
  await notes.fill('An advertisement.')
  const decisions = await hold(page, '/desk/api/projects/*/decision', 'POST')
  await notes.press('Control+Enter')
  await expect.poll(() => decisions.sent).toHaveLength(1)
  await decideProject(ilse, second?.id ?? 0, 'rejected', 'An advertisement.')
  await expect(page.locator('[data-row]').filter({ hasText: 'Project Two' })).toContainText(/rejected/i)
  await decisions.release()
  await opened(page, 'Project Three')
})

/** Opens a new project, with the form to reject it. */
async function beginProjectRejection(title: string) {
  const ilse = await shared.desk.client('ilse')
  await submitProject(shared.desk.registry, { title })
  const id = (await listProjects(ilse, 'pending')).find((project) => project.title === title)?.id ?? 0
  const page = await shared.open('ilse', { at: `/content/showcase/${id}` })
  await opened(page, title)
  await page.keyboard.press('r')
  const notes = page.getByRole('textbox', { name: /^Review notes/ })
  await notes.fill('An advertisement.')
  return { ilse, page, id, notes }
}

test('a decision on a project whose answer is lost counts as made once the project shows it', async () => {
  const { page, notes } = await beginProjectRejection('Lost Answer')
  await page.route('**/desk/api/projects/*/decision', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await notes.press('Control+Enter')
  await expect(toast(page)).toContainText('Lost Answer')
  await expect(notes).toHaveCount(0)
  await expect(page.getByText('Your notes were not sent')).toHaveCount(0)
})

test('the notes of a decision are not offered again after its project was left while they were sent', async () => {
  const { ilse, page, id, notes } = await beginProjectRejection('Left Project')
  const decisions = await hold(page, '/desk/api/projects/*/decision', 'POST')
  await notes.press('Control+Enter')
  await expect.poll(() => decisions.sent).toHaveLength(1)
  await goInDesk(page, 'services')
  await opened(page, 'Services')
  await decisions.release()
  await decideProject(ilse, id, 'approved')
  await goInDesk(page, `content/showcase/${id}`)
  await expect(dock(page).getByRole('button', { name: 'Take down…' })).toBeVisible()
  await page.keyboard.press('x')
  await expect(notes).toBeFocused()
  await expect(notes).toHaveValue('')
  await decideProject(ilse, id, 'rejected', 'An advertisement.')
})

test('a message keeps what is typed while it is being sent, and is no draft after its release was left', async () => {
  const id = await shared.desk.submit({ name: 'asked-tool' })
  const next = await shared.desk.submit({ name: 'other-tool' })
  const page = await shared.open('ilse', { at: `/review/${id}` })
  const question = page.getByRole('textbox', { name: 'Question for Marta Okafor', exact: true })
  const log = page.getByRole('log', { name: 'Conversation' })
  await opened(page, 'asked-tool 1.0.0')
  await page.keyboard.press('q')
  await question.fill('Why the clock?')
  const first = await hold(page, '/desk/api/review/asked-tool/1.0.0/thread', 'POST')
  await question.press('Control+Enter')
  await expect.poll(() => first.sent).toHaveLength(1)
  await question.fill('And why random numbers?')
  await first.release()
  await expect(log).toContainText('Why the clock?')
  await expect(question).toHaveValue('And why random numbers?')

  await page.unroute('**/desk/api/review/asked-tool/1.0.0/thread')
  const second = await hold(page, '/desk/api/review/asked-tool/1.0.0/thread', 'POST')
  await question.press('Control+Enter')
  await expect.poll(() => second.sent).toHaveLength(1)
  await goInDesk(page, `review/${next}`)
  await opened(page, 'other-tool 1.0.0')
  await second.release()
  await goInDesk(page, `review/${id}`)
  await expect(log).toContainText('And why random numbers?')
  await expect(question).toHaveValue('')
})

test('a text that is written while an earlier version is being restored is not lost', async () => {
  const page = await shared.open('ilse', { at: '/content/blog' })
  const text = page.getByRole('textbox', { name: 'Post text (Markdown)' })
  const saved = page.locator('[data-save="saved"]')
  await page.getByRole('button', { name: 'New post' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Restored')
  await text.click()
  await page.keyboard.insertText('First text.')
  await expect(saved).toBeVisible()
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: /autosaved by Ilse Verbeek/ }).click()
  await text.click()
  const restores = await hold(page, '/desk/api/posts/*/versions/*/restore', 'POST')
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect.poll(() => restores.sent).toHaveLength(1)
  await text.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(' Written meanwhile.')
  await restores.release()
  await expect(page.getByRole('button', { name: /restored by Ilse Verbeek/ })).toBeVisible()
  await expect(text).toContainText('Written meanwhile.')
})

test('a version that is restored by a double click while the text is being saved is restored once', async () => {
  const page = await shared.open('ilse', { at: '/content/blog' })
  const text = page.getByRole('textbox', { name: 'Post text (Markdown)' })
  await page.getByRole('button', { name: 'New post' }).first().click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Restored once')
  await text.click()
  await page.keyboard.insertText('First text.')
  await expect(page.locator('[data-save="saved"]')).toBeVisible()
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: /autosaved by Ilse Verbeek/ }).click()
  const saves = await hold(page, '/desk/api/posts/*', 'PUT')
  const restores = await hold(page, '/desk/api/posts/*/versions/*/restore', 'POST')
  await text.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(' Second text.')
  const restore = page.getByRole('button', { name: 'Restore this version' })
  await restore.dispatchEvent('click')
  await expect.poll(() => saves.sent).toHaveLength(1)
  await restore.dispatchEvent('click')
  await saves.release()
  await expect.poll(() => restores.sent.length).toBeGreaterThan(0)
  await restores.release()
  await expect(page.getByRole('button', { name: /restored by Ilse Verbeek/ })).toBeVisible()
  await expect(page.getByText("Couldn't restore the version")).toHaveCount(0)
  expect(restores.sent).toHaveLength(1)
})

test('a text that is written while a deleted post becomes a new one is part of it', async () => {
  const page = await shared.open('ilse', { at: '/content/blog' })
  const text = page.getByRole('textbox', { name: 'Post text (Markdown)' })
  const saved = page.locator('[data-save="saved"]')
  const write = async (addition: string): Promise<void> => {
    await text.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText(addition)
  }
  await page.getByRole('button', { name: 'New post' }).first().click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Deleted meanwhile')
  await write('First.')
  await expect(saved).toBeVisible()
  const { pathname } = new URL(page.url())
  const tomas = await shared.desk.client('tomas')
  expect((await tomas.send('DELETE', `/posts/${pathname.split('/').at(-1)}`)).status).toBe(200)
  await write(' Second.')
  await expect(page.getByText('Not saved: this post was deleted')).toBeVisible()
  const creations = await hold(page, '/desk/api/posts', 'POST')
  await page.getByRole('button', { name: 'Continue as a new post' }).click()
  await expect.poll(() => creations.sent).toHaveLength(1)
  await write(' Third.')
  await creations.release()
  await expect.poll(() => new URL(page.url()).pathname).not.toBe(pathname)
  await expect(saved).toBeVisible()
  await expect(text).toContainText('First. Second. Third.')
})

test('projects that are moved in quick succession end up in the order that is shown', async () => {
  const ilse = await shared.desk.client('ilse')
  for (const title of ['Order A', 'Order B', 'Order C']) {
    await submitProject(shared.desk.registry, { title })
  }
  for (const { id, title } of await listProjects(ilse, 'pending')) {
    if (title.startsWith('Order')) await decideProject(ilse, id, 'approved')
  }
  const page = await shared.open('ilse', { at: '/content/showcase?view=approved' })
  const titles = page.getByRole('list', { name: 'Projects' }).locator('[data-row]')
  await expect(titles).toHaveCount(3)
  const [first = ''] = await titles.allTextContents()
  const [moved = ''] = /Order [ABC]/.exec(first) ?? []
  await opened(page, moved)
  const moves = await hold(page, '/desk/api/project-order', 'PUT')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(titles.last()).toContainText(moved)
  // Moves sent at the same time could arrive in any order.
  await expect.poll(() => moves.sent).toHaveLength(1)
  await moves.release()
  await expect.poll(async () => (await listProjects(ilse, 'approved')).at(-1)?.title).toBe(moved)
  expect(moves.sent).toHaveLength(2)
})

test('a deletion that ends after its page was left does not return to it', async () => {
  const page = await shared.open('ilse', { at: '/content/media' })
  const leaveWhile = async (path: string, confirm: () => Promise<void>): Promise<void> => {
    const deletions = await hold(page, path, 'DELETE')
    await confirm()
    await expect.poll(() => deletions.sent).toHaveLength(1)
    await goInDesk(page, 'people')
    await page.locator('[data-person]').first().waitFor()
    await deletions.release()
    await expect(toast(page)).toContainText('deleted')
    expect(page.url()).toMatch(/\/desk\/people$/)
  }
  await page
    .getByLabel('Upload', { exact: true })
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(handMadePng(40, 30)) })
  const images = page.getByRole('grid', { name: 'Images' })
  await expect(images.locator('[data-row-index]')).toHaveCount(1)
  await images.focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('complementary', { name: 'Image details' })
    .getByRole('button', { name: 'Delete…' })
    .click()
  await leaveWhile('/desk/api/images/*', () => page.keyboard.press('Control+Enter'))

  await page.getByRole('button', { name: 'Close notification' }).click()
  await goInDesk(page, 'content/blog')
  await page.getByRole('button', { name: 'New post' }).first().click()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  const confirm = page.getByRole('button', { name: 'Delete permanently' })
  await leaveWhile('/desk/api/posts/*', () => confirm.click())
})

test('a project is saved only once its new images are uploaded', async () => {
  await submitProject(shared.desk.registry, { title: 'Project With Uploads' })
  const projects = await listProjects(await shared.desk.client('ilse'), 'pending')
  const id = projects.find(({ title }) => title === 'Project With Uploads')?.id
  const page = await shared.open('ilse', { at: `/content/showcase/${id}` })
  await opened(page, 'Project With Uploads')
  await page.keyboard.press('e')
  const editor = page.getByRole('region', { name: 'Edit Project With Uploads' })
  const tagline = editor.getByRole('textbox', { name: 'Tagline' })
  await tagline.fill('With an image.')
  const uploads = await hold(page, '/desk/api/images', 'POST')
  const saves = await hold(page, '/desk/api/projects/*', 'PUT')
  await editor
    .getByLabel('Add image', { exact: true })
    .setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from(handMadePng(44, 33)) })
  await expect.poll(() => uploads.sent).toHaveLength(1)
  await tagline.press('Control+Enter')
  await expect(page.getByText('You can save once the images are uploaded.')).toBeVisible()
  await uploads.release()
  await editor.getByRole('group', { name: 'Image 1' }).getByRole('textbox').fill('A gray square.')
  await tagline.press('Control+Enter')
  await expect.poll(() => saves.sent).toHaveLength(1)
  expect(JSON.parse(saves.sent[0] ?? '')).toMatchObject({
    content: { pictures: [{ alt: 'A gray square.' }] },
  })
  await saves.release()
  await expect(toast(page)).toContainText('Project With Uploads was saved.')
})
