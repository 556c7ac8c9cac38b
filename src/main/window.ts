import { BrowserWindow, session } from 'electron'
import type { Session } from 'electron'
import type { AppSettings } from './app-settings.ts'
import { texts } from './app.texts.ts'
import { serveShellPage, shellScheme, shellUrl } from './shell-page.ts'
import { findPlace, keepPlace, smallestSize } from './window-place.ts'

/** An in-memory session: without the prefix `persist:`, Chromium writes nothing to the disk. */
const partition = 'skilldock-desk'

function windowSession(): Session {
  return session.fromPartition(partition)
}

export interface DeskWindow {
  showDesk(url: string): void
  showShell(): void
  /** Whether it shows a page of the desk or is loading one. */
  isOnDesk(): boolean
  /** Shows, restores and focuses the window. */
  focus(): void
  hide(): void
  isFocused(): boolean
}

interface DeskWindowOptions {
  preload: string
  settings: AppSettings
  /** Called if the desk could not be loaded or its process has crashed. */
  onDeskLost(): void
  /** Called when the person closes the window. Returns whether it may close. */
  mayClose(): boolean
  onClosed(): void
}

/** Opens the app's window in its own session. It is empty until `showDesk` or `showShell` is called. */
export function openDeskWindow(options: DeskWindowOptions): DeskWindow {
  const own = windowSession()
  if (!own.protocol.isProtocolHandled(shellScheme)) serveShellPage(own)
  const window = new BrowserWindow({
    ...findPlace(options.settings.get().place),
    minWidth: smallestSize.width,
    minHeight: smallestSize.height,
    title: texts.name,
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
    // Failures are handled by `did-fail-load`. A load that is superseded by another one also rejects.
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
    // Maximizing also shows the window, so this waits until it has content.
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
