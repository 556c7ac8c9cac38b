import type * as Electron from 'electron'
import type { Desktop } from './desktop.ts'

// Records what the app shows outside its window (dialogs, notifications, tray), and answers and clicks like a person.

/** The parts of a menu item that tests check. */
export interface ShownItem {
  label: string
  enabled: boolean
}

interface Watched {
  dialogs: { message: string; detail: string; buttons: string[] }[]
  notifications: Electron.Notification[]
  badges: number[]
  tray: { menu: Electron.Menu | null; toolTip: string }
}
type World = typeof globalThis & { watched: Watched }

/** Starts recording what the app shows. Each dialog gets the next of the answers. */
export function watchShell(app: Desktop, answers: string[] = []): Promise<void> {
  return app.evaluate((electron, buttons) => {
    const watched: Watched = {
      dialogs: [],
      notifications: [],
      badges: [],
      tray: { menu: null, toolTip: '' },
    }
    Object.assign(globalThis, { watched })
    const { app: electronApp, dialog, Notification, Tray } = electron
    const showMessageBox = (options: Electron.MessageBoxOptions) => {
      const { message, detail = '', buttons: offered = [] } = options
      watched.dialogs.push({ message, detail, buttons: offered })
      const response = offered.indexOf(buttons.shift() ?? '')
      return Promise.resolve({
        response: response === -1 ? (options.cancelId ?? 0) : response,
        checkboxChecked: false,
      })
    }
    Object.assign(dialog, { showMessageBox })
    Object.assign(electronApp, {
      setBadgeCount: (count = 0) => {
        watched.badges.push(count)
        return true
      },
    })
    Notification.prototype.show = function show(this: Electron.Notification) {
      watched.notifications.push(this)
    }
    Tray.prototype.setContextMenu = (menu: Electron.Menu | null) => void (watched.tray.menu = menu)
    Tray.prototype.setToolTip = (toolTip: string) => void (watched.tray.toolTip = toolTip)
  }, answers)
}

export const dialogs = (app: Desktop): Promise<Watched['dialogs']> =>
  app.evaluate(() => (globalThis as World).watched.dialogs)

export const badges = (app: Desktop): Promise<number[]> =>
  app.evaluate(() => (globalThis as World).watched.badges)

export const notifications = (app: Desktop): Promise<{ title: string; body: string }[]> =>
  app.evaluate(() => (globalThis as World).watched.notifications.map(({ title, body }) => ({ title, body })))

export const clickNotification = (app: Desktop, index: number): Promise<void> =>
  app.evaluate((_electron, at) => {
    ;(globalThis as World).watched.notifications[at]?.emit('click', {})
  }, index)

/** The tray menu, once it has changed after `watchShell`. */
export const trayItems = (app: Desktop): Promise<ShownItem[]> =>
  app.evaluate(() =>
    ((globalThis as World).watched.tray.menu?.items ?? []).map(({ label, enabled }) => ({ label, enabled })),
  )

export const clickTray = (app: Desktop, label: string): Promise<void> =>
  app.evaluate((_electron, clicked) => {
    const items = (globalThis as World).watched.tray.menu?.items ?? []
    items.find((item) => item.label === clicked)?.click()
  }, label)

/** The items of the Services menu in the application menu. */
export const servicesItems = (app: Desktop): Promise<ShownItem[]> =>
  app.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items.find(({ label }) => label === 'Services')?.submenu?.items ?? []).map(
      ({ label, enabled }) => ({ label, enabled }),
    ),
  )

export const clickServices = (app: Desktop, label: string): Promise<void> =>
  app.evaluate(({ Menu }, clicked) => {
    const services = Menu.getApplicationMenu()?.items.find((item) => item.label === 'Services')
    services?.submenu?.items.find((item) => item.label === clicked)?.click()
  }, label)

/** Whether each window is visible. */
export const windowsShown = (app: Desktop): Promise<boolean[]> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()))

export const closeWindow = (app: Desktop): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())

export const quit = async (app: Desktop): Promise<void> =>
  awaitLastCall(app.evaluate(({ app: own }) => own.quit()))

/** Awaits a call that ends the app, which may exit before it responds. Tests check its exit status instead. */
export async function awaitLastCall(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!/ended|closed/.test(String(error))) throw error
  })
}
