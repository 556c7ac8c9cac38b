import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserContext, CDPSession, Page } from '@playwright/test'
import { BROWSER_ARGUMENTS, requireProgram } from '../support/programs.ts'
import type { App } from './app.ts'
import { closers } from './app.ts'
import { strict } from './strict.ts'

type Answer = (isGranted: boolean) => void
type PermissionHandler = (contents: unknown, permission: string, answer: Answer, details: object) => void
type CheckHandler = (contents: unknown, permission: string, origin: string, details: object) => boolean
type SchemeHandler = (request: Request) => Response | Promise<Response>

/** Electron's names of permissions, and Chromium's. */
const permissions: Record<string, { name: string }[]> = {
  geolocation: [{ name: 'geolocation' }],
  notifications: [{ name: 'notifications' }],
  midi: [{ name: 'midi' }],
  media: [{ name: 'camera' }, { name: 'microphone' }],
  'clipboard-read': [{ name: 'clipboard-read' }],
  'clipboard-sanitized-write': [{ name: 'clipboard-write' }],
}

const standardSchemes = new Set<string>()

export function createProtocol(app: App) {
  return strict('protocol', {
    registerSchemesAsPrivileged(schemes: { scheme: string; privileges?: { standard?: boolean } }[]) {
      if (app.isReady())
        throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
      for (const { scheme, privileges } of schemes)
        if (privileges?.standard === true) standardSchemes.add(scheme)
    },
  })
}

/** A separate browser for each partition, which shares no storage, permissions or schemes. */
export class Session {
  readonly partition: string
  readonly protocol: object
  readonly #handlers = new Map<string, SchemeHandler>()
  #browser: Promise<{ context: BrowserContext; debug: string }> | null = null
  #firstPage: Page | null = null
  #isOpening = false
  #onRequest: PermissionHandler | null = null
  #onCheck: CheckHandler | null = null

  constructor(partition: string) {
    if (partition.startsWith('persist:'))
      throw new Error('The double of Electron has no persistent sessions.')
    this.partition = partition
    this.protocol = strict('session.protocol', {
      handle: (scheme: string, handler: SchemeHandler) => {
        if (!standardSchemes.has(scheme)) throw new Error('The double of Electron has only standard schemes.')
        if (this.#handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
        this.#handlers.set(scheme, handler)
      },
      isProtocolHandled: (scheme: string) => this.#handlers.has(scheme),
    })
  }

  setPermissionRequestHandler(handler: PermissionHandler | null): void {
    this.#onRequest = handler
  }

  setPermissionCheckHandler(handler: CheckHandler | null): void {
    this.#onCheck = handler
  }

  setDevicePermissionHandler(_handler: ((details: object) => boolean) | null): void {
    // Headless Chromium never asks for devices.
  }

  open(): Promise<{ context: BrowserContext; debug: string }> {
    this.#browser ??= this.#launch()
    return this.#browser
  }

  async newPage(): Promise<Page> {
    const { context } = await this.open()
    const [initial] = context.pages()
    // The browser's initial page is used for the first window.
    if (this.#firstPage === null && initial !== undefined) {
      this.#firstPage = initial
      return initial
    }
    this.#isOpening = true
    const page = await context.newPage()
    this.#isOpening = false
    return page
  }

  async #launch(): Promise<{ context: BrowserContext; debug: string }> {
    const launched = await launch()
    launched.context.on('page', (page) => {
      // A page opened by a link was denied by the app; otherwise the double would have thrown.
      if (!this.#isOpening) void page.close()
    })
    return launched
  }

  async close(): Promise<void> {
    if (this.#browser !== null) await (await this.#browser).context.close()
  }

  /**
   * Asks the handlers about every permission before a page is loaded, because the double cannot observe the
   * page's own requests. Without a handler Electron grants everything.
   */
  async decidePermissions(cdp: CDPSession, contents: unknown, url: string): Promise<void> {
    const { protocol, origin } = new URL(url)
    if (protocol !== 'http:' && protocol !== 'https:') return
    const requestingUrl = this.toElectron(url)
    for (const [permission, descriptors] of Object.entries(permissions)) {
      const handler = this.#onRequest
      const details = { requestingUrl, isMainFrame: true }
      const isRequestGranted =
        handler === null ||
        (await new Promise<boolean>((resolve) => handler(contents, permission, resolve, details)))
      const isCheckGranted =
        this.#onCheck === null || this.#onCheck(contents, permission, requestingUrl, { isMainFrame: true })
      const setting = isRequestGranted && isCheckGranted ? 'granted' : 'denied'
      for (const descriptor of descriptors) {
        await cdp.send('Browser.setPermission', { permission: descriptor, setting, origin })
      }
    }
  }

  /** Maps a URL of an app scheme, which Chromium does not know, to a host whose requests are intercepted. */
  toChromium(url: string): string {
    const parsed = URL.parse(url)
    const scheme = parsed?.protocol.slice(0, -1) ?? ''
    if (parsed === null || !this.#handlers.has(scheme)) return url
    return `https://${parsed.host}.${scheme}${hostSuffix}${parsed.pathname}${parsed.search}${parsed.hash}`
  }

  toElectron(url: string): string {
    const parsed = URL.parse(url)
    if (parsed === null || !parsed.hostname.endsWith(hostSuffix)) return url
    const [scheme = '', ...host] = parsed.hostname.slice(0, -hostSuffix.length).split('.').toReversed()
    return `${scheme}://${host.toReversed().join('.')}${parsed.pathname}${parsed.search}${parsed.hash}`
  }

  /** The response of the app's scheme handler, or null if Chromium fetches the URL itself. */
  async answer(url: string, method: string, headers: Record<string, string>): Promise<Response | null> {
    const address = this.toElectron(url)
    if (address === url) return null
    const handler = this.#handlers.get(new URL(address).protocol.slice(0, -1))
    if (handler === undefined) return null
    return await handler(new Request(address, { method, headers }))
  }
}

export const hostSuffix = '.electron-double.invalid'

async function launch(): Promise<{ context: BrowserContext; debug: string }> {
  // Loaded on demand, because it takes longer than the rest and an app without a page does not need it.
  const { chromium } = await import('@playwright/test')
  const executablePath = requireProgram('chromium')
  if (executablePath === null) throw new Error('The double of Electron needs Chromium.')
  const profile = mkdtempSync(join(tmpdir(), 'skilldock-double-'))
  process.on('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 3 }))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    viewport: null,
    chromiumSandbox: process.getuid?.() !== 0,
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    args: ['--remote-debugging-port=0', '--window-size=1280,800', ...BROWSER_ARGUMENTS],
  })
  return { context, debug: await readDebugAddress(join(profile, 'DevToolsActivePort')) }
}

async function readDebugAddress(file: string): Promise<string> {
  const deadline = Date.now() + 10_000
  for (;;) {
    try {
      const port = readFileSync(file, 'utf8').split('\n')[0]
      if (port !== undefined && port !== '') return `http://127.0.0.1:${port}`
    } catch {
      if (Date.now() > deadline) throw new Error('Chromium did not write its DevTools port.')
    }
    // Chromium writes the file at some point without notice.
    await delay(20)
  }
}

export function createSessions() {
  const sessions = new Map<string, Session>()
  closers.closeBrowsers = async () => {
    await Promise.allSettled([...sessions.values()].map((session) => session.close()))
  }
  return strict('session', {
    fromPartition(partition: string, options: { cache?: boolean } = {}): Session {
      for (const key of Object.keys(options)) {
        if (key !== 'cache') throw new Error(`The double of Electron has no option "${key}" of a session.`)
      }
      const session = sessions.get(partition) ?? strict('Session', new Session(partition))
      sessions.set(partition, session)
      return session
    },
  })
}
