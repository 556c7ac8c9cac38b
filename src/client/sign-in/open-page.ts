import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import { isLoopback } from '../registry/registry-address.ts'

const programs: Record<string, readonly [string, ...string[]]> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Whether an address is the confirmation page for this code, in the registry's desk on this computer or in its remote desk.
 * Nothing else may be opened.
 */
export function isConfirmPage(address: string, userCode: string, registry: URL): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  const isLocal = url.protocol === 'http:' && isLoopback(url) && isLoopback(registry)
  const isRemote = url.protocol === 'https:' && url.origin === registry.origin
  return (
    (isLocal || isRemote) &&
    url.username === '' &&
    url.password === '' &&
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
