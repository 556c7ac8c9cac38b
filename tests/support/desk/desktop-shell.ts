import type * as Electron from 'electron'
import type { Desktop } from './desktop.ts'

// What the operating system would show beside the window, and what a person would answer there.

/** A menu item as a test looks at it. */
export interface ShownItem {
  label: string
  enabled: boolean
}

interface Watched {
  asked: { message: string; detail: string; buttons: string[] }[]
  notifications: Electron.Notification[]
  badges: number[]
  tray: { menu: Electron.Menu | null; toolTip: string }
}
type World = typeof globalThis & { watched: Watched }

/** Notes from now on what the app shows and asks; each question gets the next of the answers. */
export function watchShell(app: Desktop, answers: string[] = []): Promise<void> {
  return app.evaluate((electron, buttons) => {
    const watched: Watched = {
      asked: [],
      notifications: [],
      badges: [],
      tray: { menu: null, toolTip: '' },
    }
    Object.assign(globalThis, { watched })
    const { app: electronApp, dialog, Notification, Tray } = electron
    const showMessageBox = (options: Electron.MessageBoxOptions) => {
      const { message, detail = '', buttons: offered = [] } = options
      watched.asked.push({ message, detail, buttons: offered })
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

export const asked = (app: Desktop): Promise<Watched['asked']> =>
  app.evaluate(() => (globalThis as World).watched.asked)

export const badges = (app: Desktop): Promise<number[]> =>
  app.evaluate(() => (globalThis as World).watched.badges)

export const notifications = (app: Desktop): Promise<{ title: string; body: string }[]> =>
  app.evaluate(() => (globalThis as World).watched.notifications.map(({ title, body }) => ({ title, body })))

export const clickNotification = (app: Desktop, index: number): Promise<void> =>
  app.evaluate((_electron, at) => {
    ;(globalThis as World).watched.notifications[at]?.emit('click', {})
  }, index)

/** The menu of the icon in the tray, since something of it has changed. */
export const trayItems = (app: Desktop): Promise<ShownItem[]> =>
  app.evaluate(() =>
    ((globalThis as World).watched.tray.menu?.items ?? []).map(({ label, enabled }) => ({ label, enabled })),
  )

export const clickTray = (app: Desktop, label: string): Promise<void> =>
  app.evaluate((_electron, wanted) => {
    const items = (globalThis as World).watched.tray.menu?.items ?? []
    items.find((item) => item.label === wanted)?.click()
  }, label)

/** The application menu's own items of the services. */
export const servicesItems = (app: Desktop): Promise<ShownItem[]> =>
  app.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items.find(({ label }) => label === 'Services')?.submenu?.items ?? []).map(
      ({ label, enabled }) => ({ label, enabled }),
    ),
  )

export const clickServices = (app: Desktop, label: string): Promise<void> =>
  app.evaluate(({ Menu }, wanted) => {
    const services = Menu.getApplicationMenu()?.items.find((item) => item.label === 'Services')
    services?.submenu?.items.find((item) => item.label === wanted)?.click()
  }, label)

/** Whether each window is to be seen. */
export const windowsShown = (app: Desktop): Promise<boolean[]> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()))

export const closeWindow = (app: Desktop): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())

export const quit = async (app: Desktop): Promise<void> => last(app.evaluate(({ app: own }) => own.quit()))

/** The last call of an app, which may have ended before it could answer: its exit status is what is judged. */
export async function last(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!/ended|closed/.test(String(error))) throw error
  })
}
