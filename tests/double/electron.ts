// The exports of `electron` in the main process of the double. Importing any other name fails, and so does
// accessing any other property.
import { App } from './app.ts'
import { createBrowserWindow } from './browser-window.ts'
import { MessageChannelMain } from './message-ports.ts'
import { createProtocol, createSessions } from './session.ts'
import { createNet } from './net.ts'
import { createSafeStorage } from './safe-storage.ts'
import {
  createClipboard,
  createNativeTheme,
  createNotificationClass,
  createScreen,
  createTrayClass,
} from './shell-parts.ts'
import { strict, StrictEmitter } from './strict.ts'
import { createUtilityProcesses } from './utility-process.ts'

const plainApp = new App(process.argv[1] ?? '')

export const app = strict('app', plainApp)
/** Only the events that other updaters emit on it. */
export const autoUpdater = strict('autoUpdater', new StrictEmitter('autoUpdater', ['before-quit-for-update']))
export const BrowserWindow = createBrowserWindow(plainApp)
export const clipboard = createClipboard()
export { dialog } from './dialog.ts'
export { ipcMain } from './ipc-main.ts'
export { strictMenu as Menu } from './menu.ts'
export { MessageChannelMain }
export const nativeTheme = createNativeTheme()
export const net = createNet(plainApp)
export const Notification = createNotificationClass(plainApp)
export const protocol = createProtocol(plainApp)
export const safeStorage = createSafeStorage(plainApp)
export const screen = createScreen(plainApp)
export const session = createSessions()
/** Prints the URLs instead of opening them. */
export const shell = strict('shell', {
  openExternal: async (url: string): Promise<void> => {
    process.stdout.write(`The double opens ${url}\n`)
  },
})
export const Tray = createTrayClass(plainApp)
export const utilityProcess = createUtilityProcesses(plainApp)
