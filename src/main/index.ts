import { join } from 'node:path'
import { app, dialog } from 'electron'
import { readAttachLink } from './attach-link.ts'
import { listenForDeepLinks } from './deep-links.ts'
import type { DeepLinks } from './deep-links.ts'
import { startDeskApp } from './desk-app.ts'
import { registerShellScheme } from './shell-page.ts'

// Nothing here may wait for the app to be ready at the top level: Electron becomes ready only when this
// module has been read to its end.
try {
  begin(readAttachLink(process.argv))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  app.exit(2)
}

function begin(attached: URL | null): void {
  // Windows shows notifications only of a program by the name under which it was installed.
  if (process.platform === 'win32') app.setAppUserModelId('example.skilldock.desk')
  // Chromium's own files lie apart from the person's configuration, which the command line reads too.
  app.setPath('userData', join(app.getPath('appData'), 'skilldock-window'))
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  registerShellScheme()
  app.enableSandbox()
  app.on('window-all-closed', () => app.quit())
  const links = listenForDeepLinks(process.argv)
  app.whenReady().then(
    () => start(attached, links),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      app.exit(1)
    },
  )
}

function start(attached: URL | null, links: DeepLinks): void {
  // An AppImage adds this by itself where the system lets no program make a sandbox, and what the desk shows
  // comes from strangers. Unpacked, tests that run as root cannot do without it.
  if (app.isPackaged && app.commandLine.hasSwitch('no-sandbox')) {
    dialog.showErrorBox(
      'Skilldock does not start without its sandbox',
      'It was started with --no-sandbox. An AppImage does that where the system lets no program make a sandbox: ' +
        'install the .deb package, which has the permission for it. Else leave the option out.',
    )
    app.exit(2)
    return
  }
  startDeskApp(attached, links)
}
