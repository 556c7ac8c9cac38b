import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { replaceFile } from '../files/durable-files.ts'
import { appImageFile } from './environment.ts'

const hiddenWord = '--hidden'

/** Whether the system starts the app when the person logs in: its services, and an icon in the tray. */
export interface LoginItem {
  isSet(): boolean
  set(isSet: boolean): void
}

export function createLoginItem(platform: string): LoginItem {
  return platform === 'linux' ? createAutostartFile() : systemLoginItem
}

/** Whether this start is one that shows no window. */
export function isHiddenStart(words: readonly string[], platform: string): boolean {
  // What follows it comes from a link that somebody has opened, and is no option.
  const end = words.indexOf('--')
  if ((end === -1 ? words : words.slice(0, end)).includes(hiddenWord)) return true
  return platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
}

const systemLoginItem: LoginItem = {
  // The words belong to it on Windows; macOS tells by itself how the app was started.
  isSet: () => app.getLoginItemSettings({ args: [hiddenWord] }).openAtLogin,
  set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args: [hiddenWord] }),
}

/** Electron has nothing for Linux: an entry as the desktops there read it. */
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
      const words = [program, ...(app.isPackaged ? [] : [app.getAppPath()]), hiddenWord]
      mkdirSync(dirname(file), { recursive: true })
      replaceFile(file, autostartEntry(words), 0o644)
    },
  }
}

export function autostartEntry(words: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Skilldock',
    'Comment=Keeps the registry and the dashboard running',
    `Exec=${words.map(quoteWord).join(' ')}`,
    'Icon=skilldock',
    'Terminal=false',
    '',
  ].join('\n')
}

/** As the Desktop Entry Specification has it: quoted for the command, then once more for a string of the file. */
function quoteWord(word: string): string {
  const quoted = word.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%')
  return `"${quoted.replaceAll('\\', String.raw`\\`)}"`
}
