// What `import … from 'electron'` gives in the main process of the double. A name that is not exported here
// fails where it is imported; a property that is not there throws.
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
/** Only what other updaters tell through it. */
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
/** Addresses that were handed to the system. */
export const shell = strict('shell', {
  openExternal: async (url: string): Promise<void> => {
    process.stdout.write(`The double opens ${url}\n`)
  },
})
export const Tray = createTrayClass(plainApp)
export const utilityProcess = createUtilityProcesses(plainApp)
