import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { makeFolder, replaceFile } from '../files/durable-files.ts'
import { texts } from './app.texts.ts'
import { appImageFile } from './environment.ts'

const hiddenOption = '--hidden'

/** Whether the system starts the app at login, hidden, with its services and a tray icon. */
export interface LoginItem {
  isSet(): boolean
  set(isSet: boolean): void
}

export function createLoginItem(platform: string): LoginItem {
  return platform === 'linux' ? createAutostartFile() : systemLoginItem
}

/** Whether the app was started without a window. */
export function isHiddenStart(args: readonly string[], platform: string): boolean {
  // Arguments after `--` come from an opened link and are not options.
  const end = args.indexOf('--')
  if ((end === -1 ? args : args.slice(0, end)).includes(hiddenOption)) return true
  return platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
}

const systemLoginItem: LoginItem = {
  // Windows compares the arguments too. macOS itself reports how the app was started.
  isSet: () => app.getLoginItemSettings({ args: [hiddenOption] }).openAtLogin,
  set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args: [hiddenOption] }),
}

/** Electron does not support login items on Linux, so this writes an XDG autostart entry. */
function createAutostartFile(): LoginItem {
  const file = join(app.getPath('appData'), 'autostart', 'skilldock.desktop')
  return {
    isSet: () => existsSync(file),
    set(isSet) {
      if (!isSet) {
        rmSync(file, { force: true })
        return
      }
      const program = appImageFile() ?? process.execPath
      const command = [program, ...(app.isPackaged ? [] : [app.getAppPath()]), hiddenOption]
      makeFolder(dirname(file))
      replaceFile(file, autostartEntry(command), 0o644)
    },
  }
}

export function autostartEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${texts.name}`,
    `Comment=${texts.loginItem}`,
    `Exec=${command.map(quoteArgument).join(' ')}`,
    'Icon=skilldock',
    'Terminal=false',
    '',
  ].join('\n')
}

/** Quotes as the Desktop Entry Specification requires: for the command, and again for a string in the file. */
function quoteArgument(argument: string): string {
  const quoted = argument.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%')
  return `"${quoted.replaceAll('\\', String.raw`\\`)}"`
}
