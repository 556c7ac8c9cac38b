// What `import … from 'electron'` gives in the main process of the double. A name that is not exported here
// fails where it is imported; a property that is not there throws.
import { App } from './app.ts'
import { createBrowserWindow } from './browser-window.ts'
import { MessageChannelMain } from './message-ports.ts'
import { createProtocol, createSessions } from './session.ts'
import { strict } from './strict.ts'
import { createUtilityProcesses } from './utility-process.ts'

const plainApp = new App(process.argv[1] ?? '')

export const app = strict('app', plainApp)
export const BrowserWindow = createBrowserWindow(plainApp)
export { ipcMain } from './ipc-main.ts'
export { strictMenu as Menu } from './menu.ts'
export { MessageChannelMain }
export const protocol = createProtocol(plainApp)
export const session = createSessions()
/** Addresses that were handed to the system. */
export const shell = strict('shell', {
  openExternal: async (url: string): Promise<void> => {
    process.stdout.write(`The double opens ${url}\n`)
  },
})
export const utilityProcess = createUtilityProcesses(plainApp)
