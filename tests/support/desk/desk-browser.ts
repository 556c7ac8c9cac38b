import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { withPeople } from '../../../src/server/commands/open-people.ts'
import { dataPaths } from '../../../src/server/data-folder/data-folder.ts'
import { makeDeskLink } from '../../../src/server/commands/desk-link.ts'
import type { PeopleService, TokenRequest } from '../../../src/server/domains/identity/people.service.ts'
import type { SkillManifest } from '../../../src/shared/contracts/manifest.ts'
import { assembleWat } from '../fixtures/assemble-wat.ts'
import { cleanUp, serve, temporaryFolder } from '../server/command-line.ts'
import type { Serving } from '../server/command-line.ts'
import type { TestServer } from '../server/server.ts'
import { serveHere } from '../server/serve-here.ts'
import { signIn } from './desk-client.ts'
import type { DeskClient } from './desk-client.ts'
import { sessionPrefix } from './desk-page.ts'
import { manifest, publish, review } from '../server/publish.ts'

export { expect }

/** The real server with its own data folder and the built desk, and the actions of a test. */
export interface Desk extends Pick<Serving, 'registry' | 'dashboard'> {
  folder: string
  packages: string
  token(request: TokenRequest): Promise<string>
  /** Submits a module (by default the smallest one, as marta) and returns the id of the release. */
  submit(change?: Partial<SkillManifest>, token?: string, module?: Uint8Array): Promise<number>
  /** Decides as tomas through the registry; the decision takes effect immediately. */
  decide(id: number, action: string, reason?: string): Promise<number>
  /**
   * A client signed in to the desk as this person, without a page. `decideAtDesk` makes a held decision with it, and
   * `decideToEffect` waits until it has taken effect (both in desk-client.ts).
   */
  client(subject: string): Promise<DeskClient>
  /** A sign-in link, or the first-run link. */
  link(subject?: string): Promise<string>
  /** Opens a separate browser context in which this person is signed in; `at` is the path relative to `/desk`. */
  open(subject: string, options?: BrowserContextOptions & { at?: string }): Promise<Page>
}

/** A desk whose server is the built one in a process of its own, which the test can end. */
export type SeparateDesk = Desk & Pick<Serving, 'kill' | 'ended'>

interface Fixtures {
  /**
   * The contents of `settings.json` before the server starts, or null for no file. `undoMs` changes the undo
   * window; with 0, decisions are not held.
   */
  settings: Record<string, unknown> | null
  /** Additional environment variables of the server. */
  variables: Record<string, string>
  /** A desk with two administrators, ilse and tomas, and a developer, marta. */
  desk: Desk
  separateDesk: SeparateDesk
  /** A desk without people. */
  emptyDesk: Desk
}

/** A data folder with two administrators and a developer and their tokens, created once and copied for each desk. */
interface People {
  folder: string
  tokens: Map<string, string>
}

const defaultSize = { width: 1280, height: 800 }

/** The module of all releases, which only differ in their manifests. */
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
    // Playwright infers the required fixtures from the pattern.
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
    const { desk, close } = await startDesk(browser, settings, variables, null, serveHere)
    await provide(desk)
    await close()
  },

  async separateDesk({ browser, settings, variables, people }, provide) {
    const { desk, serving, close } = await startDesk(browser, settings, variables, people, serve)
    await provide(Object.assign(desk, { kill: serving.kill, ended: serving.ended }))
    await close()
  },

  async desk({ browser, settings, variables, people }, provide) {
    const { desk, close } = await startDesk(browser, settings, variables, people, serveHere)
    await provide(desk)
    await close()
  },
})

const ilse: TokenRequest = { subject: 'ilse', name: 'Ilse Verbeek', role: 'administrator' }
const tomas: TokenRequest = { subject: 'tomas', name: 'Tomáš Novák', role: 'administrator' }
const marta: TokenRequest = { subject: 'marta', name: 'Marta Okafor' }

const issueToken = async (people: PeopleService, request: TokenRequest): Promise<[string, string]> => [
  request.subject,
  (await people.issueToken(request)).token,
]

type Started = Pick<Serving, 'registry' | 'dashboard'> & { stop(): Promise<unknown> }

async function startDesk<Server extends Started>(
  browser: Browser,
  settings: Record<string, unknown> | null,
  variables: Record<string, string>,
  people: People | null,
  startServer: (folder: string, variables: Record<string, string>) => Promise<Server>,
): Promise<{ desk: Desk; serving: Server; close(): Promise<void> }> {
  const folder = temporaryFolder()
  if (people !== null) cpSync(people.folder, folder, { recursive: true })
  if (settings !== null) writeFileSync(dataPaths(folder).settings, JSON.stringify(settings))
  const serving = await startServer(folder, variables)
  const pages: Page[] = []
  const tokens = new Map(people?.tokens)
  let wasm: Promise<Uint8Array> | null = null
  const token: Desk['token'] = async (request) =>
    (await withPeople((service) => service.issueToken(request), folder)).token
  const tokenOf = async (request: TokenRequest): Promise<string> => {
    const known = tokens.get(request.subject) ?? (await token(request))
    tokens.set(request.subject, known)
    return known
  }

  const desk: Desk = {
    registry: serving.registry,
    dashboard: serving.dashboard,
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
      if (url === null) throw new Error('there are several administrators; pass a subject')
      return url
    },
    async open(subject, { at = '/', ...options } = {}) {
      const context = await browser.newContext({ viewport: defaultSize, ...options })
      const page = await context.newPage()
      pages.push(page)
      // Every path of the desk accepts the code of a link.
      const { hash } = new URL(await desk.link(subject))
      await page.goto(`${serving.dashboard}/desk${at}${hash}`)
      // `expect` would read the whole page each time it does not find it yet.
      await page.getByRole('navigation', { name: 'Areas' }).waitFor()
      return page
    },
  }
  return {
    desk,
    serving,
    async close() {
      await Promise.all(pages.map((page) => page.context().close()))
      await serving.stop()
      await cleanUp()
    },
  }
}

/** Opens a page of a desk. */
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
 * colors. A test with its own desk must be outside the group, because closing that desk removes all temporary folders.
 */
export function shareDesk(
  prepare: (desk: Desk) => Promise<unknown> = () => Promise.resolve(),
  settings: Record<string, unknown> | null = null,
): SharedDesk {
  let shared: Awaited<ReturnType<typeof startDesk<TestServer>>> | null = null
  const pages = new Map<string, Page>()
  const started = (): Desk => {
    if (shared === null) throw new Error('the desk has not started')
    return shared.desk
  }
  test.describe.configure({ mode: 'default' })
  test.beforeAll(async ({ browser, people }) => {
    shared = await startDesk(browser, settings, {}, people, serveHere)
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

/** Resets a page of an earlier test and opens this URL; its person stays signed in. */
async function renew(page: Page, address: string): Promise<void> {
  const others = page
    .context()
    .pages()
    .filter((other) => other !== page)
  await Promise.all(others.map((other) => other.close()))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.setViewportSize(defaultSize)
  // `null` would turn off what the project emulates.
  await page.emulateMedia({
    colorScheme: 'light',
    reducedMotion: 'no-preference',
    ...test.info().project.use.contextOptions,
  })
  await page.evaluate((session) => {
    sessionStorage.clear()
    for (const name of Object.keys(localStorage)) if (!name.startsWith(session)) localStorage.removeItem(name)
  }, sessionPrefix)
  // A URL that differs only in its fragment would not be loaded again. About:blank would, but in a new process, which needs
  // half more CPU time.
  await page.goto(new URL('/desk/icon.svg', address).href)
  await page.goto(address)
}

/** The row of a release in the queue. */
export const row = (page: Page, name: string) => page.locator('[data-row]').filter({ hasText: name })

/** The row of a release in the list of the view, without the recent decisions below it. */
export const listed = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Releases', exact: true }).locator('[data-row]').filter({ hasText: name })

/** The dock of the open release. */
export const dock = (page: Page) => page.getByRole('region', { name: 'Decision', exact: true })

/** The visible toast, of any kind. */
export const toast = (page: Page) => page.locator('[data-toast]')

/** Rejects the open release; the decision is held if the server has an undo window. */
export async function reject(page: Page, notes: string): Promise<void> {
  await dock(page).getByRole('button', { name: 'Reject…' }).click()
  const field = page.getByRole('form', { name: /^Reject/ }).getByRole('textbox')
  await field.fill(notes)
  await field.press('Control+Enter')
  await expect(field).toHaveCount(0)
}
