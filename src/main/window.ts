import { BrowserWindow, session } from 'electron'
import type { Session } from 'electron'
import type { AppSettings } from './app-settings.ts'
import { serveShellPage, shellScheme, shellUrl } from './shell-page.ts'
import { findPlace, keepPlace, smallestSize } from './window-place.ts'

/** In memory: Chromium writes nothing of it to the disk. */
const partition = 'skilldock-desk'

/** The session of the one window. */
export function windowSession(): Session {
  return session.fromPartition(partition)
}

export interface DeskWindow {
  /** Loads an address of the desk. */
  showDesk(url: string): void
  showShell(): void
  /** Whether it shows a page of the desk, or is about to. */
  isOnDesk(): boolean
  /** To the front, from wherever it is. */
  focus(): void
  hide(): void
  isFocused(): boolean
}

export interface DeskWindowOptions {
  preload: string
  settings: AppSettings
  /** The desk could not be loaded, or its process has crashed. */
  onDeskLost(): void
  /** The person closes it; whether it does. */
  mayClose(): boolean
  onClosed(): void
}

/** The app's one window, in a session of its own; empty until it is told what to show. */
export function openDeskWindow(options: DeskWindowOptions): DeskWindow {
  const own = windowSession()
  if (!own.protocol.isProtocolHandled(shellScheme)) serveShellPage(own)
  const window = new BrowserWindow({
    ...findPlace(options.settings.get().place),
    minWidth: smallestSize.width,
    minHeight: smallestSize.height,
    title: 'Skilldock',
    show: false,
    webPreferences: {
      preload: options.preload,
      session: own,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    },
  })
  let onDesk = false
  const { webContents } = window

  const load = (url: string): void => {
    // A load that fails is told by `did-fail-load`; one that another load overtakes is no failure.
    webContents.loadURL(url).catch(() => {})
  }
  const lost = (): void => {
    if (!onDesk) return
    onDesk = false
    options.onDeskLost()
  }
  const aborted = -3
  webContents.on('did-fail-load', (_event, code, _description, _url, isMainFrame) => {
    if (isMainFrame && code !== aborted) lost()
  })
  webContents.on('render-process-gone', () => {
    if (onDesk) lost()
    else load(shellUrl)
  })
  keepPlace(window, options.settings)
  const isMaximized = options.settings.get().place?.isMaximized === true
  window.once('ready-to-show', () => {
    // Maximising shows a window too, and so waits for something to show.
    if (isMaximized) window.maximize()
    window.show()
  })
  window.on('close', (event) => {
    if (!options.mayClose()) event.preventDefault()
  })
  window.once('closed', () => options.onClosed())

  return {
    showDesk(url) {
      onDesk = true
      load(url)
    },
    showShell() {
      onDesk = false
      load(shellUrl)
    },
    isOnDesk: () => onDesk,
    focus() {
      if (!window.isVisible()) window.show()
      if (window.isMinimized()) window.restore()
      window.focus()
    },
    hide: () => window.hide(),
    isFocused: () => window.isFocused(),
  }
}
