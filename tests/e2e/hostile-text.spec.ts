import type { Locator, Page } from '@playwright/test'
import { dock, expect, row, shareDesk, test, toast } from '../support/desk/desk-browser.ts'
import { makeAgentProject } from '../support/agents/agent-project.ts'
import { showProject } from '../support/agents/agents-browser.ts'
import { writeAgent } from '../support/agents/desk-agents.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { submitProject } from '../support/server/projects.ts'
import { skipWithout } from '../support/programs.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { longestTask, smallestOf } from '../support/desk/page-tasks.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const shared = shareDesk(
  async (desk) => {
    await desk.submit({ readme: `${'> '.repeat(9990)}x` })
    await desk.submit({ name: 'word-count' })
  },
  { undoMs: 500 },
)

const readme = (page: Page) => page.getByRole('group', { name: 'Readme' })

test('a release whose readme opens ten thousand block quotes is shown as source and rejected by keyboard', async () => {
  const page = await shared.open('ilse')
  await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
  await expect(readme(page)).toContainText('> > > > > >')
  await expect(readme(page).locator('blockquote')).toHaveCount(0)
  await expect(page.locator('[data-fault]')).toHaveCount(0)
  await page.keyboard.press('r')
  await dock(page).getByRole('textbox').fill('The readme is ten thousand quotations.')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page)).toContainText('upper-case 1.0.0 was rejected')
  await expect(page.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
  await expect(row(page, 'upper-case')).toContainText('rejected by Ilse Verbeek')
})

test('a project whose description opens thousands of lists is shown as source and rejected by keyboard', async () => {
  await submitProject(shared.desk.registry, { title: 'Deep lists', description: `${'1. '.repeat(6600)}x` })
  const page = await shared.open('ilse', { at: '/content/showcase' })
  const description = page.getByRole('region', { name: 'Description' })
  await expect(description).toContainText('1. 1. 1. 1. 1.')
  await expect(description.getByRole('list')).toHaveCount(0)
  await page.keyboard.press('r')
  await page.keyboard.type('The description is a list of lists.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('No project selected').or(toast(page)).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Deep lists' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Decision' })).toContainText(/rejected/i)
})

/** The maximum length of a readme in a manifest of maximum size. */
const filled = (part: string, head = ''): string => {
  const bytes = Buffer.byteLength(JSON.stringify(part)) - 2
  return head + part.repeat(Math.floor(Math.min(22_000 / bytes, (19_900 - head.length) / part.length)))
}

const longReadmes: Record<string, string> = {
  emphasis: filled('**a*b_ '),
  brackets: filled('['),
  'less-than': filled('<'),
  lists: filled('- a\n'),
  headings: filled('-\n'),
  code: filled('a\n', '```\n'),
  tables: filled('|a|b|\n', '|a|b|\n|-|-|\n'),
  'wide-table': `${'|'.repeat(3000)}a\n${'|-'.repeat(3000)}|\n${filled('a\n').slice(0, 4000)}`,
  paragraphs: filled('a\n\n'),
  'hidden-characters': filled('a\u200B'),
}

test('no readme blocks the page for more than 50 ms', { tag: '@alone' }, async () => {
  test.slow()
  // Submitted by a separate person, because they use up the daily quota.
  const token = await shared.desk.token({ subject: 'jonas', name: 'Jonas Weber' })
  for (const [name, text] of Object.entries(longReadmes)) {
    // The registry accepts them one at a time.
    await shared.desk.submit({ name: `long-${name}`, readme: text }, token)
  }
  const page = await shared.open('ilse')
  const held: Record<string, number> = {}
  for (const name of Object.keys(longReadmes)) {
    await goInDesk(page, `review?q=long-${name}`)
    await expect(page.getByRole('heading', { name: `long-${name} 1.0.0` })).toBeVisible()
    await expect(readme(page)).toBeVisible()
    await expect(readme(page).locator('pre, p, table, ul').first()).toBeVisible({ timeout: 15_000 })
    held[name] = await smallestOf(5, 50, async () => {
      await showReadme(page, 'Show source')
      return longestTask(page, () => showReadme(page, 'Show rendered'))
    })
  }
  expect(Object.entries(held).filter(([, ms]) => ms > 50)).toEqual([])
})

/** Clicks the button in the page and waits until rendering has finished. */
const showReadme = (page: Page, label: string): Promise<void> =>
  page.evaluate(async (buttonText) => {
    const buttons = [...document.querySelectorAll<HTMLElement>('#documents button')]
    // In a task of its own, because what the test evaluates is not measured.
    setTimeout(() => buttons.find(({ textContent }) => textContent === buttonText)?.click())
    let before = -1
    for (let quiet = 0; quiet < 10; quiet += 1) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      const now = document.querySelectorAll('#documents *').length
      if (now !== before) quiet = 0
      before = now
    }
  }, label)

test('an unknown URL of the desk has a heading, and axe finds nothing', async () => {
  test.slow()
  const page = await shared.open('ilse', { at: '/nowhere' })
  const found: string[] = []
  for (const path of [
    'nowhere',
    'content/nowhere',
    'content/blog/999',
    'agents/nowhere',
    'release/none/1.0.0',
  ]) {
    await goInDesk(page, path)
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1)
    found.push(...(await violations(page, path)))
  }
  expect(found).toEqual([])
})

test('names of the greatest length without a space are wrapped, and widen or cut nothing', async () => {
  const [publisher, agent] = ['P'.repeat(100), 'a'.repeat(64)]
  const token = await shared.desk.token({ subject: 'wordy', name: publisher })
  const id = await shared.desk.submit({ name: 'n'.repeat(64) }, token)
  const project = makeAgentProject(temporaryFolder(), { fill: (database) => writeAgent(database, agent) })
  await showProject(shared.desk, project.folder)
  const page = await shared.open('ilse', { at: `/review/${id}` })
  await page.getByRole('link', { name: publisher, exact: true }).click()
  await page.waitForURL(/\/people\//)
  const person = new URL(page.url()).pathname.slice('/desk/'.length)
  const screens: [path: string, shown: Locator][] = [
    [`review/${id}`, page.getByRole('link', { name: publisher, exact: true })],
    [person, page.getByRole('heading', { name: publisher })],
    [person, page.locator('[data-person]').filter({ hasText: publisher }).getByText(publisher)],
    [`agents/agent?name=${agent}`, page.locator('main header').getByText('Running', { exact: true })],
    ['agents/broker', page.getByText('Range…')],
    ['own', page.getByRole('link', { name: 'Submit a release' })],
  ]
  const wrong: string[] = []
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 })
    for (const [path, shown] of screens) {
      await goInDesk(page, path)
      const one = shown.first()
      await one.waitFor()
      const [wide, cut] = await one.evaluate((element) => [
        document.documentElement.scrollWidth > innerWidth,
        [element, ...element.querySelectorAll('span')].some(
          ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
        ) || element.getBoundingClientRect().right > innerWidth,
      ])
      if (wide) wrong.push(`${path}, ${width}: wider than the window`)
      if (cut) wrong.push(`${path}, ${width}: cut`)
    }
  }
  expect(wrong).toEqual([])
})
