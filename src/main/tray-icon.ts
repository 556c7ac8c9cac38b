import { join } from 'node:path'
import { app, Menu, Tray } from 'electron'
import type { MenuItemConstructorOptions } from 'electron'
import { texts } from './app.texts.ts'

interface AppTray {
  show(items: MenuItemConstructorOptions[], toolTip: string): void
}

/** Creates the tray icon; null if the system does not support one. */
export function createTray(platform: string, open: () => void): AppTray | null {
  let tray: Tray
  try {
    tray = new Tray(iconFile(platform))
  } catch (error) {
    process.stderr.write(`${texts.log.tray(String(error))}\n`)
    return null
  }
  // On macOS a click opens the menu.
  if (platform !== 'darwin') tray.on('click', open)
  return {
    show(items, toolTip) {
      tray.setToolTip(toolTip)
      tray.setContextMenu(Menu.buildFromTemplate(items))
    },
  }
}

function iconFile(platform: string): string {
  const folder = app.isPackaged
    ? join(process.resourcesPath, 'icons')
    : join(app.getAppPath(), 'resources/icons/linux')
  return join(folder, platform === 'darwin' ? '16x16.png' : '32x32.png')
}
