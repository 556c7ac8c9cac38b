import { join } from 'node:path'
import { app } from 'electron'
import { readAttachLink } from './attach-link.ts'
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
  // Chromium's own files lie apart from the person's configuration, which the command line reads too.
  app.setPath('userData', join(app.getPath('appData'), 'skilldock-window'))
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  registerShellScheme()
  app.enableSandbox()
  app.on('window-all-closed', () => app.quit())
  app.whenReady().then(
    () => startDeskApp(attached),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      app.exit(1)
    },
  )
}
