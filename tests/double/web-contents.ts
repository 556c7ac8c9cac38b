import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CDPSession, Page } from '@playwright/test'
import { invokeHandler } from './ipc-main.ts'
import { isolatedWorld, isolatedWorldScript, mainWorldScript } from './renderer-runtime.ts'
import type { Session } from './session.ts'
import { emitPreventable, strict, StrictEmitter } from './strict.ts'

type OpenHandler = (details: { url: string }) => { action: 'allow' | 'deny' }

interface Frame {
  id: string
  parentId: string | undefined
  url: string
}

interface PausedRequest {
  requestId: string
  frameId: string
  resourceType: string
  redirectedRequestId?: string
  request: { url: string; method: string; headers: Record<string, string> }
}

interface Invocation {
  id: number
  channel: string
  args: unknown[]
  length: number
}

const errorCodes: Record<string, number> = {
  'net::ERR_ABORTED': -3,
  'net::ERR_FAILED': -2,
  'net::ERR_CONNECTION_REFUSED': -102,
  'net::ERR_CONNECTION_RESET': -101,
  'net::ERR_EMPTY_RESPONSE': -324,
}

/** The page of a window: a real page, controlled with the DevTools protocol. */
export class WebContents extends StrictEmitter {
  readonly session: Session
  readonly #page: Promise<{ page: Page; cdp: CDPSession }>
  readonly #frames = new Map<string, Frame>()
  readonly #contexts = new Map<number, string>()
  readonly #names = {
    token: `double-${randomBytes(8).toString('hex')}`,
    binding: `electronDouble${Date.now()}`,
  }
  /** URLs that `loadURL` is loading, whose navigation was not started by the page. */
  readonly #loading = new Set<string>()
  #openHandler: OpenHandler = () => ({ action: 'allow' })
  #mainFrame = ''

  constructor(session: Session, preload: string | undefined, onClosed: () => void) {
    super('webContents', [
      'did-fail-load',
      'did-finish-load',
      'render-process-gone',
      'will-attach-webview',
      'will-frame-navigate',
      'will-navigate',
      'will-redirect',
    ])
    this.session = session
    this.#page = this.#open(preload, onClosed)
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler
  }

  getURL(): string {
    return this.session.toElectron(this.#frames.get(this.#mainFrame)?.url ?? '')
  }

  async loadURL(url: string): Promise<void> {
    const { cdp } = await this.#page
    const address = this.session.toChromium(url)
    this.#loading.add(withoutFragment(address))
    const { errorText } = await cdp.send('Page.navigate', { url: address })
    if (errorText !== undefined && errorText !== '') {
      throw new Error(`${errorText.replace('net::', '')} (${errorCodes[errorText] ?? -2}) loading '${url}'`)
    }
  }

  forcefullyCrashRenderer(): void {
    // There is no response, because the page has crashed.
    void this.#page.then(({ cdp }) => cdp.send('Page.crash')).catch(() => {})
  }

  async close(): Promise<void> {
    const { page } = await this.#page
    await page.close()
  }

  async #open(preload: string | undefined, onClosed: () => void) {
    const page = await this.session.newPage()
    const cdp = await page.context().newCDPSession(page)
    page.once('close', onClosed)
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = context.auxData as { frameId: string }
      if (context.name === isolatedWorld) this.#contexts.set(context.id, frameId)
    })
    cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      this.#contexts.delete(executionContextId)
    })
    cdp.on('Page.frameNavigated', ({ frame }) => {
      const url = frame.url + (frame.urlFragment ?? '')
      this.#frames.set(frame.id, { id: frame.id, parentId: frame.parentId, url })
      if (frame.parentId === undefined) this.#mainFrame = frame.id
    })
    cdp.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const frame = this.#frames.get(frameId)
      if (frame !== undefined) frame.url = url
    })
    cdp.on('Page.frameDetached', ({ frameId }) => this.#frames.delete(frameId))
    cdp.on('Page.loadEventFired', () => this.emit('did-finish-load'))
    // A link with a new window as target. The page's `open` is replaced and does not reach Chromium.
    cdp.on('Page.windowOpen', ({ url }) => this.#onOpen(url))
    cdp.on('Inspector.targetCrashed', () => {
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
    })
    cdp.on('Runtime.bindingCalled', (call) => {
      if (call.name === this.#names.binding) this.#onBinding(cdp, call.executionContextId, call.payload)
    })
    cdp.on('Fetch.requestPaused', (paused) => {
      // The page may have been closed since.
      this.#onPaused(cdp, paused).catch(() => {})
    })
    this.#watchFailures(cdp)
    await cdp.send('Page.enable')
    await cdp.send('Runtime.enable')
    await cdp.send('Network.enable')
    await cdp.send('Inspector.enable')
    const { frameTree } = await cdp.send('Page.getFrameTree')
    this.#mainFrame = frameTree.frame.id
    await cdp.send('Fetch.enable', {
      patterns: [
        { urlPattern: '*', resourceType: 'Document' },
        { urlPattern: 'https://*.electron-double.invalid/*' },
      ],
    })
    const { userAgent } = await cdp.send('Browser.getVersion')
    await cdp.send('Network.setUserAgentOverride', {
      userAgent: userAgent
        .replace('HeadlessChrome', 'Chrome')
        .replace(' Safari', ` Electron/${electronVersion} Safari`),
    })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorldScript(this.#names) })
    await cdp.send('Runtime.addBinding', { name: this.#names.binding, executionContextName: isolatedWorld })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      worldName: isolatedWorld,
      source: isolatedWorldScript(this.#names, preload === undefined ? '' : readFileSync(preload, 'utf8')),
    })
    return { page, cdp }
  }

  #watchFailures(cdp: CDPSession): void {
    const documents = new Map<string, { url: string; frameId: string }>()
    cdp.on('Network.requestWillBeSent', ({ requestId, type, request, frameId }) => {
      if (type === 'Document') documents.set(requestId, { url: request.url, frameId: frameId ?? '' })
    })
    cdp.on('Network.loadingFinished', ({ requestId }) => documents.delete(requestId))
    cdp.on('Network.loadingFailed', ({ requestId, errorText }) => {
      const failed = documents.get(requestId)
      if (failed === undefined) return
      documents.delete(requestId)
      const url = this.session.toElectron(failed.url)
      this.emit(
        'did-fail-load',
        {},
        errorCodes[errorText] ?? -2,
        errorText,
        url,
        failed.frameId === this.#mainFrame,
      )
    })
  }

  async #onPaused(cdp: CDPSession, paused: PausedRequest): Promise<void> {
    const { requestId, request, frameId } = paused
    if (paused.resourceType === 'Document') {
      const isMainFrame = frameId === this.#mainFrame
      if (this.#isRefused(paused, isMainFrame)) {
        await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
        return
      }
      if (isMainFrame) await this.session.decidePermissions(cdp, strict('webContents', this), request.url)
    }
    const answer = await this.session.answer(request.url, request.method, request.headers)
    if (answer === null) {
      await cdp.send('Fetch.continueRequest', { requestId })
      return
    }
    await cdp.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: answer.status,
      responseHeaders: [...answer.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await answer.arrayBuffer()).toString('base64'),
    })
  }

  /** Navigation by the page is passed to the app's handlers, but navigation by the app is not. */
  #isRefused({ frameId, request, redirectedRequestId }: PausedRequest, isMainFrame: boolean): boolean {
    const details = {
      url: this.session.toElectron(request.url),
      isMainFrame,
      isSameDocument: false,
      frame: this.#frameOf(frameId),
    }
    if (redirectedRequestId !== undefined) return emitPreventable(this, 'will-redirect', details)
    if (isMainFrame && this.#loading.delete(withoutFragment(request.url))) return false
    const isRefused = emitPreventable(this, 'will-frame-navigate', details)
    return (isMainFrame && !isRefused && emitPreventable(this, 'will-navigate', details)) || isRefused
  }

  #onOpen(url: string): void {
    const { action } = this.#openHandler({ url: this.session.toElectron(url) })
    if (action !== 'deny') throw new Error('The double of Electron opens no windows for pages.')
  }

  #frameOf(id: string) {
    const frame = this.#frames.get(id)
    if (frame === undefined) return null
    const url = this.session.toElectron(frame.url)
    return strict('WebFrameMain', {
      url,
      origin: URL.parse(url)?.origin ?? 'null',
      parent: frame.parentId === undefined ? null : { url: this.#frames.get(frame.parentId)?.url },
    })
  }

  #onBinding(cdp: CDPSession, executionContextId: number, payload: string): void {
    const message = JSON.parse(payload, unpackBytes) as { open: string } | Invocation
    if ('open' in message) this.#onOpen(message.open)
    else void this.#onInvoke(cdp, executionContextId, message)
  }

  async #onInvoke(cdp: CDPSession, executionContextId: number, invocation: Invocation): Promise<void> {
    const { id, channel, args, length } = invocation
    const frameId = this.#contexts.get(executionContextId) ?? ''
    const event = { type: 'frame', sender: strict('webContents', this), senderFrame: this.#frameOf(frameId) }
    const call = Array.from({ length }, (_, index) => args[index] ?? undefined)
    const { ok, value } = await invokeHandler(channel, event, call)
    const text = value === undefined ? undefined : JSON.stringify(value, packBytes)
    const values = [id, ok, text].map((argument) => (argument === undefined ? {} : { value: argument }))
    await cdp
      .send('Runtime.callFunctionOn', {
        executionContextId,
        functionDeclaration: `function (id, ok, value) { globalThis.${this.#names.binding}Answer(id, ok, value) }`,
        arguments: values,
      })
      // The page may have navigated since.
      .catch(() => {})
  }
}

const electronVersion = (
  JSON.parse(readFileSync(new URL('../../node_modules/electron/package.json', import.meta.url), 'utf8')) as {
    version: string
  }
).version

/** Encodes bytes, which JSON cannot contain. The page uses the same encoding. */
function packBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value
}

function unpackBytes(_key: string, value: unknown): unknown {
  const packed = value as { $bytes?: string } | null
  return typeof packed?.$bytes === 'string' ? new Uint8Array(Buffer.from(packed.$bytes, 'base64')) : value
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? url
}
