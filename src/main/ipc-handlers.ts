import { app, nativeTheme } from 'electron'
import type { IpcHandlers, Theme } from '../shared/ipc-schema.ts'
import type { ShellState } from '../shared/services-messages.ts'
import type { AppSettings } from './app-settings.ts'
import { texts } from './app.texts.ts'
import type { DeskSession } from './desk-session.ts'
import type { DeskView } from './desk-view.ts'
import { createFileDialogs } from './file-dialogs.ts'
import { createLoginItem } from './login-item.ts'
import { createPreferences } from './preferences.ts'
import type { Quitting } from './quitting.ts'
import type { Services } from './server-process.ts'

const attachedState: ShellState = {
  phase: 'attached',
  sentence: texts.sentences.attached,
  retryInSeconds: null,
  services: [],
  taken: [],
}

interface Parts {
  settings: AppSettings
  services: Services | null
  quitting: Quitting | null
  view: DeskView
  deskSession: DeskSession
}

/** The handlers of the pages' calls. Those about services throw if another process runs them. */
export function makeHandlers({ settings, services, quitting, view, deskSession }: Parts): IpcHandlers {
  const files = createFileDialogs()
  const own = (): Services => {
    if (services === null) throw new Error(texts.errors.otherProcess)
    return services
  }
  return {
    app: { info: () => appInfo(services !== null, settings.get().theme) },
    services: {
      state: () => services?.state() ?? attachedState,
      start: () => own().start(),
      async stop() {
        own()
        await quitting?.pause()
      },
    },
    shell: {
      retry() {
        if (services !== null) services.retry()
        else view.reload()
      },
      quit: () => app.quit(),
      usePort: ({ service, port }) => own().usePort(service, port),
    },
    setup: {
      async useDataFolder(path) {
        if (!files.isChosenForData(path)) throw new Error(texts.errors.chooseFolder)
        await own().useDataFolder(path)
      },
      async restoreBackup() {
        const running = own()
        const file = await files.chooseBackup()
        if (file === null) return false
        await running.restoreBackup(file)
        return true
      },
      restoreProgress: () => own().restoreProgress(),
      newLink() {
        own()
        view.signInAgain()
      },
    },
    session: { get: deskSession.get, set: ({ key }) => deskSession.set(key) },
    files: files.handlers,
    preferences: createPreferences(settings, createLoginItem(process.platform)),
    window: {
      setTheme(theme) {
        settings.change({ theme })
        nativeTheme.themeSource = theme
      },
    },
  }
}

function appInfo(ownsServices: boolean, theme: Theme) {
  return {
    version: app.getVersion(),
    electron: process.versions['electron'] ?? '',
    chrome: process.versions['chrome'] ?? '',
    node: process.versions.node,
    platform: process.platform,
    ownsServices,
    theme,
  }
}
