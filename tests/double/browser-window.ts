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

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

interface WindowOptions {
  x?: number
  y?: number
  width?: number
  height?: number
  minWidth?: number
  minHeight?: number
  title?: string
  show?: boolean
  webPreferences?: WebPreferences
}

const knownOptions = new Set([
  'x',
  'y',
  'width',
  'height',
  'minWidth',
  'minHeight',
  'title',
  'show',
  'webPreferences',
])
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
    #isMaximized = false
    #bounds: Rectangle

    constructor(options: WindowOptions = {}) {
      super('BrowserWindow', [
        'blur',
        'close',
        'closed',
        'focus',
        'hide',
        'maximize',
        'minimize',
        'move',
        'ready-to-show',
        'resize',
        'restore',
        'show',
        'unmaximize',
      ])
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
      const { x = 0, y = 0, width = 800, height = 600 } = options
      this.#bounds = { x, y, width, height }
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

    /** Shows and focuses the window. */
    show(): void {
      this.#isShown = true
      this.emit('show')
      this.focus()
    }

    hide(): void {
      this.#isShown = false
      this.blur()
      this.emit('hide')
    }

    getBounds(): Rectangle {
      return { ...this.#bounds }
    }

    /** The bounds when the window is neither minimized nor maximized. */
    getNormalBounds(): Rectangle {
      return { ...this.#bounds }
    }

    setBounds(bounds: Partial<Rectangle>): void {
      this.#bounds = { ...this.#bounds, ...bounds }
      this.emit('move')
      this.emit('resize')
    }

    /** Also shows the window. */
    maximize(): void {
      this.#isMaximized = true
      this.#isShown = true
      this.emit('maximize')
    }

    unmaximize(): void {
      this.#isMaximized = false
      this.emit('unmaximize')
    }

    isMaximized(): boolean {
      return this.#isMaximized
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

    blur(): void {
      this.#isFocused = false
      this.emit('blur')
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
      // The browser may already have been closed, including the page.
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
    construct: (target, args) => strict('BrowserWindow', new target(...(args as [WindowOptions?]))),
    get: (target, key, receiver) => Reflect.get(strict('BrowserWindow', target), key, receiver),
  })
}

function refuseUnknown(name: string, options: object, known: ReadonlySet<string>): void {
  for (const key of Object.keys(options)) {
    if (!known.has(key)) throw new Error(`The double of Electron has no option "${key}" of ${name}.`)
  }
}
