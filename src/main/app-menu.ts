import { Menu } from 'electron'
import type { MenuItemConstructorOptions } from 'electron'
import { texts } from './app.texts.ts'

/** Sets the application menu: standard roles, and the services if the app runs its own. */
export function setAppMenu(platform: string, services: MenuItemConstructorOptions[] | null): void {
  const template: MenuItemConstructorOptions[] = [
    ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    { label: texts.menu.file, submenu: [{ role: platform === 'darwin' ? 'close' : 'quit' }] },
    { role: 'editMenu' },
    {
      label: texts.menu.view,
      submenu: [
        { role: 'reload' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    ...(services === null ? [] : [{ label: texts.menu.services, submenu: services }]),
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
