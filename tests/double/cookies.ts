import type { BrowserContext, Cookie as BrowserCookie } from '@playwright/test'
import { StrictEmitter } from './strict.ts'

interface CookieDetails {
  url: string
  name?: string
  value?: string
  path?: string
  httpOnly?: boolean
  sameSite?: string
  expirationDate?: number
}

const sameSites = { Strict: 'strict', Lax: 'lax', None: 'no_restriction' } as const
const knownFilters = new Set(['name', 'url'])
const knownDetails = new Set(['url', 'name', 'value', 'path', 'httpOnly', 'sameSite', 'expirationDate'])

/** The browser's own cookies. It tells nobody of changes: they are looked for after whatever can change one. */
export class CookieJar extends StrictEmitter {
  readonly #open: () => Promise<BrowserContext>
  #known = new Map<string, BrowserCookie>()
  #looking: Promise<void> = Promise.resolve()

  constructor(open: () => Promise<BrowserContext>) {
    super('session.cookies', ['changed'])
    this.#open = open
  }

  /** Follows the answers that the browser gets. */
  follow(context: BrowserContext): void {
    context.on('response', (response) => {
      void response
        .headerValue('set-cookie')
        .then((header) => (header === null ? undefined : this.#look(context, 'expired-overwrite')))
        // The browser has been closed.
        .catch(() => {})
    })
  }

  async get(filter: { name?: string; url?: string }): Promise<object[]> {
    refuseUnknown(filter, knownFilters, 'cookies.get')
    const context = await this.#open()
    const found = await (filter.url === undefined ? context.cookies() : context.cookies(filter.url))
    return found.filter(({ name }) => filter.name === undefined || name === filter.name).map(toElectron)
  }

  async set(details: CookieDetails): Promise<void> {
    refuseUnknown(details, knownDetails, 'cookies.set')
    const { url, name = '', value = '', path = '/', httpOnly = false, sameSite = 'lax' } = details
    const asked = Object.entries(sameSites).find(([, word]) => word === sameSite)?.[0]
    if (asked === undefined) throw new Error(`The double of Electron has no sameSite "${sameSite}".`)
    const context = await this.#open()
    await context.addCookies([
      {
        name,
        value,
        domain: new URL(url).hostname,
        path,
        httpOnly,
        sameSite: asked as BrowserCookie['sameSite'],
        expires: details.expirationDate ?? -1,
      },
    ])
    await this.#look(context, 'explicit')
  }

  async remove(url: string, name: string): Promise<void> {
    const context = await this.#open()
    const names = (await context.cookies(url)).filter((cookie) => cookie.name === name)
    for (const { domain, path } of names) {
      // oxlint-disable-next-line no-await-in-loop
      await context.clearCookies({ name, domain, path })
    }
    await this.#look(context, 'explicit')
  }

  /** Tells of what has changed since the last look, one look after the other. */
  async #look(context: BrowserContext, whyGone: string): Promise<void> {
    const former = this.#looking
    const next = Promise.withResolvers<void>()
    this.#looking = next.promise
    await former
    try {
      this.#compare(await context.cookies(), whyGone)
    } finally {
      next.resolve()
    }
  }

  #compare(found: BrowserCookie[], whyGone: string): void {
    const cookies = new Map(found.map((cookie) => [keyOf(cookie), cookie]))
    const former = this.#known
    this.#known = cookies
    for (const [key, cookie] of former) if (!cookies.has(key)) this.#tell(cookie, whyGone, true)
    for (const [key, cookie] of cookies) {
      const old = former.get(key)
      if (old === undefined) {
        this.#tell(cookie, 'inserted', false)
      } else if (JSON.stringify(old) !== JSON.stringify(cookie)) {
        this.#tell(old, 'overwrite', true)
        const isSame = old.value === cookie.value
        this.#tell(cookie, isSame ? 'inserted-no-value-change-overwrite' : 'inserted', false)
      }
    }
  }

  #tell(cookie: BrowserCookie, cause: string, isRemoved: boolean): void {
    this.emit('changed', {}, toElectron(cookie), cause, isRemoved)
  }
}

function keyOf({ name, domain, path }: BrowserCookie): string {
  return JSON.stringify([name, domain, path])
}

function toElectron(cookie: BrowserCookie): object {
  const { name, value, domain, path, httpOnly, secure, expires } = cookie
  const isSession = expires === -1
  return {
    name,
    value,
    domain,
    path,
    httpOnly,
    secure,
    session: isSession,
    hostOnly: !domain.startsWith('.'),
    sameSite: sameSites[cookie.sameSite],
    ...(isSession ? {} : { expirationDate: expires }),
  }
}

function refuseUnknown(options: object, known: ReadonlySet<string>, call: string): void {
  for (const key of Object.keys(options))
    if (!known.has(key)) throw new Error(`The double of Electron has no option "${key}" of ${call}.`)
}
