import { join } from 'node:path'
import { app, dialog } from 'electron'
import { texts } from './app.texts.ts'
import { readAttachLink } from './attach-link.ts'
import { readCommandLine, runCommandLine } from './command-line.ts'
import { listenForDeepLinks } from './deep-links.ts'
import type { DeepLinks } from './deep-links.ts'
import { startDeskApp } from './desk-app.ts'
import { registerShellScheme } from './shell-page.ts'

// No top-level await for readiness here: Electron becomes ready only after this module has been evaluated.
try {
  const command = readCommandLine(process.argv)
  if (command === null) begin(readAttachLink(process.argv))
  else {
    app.setPath('userData', join(app.getPath('appData'), 'skilldock-command'))
    runCommandLine(command, import.meta.dirname).catch(fail)
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  app.exit(2)
}

function begin(attached: URL | null): void {
  // Windows shows notifications only under the app id that was installed.
  if (process.platform === 'win32') app.setAppUserModelId('example.skilldock.desk')
  // Keeps Chromium's files separate from the person's configuration, which the command line also reads.
  app.setPath('userData', join(app.getPath('appData'), 'skilldock-window'))
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  registerShellScheme()
  app.enableSandbox()
  app.on('window-all-closed', () => app.quit())
  const links = listenForDeepLinks(process.argv)
  app.whenReady().then(() => start(attached, links), fail)
}

function fail(error: unknown): void {
  process.stderr.write(`${String(error)}\n`)
  app.exit(1)
}

function start(attached: URL | null, links: DeepLinks): void {
  // An AppImage adds this option if the system does not allow sandboxes, but the desk shows untrusted content. Not checked
  // in development, because tests that run as root need the option.
  if (app.isPackaged && app.commandLine.hasSwitch('no-sandbox')) {
    dialog.showErrorBox(texts.sandbox.title, texts.sandbox.detail)
    app.exit(2)
    return
  }
  startDeskApp(attached, links)
}
