import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { DeskPost } from '../../src/shared/contracts/desk-posts.ts'
import { serve } from '../support/server/command-line.ts'
import { expect, shareDesk, test, toast } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const text = (page: Page) => page.getByRole('textbox', { name: 'Post text (Markdown)' })
const title = (page: Page) => page.getByRole('textbox', { name: 'Title' })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const saved = (page: Page) => page.locator('[data-save="saved"]')
const altText = (page: Page) => page.getByRole('textbox', { name: 'Alt text' })

const makeImage = (width: number, height: number, background = '#3b6cb4'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

/** Creates a post with a title and a text, and waits until it is saved. */
async function begin(page: Page, name: string, markdown: string): Promise<void> {
  await goInDesk(page, 'content/blog')
  await page.getByRole('button', { name: 'New post' }).click()
  await expect(title(page)).toBeFocused()
  await page.keyboard.insertText(name)
  await page.keyboard.press('Enter')
  await expect(text(page)).toBeFocused()
  await page.keyboard.insertText(markdown)
  await expect(preview(page)).toContainText(markdown.split('\n').at(-1) ?? '')
  await expect(saved(page)).toBeVisible()
}

/** The path of the current screen, relative to `/desk/`. */
const pathInDesk = (page: Page): string => new URL(page.url()).pathname.replace('/desk/', '')

/** Pastes files into the text, or drops them onto it. */
async function bring(
  page: Page,
  how: 'paste' | 'drop',
  files: { name: string; bytes: Buffer }[],
): Promise<void> {
  const given = files.map(({ name, bytes }) => ({ name, data: bytes.toString('base64') }))
  await text(page).evaluate(
    (element, [kind, list]) => {
      const transfer = new DataTransfer()
      for (const { name, data } of list) {
        const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
        transfer.items.add(new File([bytes], name, { type: 'image/png' }))
      }
      const { right, top } = element.getBoundingClientRect()
      const event =
        kind === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
          : new DragEvent('drop', {
              dataTransfer: transfer,
              clientX: right - 4,
              clientY: top + 20,
              bubbles: true,
              cancelable: true,
            })
      element.dispatchEvent(event)
    },
    [how, given] as const,
  )
}

test('posts of an empty desk are scheduled, published, and survive a crash', async ({
  separateDesk: desk,
}) => {
  test.slow()
  const page = await desk.open('ilse')
  await test.step('a post is scheduled, unscheduled, restored from its history and deleted', async () => {
    await begin(page, 'Later', 'First text.')
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('radio', { name: 'Later' }).click()
    await page.getByLabel('Publish on').fill('2020-01-01T10:00')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await expect(page.getByText('Choose a time in the future.')).toBeVisible()
    await page.getByLabel('Publish on').fill('2099-01-01T10:00')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await expect(toast(page)).toContainText('Later is scheduled for 1 Jan 2099 10:00.')
    expect((await fetch(`${desk.registry}/blog/later`)).status).toBe(404)
    await page.getByRole('button', { name: 'Scheduled…' }).click()
    await page.getByRole('button', { name: 'Unschedule' }).click()
    await expect(toast(page)).toContainText('Later is a draft again.')

    await page.keyboard.press('Escape')
    await text(page).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('Second text.')
    await page.keyboard.press('Control+s')
    await expect(preview(page)).toContainText('Second text.')
    await expect(saved(page)).toBeVisible()
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('button', { name: /published by Ilse Verbeek/ }).click()
    await expect(page.getByRole('group', { name: 'Text changes' })).toContainText('First text.')
    await page.getByRole('button', { name: 'Restore this version' }).click()
    await expect(text(page)).toContainText('First text.')
    await expect(page.getByRole('button', { name: /restored by Ilse Verbeek/ })).toBeVisible()

    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await expect(page.getByText('No posts yet')).toBeVisible()
  })
  await goInDesk(page, 'review')
  await test.step('a post with a pasted image is written, published and listed in the feed', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await expect(page.getByText('No posts yet')).toBeVisible()
    await page.keyboard.press('n')
    await expect(title(page)).toBeFocused()
    await page.keyboard.type('Three checks after October')
    await page.keyboard.press('Enter')
    await expect(text(page)).toBeFocused()
    await page.keyboard.insertText('Someone sent us a validator.\n\n## One letter away\n\n')
    await bring(page, 'paste', [{ name: 'names.png', bytes: await makeImage(1440, 612) }])
    await expect(altText(page)).toBeFocused()
    await page.keyboard.type('Two names, one above the other')
    await expect(
      page.getByRole('group', { name: /^Image / }).getByRole('button', { name: 'Remove' }),
    ).toBeVisible()
    // The field keeps the focus when the upload finishes.
    await expect(altText(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(text(page)).toBeFocused()
    await expect(altText(page)).toHaveCount(0)
    await expect(text(page)).toContainText(/!\[Two names, one above the other\]\(image:[0-9a-f]{8}…\)/)
    const shown = preview(page).getByRole('img', { name: 'Two names, one above the other' })
    await expect.poll(() => shown.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1440)
    await expect(page.getByText('/blog/three-checks-after-october')).toBeVisible()
    await expect(page.getByRole('group', { name: 'Post status' })).toContainText('available')

    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('button', { name: 'Publish now' })).toBeFocused()
    await expect(page.getByText('Goes live immediately at /blog/three-checks-after-october')).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(toast(page)).toContainText('Three checks after October was published.')
    await expect(page.getByRole('button', { name: 'Published…' })).toBeFocused()

    const reader = await page.context().newPage()
    await reader.goto(`${desk.registry}/blog/three-checks-after-october`)
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Three checks after October')
    const onPage = reader.getByRole('img', { name: 'Two names, one above the other' })
    await expect.poll(() => onPage.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
    await expect(onPage).toHaveAttribute('src', /\/media\//)
    const feed = await fetch(`${desk.registry}/api/blog/feed.xml`)
    expect(await feed.text()).toContain('/blog/three-checks-after-october')

    await page.getByRole('link', { name: 'All posts' }).click()
    await expect(page.getByRole('row', { name: /Three checks after October/ })).toContainText('published')
    await expect(page.getByRole('navigation', { name: 'Content' })).toContainText('Blog1')
  })
  await test.step('unsaved text survives a crash of the server and then of the desk', async () => {
    await begin(page, 'Survivor', 'Before the crash.')
    const address = page.url()
    desk.kill('SIGKILL')
    await desk.ended
    await text(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('\n\nAfter the crash.')
    await expect(page.getByText("Not saved: Skilldock isn't responding")).toBeVisible()
    // It survives both navigation and closing the desk.
    await page.getByRole('link', { name: 'All posts' }).click()
    await expect(page.getByRole('heading', { name: 'Blog' })).toBeVisible()
    await page.goBack()
    await expect(text(page)).toContainText('After the crash.')
    const context = page.context()
    await page.close()

    // Local storage belongs to the desk's origin, so the port must be the same.
    const again = await serve(desk.folder, { SKILLDOCK_DASHBOARD_PORT: new URL(address).port })
    try {
      const next = await context.newPage()
      await next.goto(`${again.dashboard}${new URL(address).pathname}`)
      await expect(next.getByText(/^Recovered unsaved changes from/)).toBeVisible()
      await expect(text(next)).toContainText('After the crash.')
      await expect(saved(next)).toBeVisible()
      await next.reload()
      await expect(text(next)).toContainText('After the crash.')
      await expect(next.getByText(/^Recovered unsaved changes/)).toHaveCount(0)
    } finally {
      await context.close()
      await again.stop()
    }
  })
})

test.describe('on one desk', () => {
  const shared = shareDesk()

  test('the editor, the details of a post, and its images', async () => {
    test.slow()
    const { desk } = shared
    const page = await shared.open('ilse')
    await test.step('Enter in the title moves to the text even while the editor is being loaded', async () => {
      const held = Promise.withResolvers<void>()
      await page.route('**/assets/markdown-field-*.js', async (route) => {
        await held.promise
        await route.continue()
      })
      await goInDesk(page, 'content/blog')
      await page.getByRole('button', { name: 'New post' }).click()
      await expect(title(page)).toBeFocused()
      // The key arrives after the editor's element is added, and before its effects have run.
      await page.evaluate(() => {
        new MutationObserver((_changes, observer) => {
          if (document.querySelector('#markdown-field-keys') === null) return
          observer.disconnect()
          const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })
          document.querySelector('#post-title')?.dispatchEvent(enter)
        }).observe(document.body, { subtree: true, childList: true })
      })
      held.resolve()
      await expect(text(page)).toBeFocused()
    })
    await test.step('the details are URL, summary, tags and cover; a taken URL comes with an available suggestion', async () => {
      await begin(page, 'Same title', 'One.')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('button', { name: 'Publish now' }).click()
      await expect(toast(page)).toContainText('was published')
      await begin(page, 'Same title', 'Two.')
      await expect(page.getByRole('group', { name: 'Post status' })).toContainText('taken')
      await page.getByRole('link', { name: 'All posts' }).click()
      await expect(page.getByRole('row', { name: /Same title/ })).toHaveCount(2)
      for (const key of ['j', 'j', 'k', 'Enter']) {
        await page.keyboard.press(key)
      }
      await expect(text(page)).toContainText('Two.')
      await page.getByRole('button', { name: 'Details' }).click()
      await expect(page.getByLabel('URL', { exact: true })).toBeFocused()
      await page.getByRole('button', { name: 'Use same-title-2' }).click()
      await expect(page.getByLabel('URL', { exact: true })).toHaveValue('same-title-2')
      await page.getByLabel('URL', { exact: true }).fill('Not an address')
      await expect(page.getByText(/^Use lowercase letters/)).toBeVisible()
      await page.getByLabel('Summary').fill('In one sentence.')
      await page.getByLabel('Tags').fill('Review, Two words')
      await expect(page.getByText('Saved as review, two-words.')).toBeVisible()
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Upload…' }).click()
      const buffer = await makeImage(300, 200)
      await (await choosing).setFiles({ name: 'cover.png', mimeType: 'image/png', buffer })
      await page.getByLabel('Cover alt text').fill('A blue field')
      await expect(saved(page)).toBeVisible()
      await page.reload()
      await expect(page.getByLabel('URL', { exact: true })).toHaveValue('same-title-2')
      await expect(page.getByLabel('Summary')).toHaveValue('In one sentence.')
      await expect(page.getByLabel('Tags')).toHaveValue('review, two-words')
      await expect(page.getByLabel('Cover alt text')).toHaveValue('A blue field')
      await page.keyboard.press('Escape')
      await expect(preview(page).getByRole('img', { name: 'A blue field' })).toBeVisible()
    })
    await test.step('the editor is entered and left with the keyboard, and formats with keys and buttons', async () => {
      await begin(page, 'Keys', 'word')
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Control+b')
      await expect(text(page)).toHaveText(/\*\*word\*\*/)
      await page.keyboard.press('Control+b')
      await expect(text(page)).not.toContainText('**')
      await page.getByRole('button', { name: 'Quote' }).click()
      await expect(text(page)).toContainText('> word')
      await expect(text(page)).toBeFocused()
      await expect(text(page)).toHaveAttribute('spellcheck', 'true')
      await page.keyboard.press('Tab')
      await expect(preview(page)).toBeFocused()
      await page.keyboard.press('Shift+Tab')
      await expect(text(page)).toBeFocused()
      await expect(preview(page).locator('blockquote')).toHaveCount(1)
    })
    await test.step('the preview runs no scripts and loads nothing from other origins', async () => {
      const requested: string[] = []
      page.on('request', (request) => requested.push(new URL(request.url()).origin))
      await begin(
        page,
        'Hostile',
        [
          '[press](javascript:alert(1)) <img src=x onerror=alert(1)> <style>*{display:none}</style>',
          '![far](https://elsewhere.example/a.png) ![data](data:image/svg+xml,<svg/>)',
          '[ref]: javascript:alert(1)',
          '<script>alert(1)</script>',
          '[by reference][ref]',
          'The end.',
        ].join('\n\n'),
      )
      const article = preview(page).getByRole('article')
      await expect(article.locator('img, style, script, iframe, svg')).toHaveCount(0)
      await expect(article.getByRole('link')).toHaveCount(1)
      await expect(article.getByRole('link', { name: 'far' })).toHaveAttribute(
        'href',
        'https://elsewhere.example/a.png',
      )
      await expect(article).toContainText('<script>alert(1)</script>')
      expect(new Set(requested)).toEqual(new Set([desk.dashboard]))
    })
    await test.step('images are added by button and by drop, uploads can be canceled, and problems prevent publishing', async () => {
      await begin(page, 'Images', 'Words')
      const held = Promise.withResolvers<void>()
      await page.route('**/desk/api/images', async (route) => {
        if (route.request().method() === 'POST') await held.promise
        await route.continue().catch(() => undefined)
      })
      await bring(page, 'drop', [
        { name: 'one.png', bytes: await makeImage(40, 30) },
        { name: 'two.png', bytes: await makeImage(50, 30, '#aa3322') },
      ])
      const one = page.getByRole('group', { name: 'Image one.png' })
      const two = page.getByRole('group', { name: 'Image two.png' })
      await expect(two.getByRole('progressbar')).toBeVisible()
      await expect(one).toContainText('dropped, PNG, 40 × 30')
      await expect(preview(page)).toContainText('one.png is not uploaded yet')
      await page.getByRole('button', { name: 'Publish…' }).click()
      await expect(page.getByRole('list', { name: 'Before you publish' })).toContainText(
        'Upload or remove one.png.',
      )
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: 'Publish…' })).toBeFocused()

      await one.getByRole('button', { name: 'Cancel' }).click()
      await expect(one).toHaveCount(0)
      await expect(text(page)).not.toContainText('one.png')
      held.resolve()
      await expect(two).toHaveCount(0)
      await expect(page.getByRole('group', { name: /^Image / })).toContainText('required before publishing')

      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Image…' }).click()
      await (
        await choosing
      ).setFiles({ name: 'not.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
      const refused = page.getByRole('group', { name: 'Image not.png' })
      await expect(refused.getByRole('alert')).toBeVisible()
      await refused.getByRole('button', { name: 'Remove' }).click()
      await expect(refused).toHaveCount(0)

      await page.keyboard.press('Control+Enter')
      const missing = page.getByRole('list', { name: 'Before you publish' })
      await expect(missing.getByRole('listitem')).toHaveText([/Add alt text to an image/])
      await page.keyboard.press('Control+Enter')
      await expect(page.locator('header').getByText('draft')).toBeVisible()
      await altText(page).fill('A red field')
      await expect(missing).toHaveCount(0)
      await page.getByRole('button', { name: 'Publish now' }).click()
      await expect(toast(page)).toContainText('Images was published.')
    })
  })

  test('two people edit one post', async () => {
    test.slow()
    const [page, tomas] = [await shared.open('ilse'), await shared.open('tomas')]
    await test.step('two tabs with one post show each other, and an idle tab follows the changes of the other', async () => {
      await begin(page, 'Two tabs', 'One.')
      const second = await page.context().newPage()
      await second.goto(page.url())
      await expect(page.getByText('Also open in another of your tabs')).toBeVisible()
      await expect(second.getByText('Also open in another of your tabs')).toBeVisible()
      await goInDesk(tomas, pathInDesk(page))
      await expect(tomas.getByText('Ilse Verbeek also has this post open. And 1 more.')).toBeVisible()
      await expect(page.getByText(/And 1 more/)).toBeVisible()
      await goInDesk(tomas, 'review')
      await expect(page.getByText(/And 1 more/)).toHaveCount(0)

      await text(page).click()
      await page.keyboard.press('Control+End')
      await page.keyboard.insertText(' Two.')
      await expect(text(second)).toContainText('One. Two.')
      await second.close()
      await expect(page.getByText('Also open in another of your tabs')).toHaveCount(0)
    })
    await test.step('a post that was saved on an earlier day shows that day', async () => {
      const later = await page.context().newPage()
      await later.clock.setFixedTime(Date.now() + 24 * 3_600_000)
      await later.goto(page.url())
      await expect(saved(later)).toHaveText(/^saved \d+ [A-Z][a-z]{2} /)
      await later.close()
    })
    await test.step('of two tabs with unsaved text, reopening the post in one does not discard the text of the other', async () => {
      await begin(page, 'Two drafts', 'Start.')
      const path = pathInDesk(page)
      const second = await page.context().newPage()
      await second.goto(page.url())
      await page.route('**/desk/api/posts/*', (route) =>
        route.request().method() === 'PUT' ? route.abort() : route.continue(),
      )
      // Also while the tab is being closed, when Playwright no longer intercepts its requests.
      await second.evaluate(() => {
        const { fetch: send } = globalThis
        globalThis.fetch = (address, options) =>
          options?.method === 'PUT' ? Promise.reject(new TypeError('offline')) : send(address, options)
      })
      for (const [tab, addition] of [
        [page, ' First tab.'],
        [second, ' Second tab.'],
      ] as const) {
        await text(tab).click()
        await tab.keyboard.press('Control+End')
        await tab.keyboard.insertText(addition)
        await expect(tab.getByText("Not saved: Skilldock isn't responding")).toBeVisible()
      }
      await goInDesk(page, 'review')
      await second.close()
      await goInDesk(page, path)
      await expect(text(page)).toContainText('Start. First tab.')
      await expect(page.getByText(/^Recovered/)).toHaveCount(0)
      await page.unroute('**/desk/api/posts/*')
      await expect(saved(page)).toBeVisible()
      await goInDesk(page, 'review')

      const third = await page.context().newPage()
      await third.goto(new URL(`/desk/${path}`, page.url()).href)
      await expect(text(third)).toContainText('Start. Second tab.')
      await third.close()
    })
    await test.step('a post that is deleted while it is edited can continue as a new one', async () => {
      await begin(page, 'Gone', 'Start.')
      await goInDesk(tomas, `${pathInDesk(page)}?panel=publish`)
      await tomas.getByRole('button', { name: 'Delete…' }).click()
      await tomas.getByRole('button', { name: 'Delete permanently' }).click()
      await expect(tomas.getByRole('heading', { name: 'Blog' })).toBeVisible()
      await expect(tomas.getByRole('row', { name: /Gone/ })).toHaveCount(0)
      await text(page).click()
      await page.keyboard.press('Control+End')
      await page.keyboard.insertText(' More.')
      await expect(page.getByText('Not saved: this post was deleted')).toBeVisible()
      await page.getByRole('button', { name: 'Continue as a new post' }).click()
      await expect(text(page)).toContainText('Start. More.')
      await expect(page.getByText('Not saved')).toHaveCount(0)
      await expect(title(page)).toHaveValue('Gone')
    })
    await test.step('of two conflicting versions of a post, neither is lost', async () => {
      await begin(page, 'Both', 'Start.')
      await goInDesk(tomas, pathInDesk(page))
      await expect(text(tomas)).toContainText('Start.')
      const held = Promise.withResolvers<void>()
      await tomas.route('**/desk/api/posts/*', async (route) => {
        if (route.request().method() === 'PUT') await held.promise
        await route.continue()
      })
      for (const [one, addition] of [
        [tomas, 'From Tomáš. '],
        [page, 'From Ilse. '],
      ] as const) {
        await text(one).click()
        await one.keyboard.press('Control+Home')
        await one.keyboard.insertText(addition)
      }
      await expect(page.locator('[data-save="saving"]')).toBeVisible()
      await expect(saved(page)).toBeVisible()
      held.resolve()
      await expect(
        tomas.getByText(/^Ilse Verbeek saved a different version of this post \(\d\d:\d\d\)$/),
      ).toBeVisible()
      await expect(text(tomas)).toContainText('From Tomáš. Start.')
      await tomas.getByRole('button', { name: 'Show diff' }).click()
      await expect(tomas.getByRole('group', { name: 'Changes from theirs to yours' })).toContainText(
        'From Ilse.',
      )
      await tomas.getByRole('button', { name: 'Use their version' }).click()
      await expect(text(tomas)).toContainText('From Ilse. Start.')
      await toast(tomas).getByRole('button', { name: 'Open' }).click()
      await expect(text(tomas)).toContainText('From Tomáš. Start.')
      await expect(title(tomas)).toHaveValue('Both')
    })
  })
})

test('hundreds of posts are loaded as they become visible, and the list follows changes by others', async ({
  desk,
}) => {
  const client = await desk.client('ilse')
  for (let made = 0; made < 230; made += 1) {
    expect((await client.send('POST', '/posts')).status).toBe(201)
  }
  const page = await desk.open('ilse')
  const offsets: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/desk/api/posts') offsets.push(searchParams.get('offset') ?? '0')
  })
  await goInDesk(page, 'content/blog')
  const table = page.getByRole('grid', { name: 'Posts' })
  const rows = table.locator('[data-row-index]')
  await expect(table).toHaveAttribute('aria-rowcount', '231')
  await expect(rows.first()).toContainText('Untitled')
  expect(offsets).toContain('0')
  expect(offsets).not.toContain('100')
  await table.focus()
  await page.keyboard.press('End')
  await expect(table.locator('[data-row-index="229"]')).toContainText('Untitled')

  const { id, revision, content } = (await client.send<DeskPost>('POST', '/posts')).body
  await expect(table).toHaveAttribute('aria-rowcount', '232')
  await page.keyboard.press('Home')
  const save = { revision, content: { ...content, title: 'Release notes' } }
  expect((await client.send('PUT', `/posts/${id}`, save)).status).toBe(200)
  await expect(rows.first()).toContainText('Release notes')
  await page.getByPlaceholder('Title, URL or tag').fill('release')
  await expect(table).toHaveAttribute('aria-rowcount', '2')
  await expect(rows).toHaveCount(1)
})
