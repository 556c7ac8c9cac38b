import { existsSync, readFileSync, rmSync } from 'node:fs'
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
  const program = appImageFile() ?? process.execPath
  const command = [program, ...(app.isPackaged ? [] : [app.getAppPath()]), hiddenOption]
  if (appImageFile() !== null && existsSync(file)) startInstead(file, command)
  return {
    isSet: () => isEnabled(file),
    set(isSet) {
      if (!isSet) {
        rmSync(file, { force: true })
        return
      }
      makeFolder(dirname(file))
      replaceFile(file, autostartEntry(command), 0o644)
    },
  }
}

/** Whether there is an entry that the settings of the desktop have not disabled. */
function isEnabled(file: string): boolean {
  try {
    return !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(readFileSync(file, 'utf8'))
  } catch {
    return false
  }
}

/** Changes the command of an entry: an update gives an AppImage another file name. */
function startInstead(file: string, command: readonly string[]): void {
  try {
    const former = readFileSync(file, 'utf8')
    const entry = former.replace(/^Exec=.*$/m, () => execLine(command))
    if (entry !== former) replaceFile(file, entry, 0o644)
  } catch (error) {
    process.stderr.write(`${texts.log.settings(file, String(error))}\n`)
  }
}

const execLine = (command: readonly string[]): string => `Exec=${command.map(quoteArgument).join(' ')}`

export function autostartEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${texts.name}`,
    `Comment=${texts.loginItem}`,
    execLine(command),
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
