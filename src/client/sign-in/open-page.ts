import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import { isLoopback } from '../registry/registry-address.ts'

const programs: Record<string, readonly [string, ...string[]]> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Whether an address is the desk's confirmation page for this code on this computer. Nothing else may be opened. */
export function isConfirmPage(address: string, userCode: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  return (
    url.protocol === 'http:' &&
    isLoopback(url) &&
    url.username === '' &&
    url.pathname === '/desk/confirm' &&
    url.search === '' &&
    url.hash === `#${userCode}`
  )
}

/** Opens a page in the browser. Ignores errors, because the address is also shown on the terminal. */
export function openPage(address: string): void {
  const [program, ...args] = programs[platform()] ?? ['xdg-open']
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
