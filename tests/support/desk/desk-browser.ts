import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { withPeople } from '../../../src/server/commands/open-people.ts'
import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { makeDeskLink } from '../../../src/server/commands/desk-link.ts'
import type { PeopleService, TokenRequest } from '../../../src/server/domains/identity/people.service.ts'
import type { SkillManifest } from '../../../src/shared/contracts/releases.ts'
import { assembleWat } from '../fixtures/assemble-wat.ts'
import { cleanUp, serve, temporaryFolder } from '../server/command-line.ts'
import type { Serving } from '../server/command-line.ts'
import { signIn } from './desk-client.ts'
import type { DeskClient } from './desk-client.ts'
import { sessionPrefix } from './desk-page.ts'
import { manifest, publish, review } from '../server/publish.ts'

export { expect }

/** The real built server on a folder of its own, and what a test does around the desk. */
export interface Desk extends Pick<Serving, 'registry' | 'dashboard' | 'kill' | 'ended'> {
  folder: string
  packages: string
  token(order: TokenRequest): Promise<string>
  /** Publishes the smallest module, or the one that is given, as marta, or as whom the token is, and gives the id. */
  submit(change?: Partial<SkillManifest>, token?: string, module?: Uint8Array): Promise<number>
  /** Decides through the registry as tomas, which takes effect at once. */
  decide(id: number, action: string, reason?: string): Promise<number>
  /**
   * This person at a desk without a page: `decideAtDesk` holds a decision there, and `decideToEffect` waits until
   * it has taken effect (both of desk.ts).
   */
  client(subject: string): Promise<DeskClient>
  /** A sign-in link, or that of the first run. */
  link(subject?: string): Promise<string>
  /** A browser of its own in which this person is signed in; `at` is the path to open, below `/desk`. */
  open(subject: string, options?: BrowserContextOptions & { at?: string }): Promise<Page>
}

interface Fixtures {
  /**
   * What `settings.json` holds before the server starts; null where there is none. `undoMs` sets another
   * undo window than the default; with 0, decisions are not held.
   */
  settings: Record<string, unknown> | null
  /** What the server's environment has beside what every test's server is given. */
  variables: Record<string, string>
  /** With two administrators, ilse and tomas, and a developer, marta. */
  desk: Desk
  /** Nobody is there yet. */
  emptyDesk: Desk
}

/** A data folder with two administrators and a developer, and a token of each: made once, and copied for each desk. */
interface People {
  folder: string
  tokens: Map<string, string>
}

const usualSize = { width: 1280, height: 800 }

/** One module for all: what differs between releases is what their manifests say. */
const source = `(module
  (import "wasi_snapshot_preview1" "fd_read" (func (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func (param i32)))
  (memory (export "memory") 1 4)
  (func (export "_start")))`

export const test = base.extend<Fixtures, { people: People }>({
  settings: [null, { option: true }],
  variables: [{}, { option: true }],

  people: [
    // Playwright reads the fixtures that are needed from the pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const folder = mkdtempSync(join(tmpdir(), 'skilldock-people-'))
      const issued = await withPeople(
        (people) =>
          Promise.all([issueToken(people, ilse), issueToken(people, tomas), issueToken(people, marta)]),
        folder,
      )
      await provide({ folder, tokens: new Map(issued) })
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],

  async emptyDesk({ browser, settings, variables }, provide) {
    const { desk, close } = await startDesk(browser, settings, variables, null)
    await provide(desk)
    await close()
  },

  async desk({ browser, settings, variables, people }, provide) {
    const { desk, close } = await startDesk(browser, settings, variables, people)
    await provide(desk)
    await close()
  },
})

const ilse: TokenRequest = { subject: 'ilse', name: 'Ilse Verbeek', role: 'administrator' }
const tomas: TokenRequest = { subject: 'tomas', name: 'Tomáš Novák', role: 'administrator' }
const marta: TokenRequest = { subject: 'marta', name: 'Marta Okafor' }

const issueToken = async (people: PeopleService, order: TokenRequest): Promise<[string, string]> => [
  order.subject,
  (await people.issueToken(order)).token,
]

async function startDesk(
  browser: Browser,
  settings: Record<string, unknown> | null,
  variables: Record<string, string>,
  people: People | null,
): Promise<{ desk: Desk; close(): Promise<void> }> {
  const folder = temporaryFolder()
  if (people !== null) cpSync(people.folder, folder, { recursive: true })
  if (settings !== null) writeFileSync(dataPaths(folder).settings, JSON.stringify(settings))
  const serving = await serve(folder, variables)
  const pages: Page[] = []
  const tokens = new Map(people?.tokens)
  let wasm: Promise<Uint8Array> | null = null
  const token: Desk['token'] = async (order) =>
    (await withPeople((service) => service.issueToken(order), folder)).token
  const tokenOf = async (order: TokenRequest): Promise<string> => {
    const known = tokens.get(order.subject) ?? (await token(order))
    tokens.set(order.subject, known)
    return known
  }

  const desk: Desk = {
    registry: serving.registry,
    dashboard: serving.dashboard,
    kill: serving.kill,
    ended: serving.ended,
    folder,
    packages: dataPaths(folder).packages,
    token,
    async submit(change, as, module) {
      const bytes = module ?? (await (wasm ??= assembleWat(source)))
      const reply = await publish(serving.registry, as ?? (await tokenOf(marta)), manifest(change), bytes)
      if (reply.status !== 201) throw new Error(`publish: ${reply.status} ${JSON.stringify(reply.body)}`)
      return reply.body.id
    },
    async decide(id, action, reason = 'Same imports, examples pass.') {
      return (await review(serving.registry, await tokenOf(tomas), id, action, reason)).status
    },
    client: (subject) => signIn({ folder, dashboard: serving.dashboard }, subject),
    async link(subject) {
      const { url } = await makeDeskLink(folder, serving.dashboard, subject)
      if (url === null) throw new Error('there are several administrators; say which one signs in')
      return url
    },
    async open(subject, { at = '/', ...options } = {}) {
      const context = await browser.newContext({ viewport: usualSize, ...options })
      const page = await context.newPage()
      pages.push(page)
      // Any path of the desk takes the code of a link.
      const { hash } = new URL(await desk.link(subject))
      await page.goto(`${serving.dashboard}/desk${at}${hash}`)
      await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
      return page
    },
  }
  return {
    desk,
    async close() {
      await Promise.all(pages.map((page) => page.context().close()))
      serving.kill('SIGTERM')
      await serving.ended
      await cleanUp()
    },
  }
}

/** What opens a screen of a desk. */
export interface Opener {
  open(subject: string, place?: { at?: string }): Promise<Page>
}

export interface SharedDesk extends Opener {
  /** The desk itself, without the shared pages. */
  readonly desk: Desk
}

/**
 * One desk, filled by `prepare`, for all tests of a file or group that do not depend on each other's data. The tests run
 * one after another. Each person has one page; every test gets it reloaded, with empty storage and the default size and
 * colours. A test with a desk of its own must be outside the group: closing that desk removes all temporary folders.
 */
export function shareDesk(
  prepare: (desk: Desk) => Promise<unknown> = () => Promise.resolve(),
  settings: Record<string, unknown> | null = null,
): SharedDesk {
  let shared: Awaited<ReturnType<typeof startDesk>> | null = null
  const pages = new Map<string, Page>()
  const started = (): Desk => {
    if (shared === null) throw new Error('the desk has not started')
    return shared.desk
  }
  test.describe.configure({ mode: 'default' })
  test.beforeAll(async ({ browser, people }) => {
    shared = await startDesk(browser, settings, {}, people)
    await prepare(shared.desk)
  })
  test.afterAll(() => shared?.close())
  return {
    get desk() {
      return started()
    },
    async open(subject, { at = '/' } = {}) {
      const known = pages.get(subject)
      const page = known ?? (await started().open(subject, { at }))
      if (known !== undefined) await renew(known, `${started().dashboard}/desk${at}`)
      pages.set(subject, page)
      return page
    },
  }
}

/** Makes a page that an earlier test used look new and opens this address; its person stays signed in. */
async function renew(page: Page, address: string): Promise<void> {
  const others = page
    .context()
    .pages()
    .filter((other) => other !== page)
  await Promise.all(others.map((other) => other.close()))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.setViewportSize(usualSize)
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  await page.evaluate((session) => {
    sessionStorage.clear()
    for (const name of Object.keys(localStorage)) if (!name.startsWith(session)) localStorage.removeItem(name)
  }, sessionPrefix)
  // An address that differs only in its fragment would not be loaded again.
  await page.goto('about:blank')
  await page.goto(address)
}

/** The row of a release in the queue. */
export const row = (page: Page, name: string) => page.locator('[data-row]').filter({ hasText: name })

/** The same among those that the view is about, and not among what was decided lately below the pending ones. */
export const listed = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Releases', exact: true }).locator('[data-row]').filter({ hasText: name })

/** The dock of the release that is open. */
export const dock = (page: Page) => page.getByRole('region', { name: 'Decision', exact: true })

/** The one message that is shown, of whatever kind. */
export const toast = (page: Page) => page.locator('[data-toast]')

/** Rejects the release that is open; the server holds it where it holds decisions. */
export async function reject(page: Page, notes: string): Promise<void> {
  await dock(page).getByRole('button', { name: 'Reject…' }).click()
  const field = page.getByRole('form', { name: /^Reject/ }).getByRole('textbox')
  await field.fill(notes)
  await field.press('Control+Enter')
  await expect(field).toHaveCount(0)
}
