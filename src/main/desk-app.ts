import { join } from 'node:path'
import { app, nativeTheme } from 'electron'
import { openAppSettings } from './app-settings.ts'
import type { AppSettings } from './app-settings.ts'
import { texts } from './app.texts.ts'
import { readAttachLink } from './attach-link.ts'
import { createBadge } from './badge.ts'
import { createClosing } from './window-closing.ts'
import { findDeepLink } from './deep-links.ts'
import type { DeepLinks } from './deep-links.ts'
import { keepDeskSession } from './desk-session.ts'
import { createDeskView } from './desk-view.ts'
import type { DeskView } from './desk-view.ts'
import { makeHandlers } from './ipc-handlers.ts'
import { answerIpc } from './ipc.ts'
import { isHiddenStart } from './login-item.ts'
import { setAppMenu } from './app-menu.ts'
import { createNotifications } from './notifications.ts'
import { ask } from './question-dialog.ts'
import { handleQuitting } from './quitting.ts'
import type { Quitting } from './quitting.ts'
import { secureEverything } from './security.ts'
import { helperEntries } from './helper-processes.ts'
import { createServices } from './server-process.ts'
import type { Services } from './server-process.ts'
import { describeServices } from './service-status.ts'
import { servicesMenu } from './services-menu.ts'
import { createTray } from './tray-icon.ts'
import { createUpdates } from './updates.ts'

/**
 * Opens the window with the app's own services, which it starts and stops, or with the desk of another process
 * (`attached`, a sign-in link), whose services it does not control.
 */
export function startDeskApp(attached: URL | null, links: DeepLinks): void {
  const settings = openAppSettings(join(app.getPath('userData'), 'app.json'))
  nativeTheme.themeSource = settings.get().theme
  const services = attached === null ? createOwnServices() : null
  const quitting = services === null ? null : handleQuitting(services)
  let close: (() => void) | null = null
  const deskSession = keepDeskSession({
    file: join(app.getPath('userData'), 'desk-session'),
    platform: process.platform,
  })
  const view: DeskView = createDeskView({
    settings,
    deskSession,
    services,
    attached,
    mayClose() {
      if (close === null || quitting?.isQuitting() !== false) return true
      close()
      return false
    },
  })

  secureEverything(view.origin)
  answerIpc(makeHandlers({ settings, services, quitting, view, deskSession }), view.origin)
  app.on('activate', () => view.open())
  app.on('second-instance', (_event, args) => onSecondStart(args, attached !== null, view))
  links.onOpen((path) => view.open(path))
  const isHidden = isHiddenStart(process.argv, process.platform) && links.first() === null
  let hasTray = false
  if (services === null || quitting === null) {
    setAppMenu(process.platform, null)
  } else {
    hasTray = showServices(services, quitting, view)
    close = createClosing({ settings, hasTray, hide: view.hide })
    notify(services, settings, view)
    services.onUpdateAddress(watchForUpdates(quitting.stop))
    services.start()
  }
  // Without a window and a tray icon, the app could not be opened again.
  if (!isHidden || !hasTray) view.open(links.first() ?? undefined)
}

function onSecondStart(args: readonly string[], isAttached: boolean, view: DeskView): void {
  if (isHiddenStart(args, '')) return
  view.open(findDeepLink(args) ?? undefined)
  const link = isAttached ? readLink(args) : null
  if (link !== null) view.attach(link)
}

/** The link that a second instance was started with. An invalid one is ignored. */
function readLink(args: readonly string[]): URL | null {
  try {
    return readAttachLink(args)
  } catch {
    return null
  }
}

/** Shows the state of the services in tray, menu and badge. Returns whether there is a tray. */
function showServices(services: Services, quitting: Quitting, view: DeskView): boolean {
  const tray = createTray(process.platform, () => view.open())
  const showBadge = createBadge()
  let pending = 0
  const actions = {
    open: () => view.open(),
    openQueue: () => view.open('/desk/review'),
    start: () => services.start(),
    stop: () => void quitting.pause(),
  }
  const show = (): void => {
    const state = services.state()
    const items = servicesMenu(state, pending, actions)
    setAppMenu(process.platform, items)
    const quit = { label: texts.menu.quit, click: () => app.quit() }
    tray?.show([...items, { type: 'separator' }, quit], [texts.name, ...describeServices(state)].join('\n'))
  }
  services.onNews((news) => {
    showBadge(news.pending + news.projects.pending)
    if (news.pending === pending) return
    pending = news.pending
    show()
  })
  services.onChange(show)
  show()
  return tray !== null
}

function notify(services: Services, settings: AppSettings, view: DeskView): void {
  const notifications = createNotifications({
    isOn: (kind) => settings.get()[kind],
    isWatched: view.isFocused,
    open: view.open,
  })
  services.onNews(notifications.onNews)
  let failures = 0
  services.onChange(() => {
    // Notify only once until the services run again.
    if (failures === 0 && services.failures() > 0) notifications.onCrash()
    failures = services.failures()
  })
}

function createOwnServices(): Services {
  return createServices({
    server: join(import.meta.dirname, 'server.js'),
    ...helperEntries(import.meta.dirname),
  })
}

/** Returns a function that sets where the app checks for updates. */
function watchForUpdates(stopServices: () => Promise<void>): (address: string | null) => void {
  const updates = createUpdates({
    version: app.getVersion(),
    load: async () => (await import('electron-updater')).default.autoUpdater,
    ask: async ({ message, detail, yes, no }) => (await ask({ message, detail, buttons: [yes, no] })) === yes,
    beforeInstall: stopServices,
    log: (line) => void process.stderr.write(`${line}\n`),
  })
  return (address) => updates.setAddress(address)
}
