import type { Page } from '@playwright/test'
import type { DeskServices } from '../../../src/shared/contracts/desk-services.ts'
import type { StartedLogin } from '../../../src/shared/contracts/logins.ts'
import { callAsPage } from './desk-page.ts'

export interface Screen {
  name: string
  as: 'marta' | 'rita'
  /** The path relative to `/desk/`. */
  path: string
  show?(page: Page): Promise<void>
}

const press =
  (...keys: string[]) =>
  async (page: Page): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }

/** Waits for every image. The network is never idle, because of the desk's event stream. */
async function imagesLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => [...document.images].every(({ src, complete }) => src !== '' && complete))
}

/** Waits for an element that is loaded, such as an image. */
const shown =
  (selector: string) =>
  async (page: Page): Promise<void> => {
    await page.locator(selector).first().waitFor()
    await imagesLoaded(page)
  }

/** Starts the sign-in of a terminal and returns the URL of its confirmation. */
async function confirmUrl(page: Page): Promise<string> {
  const { publicUrl } = await callAsPage<DeskServices>(page, '/services')
  const reply = await page.request.post(`${publicUrl}/api/skilldock/logins`, {
    data: { client: 'skill on annas-laptop' },
  })
  return ((await reply.json()) as StartedLogin).confirmUrl
}

/** The desk of a registry in use. */
export const screens: readonly Screen[] = [
  { name: 'review', as: 'marta', path: 'review' },
  { name: 'rejecting', as: 'marta', path: 'review', show: press('r', '2', 'Tab') },
  { name: 'approving', as: 'marta', path: 'review', show: press('a') },
  { name: 'revoking', as: 'marta', path: 'review?view=decided&status=approved', show: press('x') },
  {
    name: 'inspected',
    as: 'marta',
    path: 'review',
    async show(page) {
      await page.keyboard.press('s')
      await page.getByText('digest matches').waitFor()
    },
  },
  {
    name: 'ran',
    as: 'marta',
    path: 'review',
    async show(page) {
      await page.getByRole('button', { name: 'Run examples' }).click()
      await page.getByText('passed').last().waitFor()
      await page.keyboard.press('3')
    },
  },
  {
    name: 'inside',
    as: 'marta',
    path: 'review',
    async show(page) {
      await page.getByRole('button', { name: 'Open module' }).waitFor()
      await page.keyboard.press('i')
      await page.getByRole('grid', { name: 'Functions' }).getByRole('row').nth(1).click()
      await page.getByRole('list', { name: /^Instructions/ }).waitFor()
    },
  },
  {
    name: 'held',
    as: 'marta',
    path: 'review',
    async show(page) {
      // The notes already contain the second template, as a draft from the screenshot `rejecting`.
      await page.keyboard.press('r')
      await page.keyboard.press('1')
      await page.keyboard.press('Control+Enter')
      await page.locator('[data-toast="held"]').waitFor()
    },
  },
  {
    name: 'undone',
    as: 'marta',
    path: 'review',
    async show(page) {
      await page.locator('[data-toast="held"]').waitFor()
      await page.keyboard.press('z')
      await page.getByText('is pending again. Your notes are kept.').first().waitFor()
    },
  },
  { name: 'history', as: 'marta', path: 'history' },
  { name: 'reasons', as: 'marta', path: 'reasons/rejected' },
  { name: 'nothing-found', as: 'marta', path: 'review?q=web-digest' },
  { name: 'keys', as: 'marta', path: 'review', show: press('?') },
  {
    name: 'palette',
    as: 'marta',
    path: 'review',
    async show(page) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('csv')
      await page.getByRole('dialog').getByText('csv-to-json 1.0.1').waitFor()
    },
  },
  { name: 'blog', as: 'marta', path: 'content/blog' },
  {
    name: 'editor',
    as: 'marta',
    path: 'content/blog',
    async show(page) {
      await page.getByRole('row').nth(1).click()
      await page.getByRole('textbox', { name: 'Post text (Markdown)' }).waitFor()
    },
  },
  {
    name: 'editor-details',
    as: 'marta',
    path: 'content/blog',
    async show(page) {
      await page.getByRole('row').nth(1).click()
      await page.getByRole('button', { name: 'Details' }).click()
      await page.getByLabel('URL').waitFor()
    },
  },
  { name: 'people', as: 'marta', path: 'people' },
  {
    name: 'token',
    as: 'marta',
    path: 'people',
    async show(page) {
      await page.getByRole('button', { name: 'New token…' }).click()
      await page.getByLabel('Token name').fill('laptop')
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByRole('textbox', { name: 'Token', exact: true }).waitFor()
    },
  },
  { name: 'showcase', as: 'marta', path: 'content/showcase', show: shown('main img') },
  {
    name: 'showcase-rejecting',
    as: 'marta',
    path: 'content/showcase',
    async show(page) {
      await page.keyboard.press('r')
      await page.keyboard.type('Its link leads to a page that asks for a password.')
    },
  },
  { name: 'showcase-order', as: 'marta', path: 'content/showcase?view=approved', show: shown('main img') },
  { name: 'showcase-edit', as: 'marta', path: 'content/showcase?view=approved', show: press('e') },
  {
    name: 'media',
    as: 'marta',
    path: 'content/media',
    async show(page) {
      await page.getByRole('grid', { name: 'Images' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('complementary', { name: 'Image details' }).locator('img').waitFor()
      await imagesLoaded(page)
    },
  },
  {
    name: 'confirm',
    as: 'rita',
    path: 'own',
    async show(page) {
      await page.goto(await confirmUrl(page))
      await page.getByRole('checkbox', { name: /^I started this sign-in/ }).waitFor()
    },
  },
  { name: 'services', as: 'marta', path: 'services' },
  { name: 'settings', as: 'marta', path: 'settings' },
  { name: 'my-releases', as: 'rita', path: 'own' },
  { name: 'names', as: 'rita', path: 'own/names' },
]

/** The views of an agent project; each shows the age of its data once loaded. */
export const agentScreens: readonly Screen[] = [
  { name: 'agents-overview', as: 'marta', path: 'agents' },
  { name: 'agents-list', as: 'marta', path: 'agents/list' },
  { name: 'agents-agent', as: 'marta', path: 'agents/agent?name=mail-sorter' },
  {
    name: 'agents-supervisors',
    as: 'marta',
    path: 'agents/supervisors',
    async show(page) {
      await page.getByRole('row', { name: /^ingest/ }).click()
      await page.getByRole('complementary', { name: 'Supervisor ingest' }).waitFor()
    },
  },
  { name: 'agents-cost', as: 'marta', path: 'agents/cost?period=month' },
  { name: 'agents-audit', as: 'marta', path: 'agents/audit' },
  { name: 'agents-trust', as: 'marta', path: 'agents/trust' },
  { name: 'agents-broker', as: 'marta', path: 'agents/broker?period=7+days' },
  { name: 'agents-edge', as: 'marta', path: 'agents/edge' },
]
