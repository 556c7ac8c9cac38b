import { isAbsolute } from 'node:path'
import type { App } from './app.ts'
import { closers } from './app.ts'
import type { Session } from './session.ts'
import { emitPreventable, strict, StrictEmitter } from './strict.ts'
import { WebContents } from './web-contents.ts'

interface WebPreferences {
  preload?: string
  session?: Session
  sandbox?: boolean
  contextIsolation?: boolean
  nodeIntegration?: boolean
  webviewTag?: boolean
}

interface WindowOptions {
  width?: number
  height?: number
  minWidth?: number
  minHeight?: number
  title?: string
  show?: boolean
  webPreferences?: WebPreferences
}

const knownOptions = new Set(['width', 'height', 'minWidth', 'minHeight', 'title', 'show', 'webPreferences'])
const knownPreferences = new Set([
  'preload',
  'session',
  'sandbox',
  'contextIsolation',
  'nodeIntegration',
  'webviewTag',
])

export function createBrowserWindow(app: App) {
  const windows = new Set<BrowserWindow>()

  class BrowserWindow extends StrictEmitter {
    readonly webContents: WebContents
    readonly #title: string
    #isShown: boolean
    #isFocused = false
    #isMinimized = false

    constructor(options: WindowOptions = {}) {
      super('BrowserWindow', ['close', 'closed', 'focus', 'minimize', 'ready-to-show', 'restore', 'show'])
      if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
      refuseUnknown('BrowserWindow', options, knownOptions)
      const { preload, session, ...rest } = options.webPreferences ?? {}
      refuseUnknown('webPreferences', options.webPreferences ?? {}, knownPreferences)
      if (rest.sandbox === false || rest.contextIsolation === false || rest.nodeIntegration === true) {
        throw new Error('The double of Electron has only sandboxed, isolated pages.')
      }
      if (session === undefined) throw new Error('The double of Electron has no default session.')
      if (preload !== undefined && !isAbsolute(preload)) throw new Error('preload must be an absolute path')
      this.#title = options.title ?? app.getName()
      this.#isShown = options.show ?? true
      this.webContents = strict('webContents', new WebContents(session, preload, () => this.#onClosed()))
      this.webContents.once('did-finish-load', () => this.emit('ready-to-show'))
      windows.add(this)
      app.emit('web-contents-created', {}, this.webContents)
    }

    static getAllWindows(): BrowserWindow[] {
      return [...windows].map((window) => strict('BrowserWindow', window))
    }

    getTitle(): string {
      return this.#title
    }

    show(): void {
      this.#isShown = true
      this.emit('show')
    }

    isVisible(): boolean {
      return this.#isShown
    }

    minimize(): void {
      this.#isMinimized = true
      this.emit('minimize')
    }

    isMinimized(): boolean {
      return this.#isMinimized
    }

    restore(): void {
      this.#isMinimized = false
      this.emit('restore')
    }

    focus(): void {
      this.#isFocused = true
      this.emit('focus')
    }

    isFocused(): boolean {
      return this.#isFocused
    }

    isDestroyed(): boolean {
      return !windows.has(this)
    }

    close(): void {
      if (!emitPreventable(this, 'close')) this.destroy()
    }

    destroy(): void {
      const { webContents } = this
      this.#onClosed()
      // The browser may be gone already, with the page.
      webContents.close().catch(() => {})
    }

    #onClosed(): void {
      if (!windows.delete(this)) return
      this.emit('closed')
      if (windows.size === 0) app.onAllWindowsClosed()
    }
  }

  closers.closeWindows = () => {
    for (const window of windows) window.close()
    return windows.size === 0
  }

  return new Proxy(BrowserWindow, {
    construct: (target, words) => strict('BrowserWindow', new target(...(words as [WindowOptions?]))),
    get: (target, key, receiver) => Reflect.get(strict('BrowserWindow', target), key, receiver),
  })
}

function refuseUnknown(name: string, options: object, known: ReadonlySet<string>): void {
  for (const key of Object.keys(options)) {
    if (!known.has(key)) throw new Error(`The double of Electron has no option "${key}" of ${name}.`)
  }
}
