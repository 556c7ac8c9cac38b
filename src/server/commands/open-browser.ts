import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  linux: ['xdg-open'],
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Milliseconds after which an opener that is still running counts as success. */
const patienceMs = 3000

/** Asks the system to open `url` in the default browser; false if it can't. */
export async function openBrowser(url: string): Promise<boolean> {
  const [command, ...args] = openers[process.platform] ?? []
  if (command === undefined) return false
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.unref()
  return new Promise((resolve) => {
    const patience = setTimeout(() => resolve(true), patienceMs)
    const settle = (isOpen: boolean): void => {
      clearTimeout(patience)
      resolve(isOpen)
    }
    child.once('error', () => settle(false))
    child.once('exit', (code) => settle(code === 0))
  })
}
