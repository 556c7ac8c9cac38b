import { createServer } from 'node:net'
import type { PortState } from '../../shared/contracts/desk-settings.ts'
import { findPortHolder } from './port-holder.ts'

/** Number of ports tried to find a suggestion. */
const tries = 50
const highest = 65_535
const firstOpen = 1024

/** Whether a service of this process could listen on a port. `own`: the ports that it already listens on. */
export async function findPortState(
  port: number,
  hosts: readonly string[],
  own: readonly number[],
): Promise<PortState> {
  const nothing = { port, holder: null, suggestion: null }
  if (own.includes(port)) return { ...nothing, state: 'own' }
  const outcome = await tryPort(port, hosts)
  if (outcome === 'free') return { ...nothing, state: 'free' }
  const suggestion = await findFree(port, hosts, own)
  if (outcome === 'forbidden') return { ...nothing, state: 'forbidden', suggestion }
  const holder = await findPortHolder(port)
  return {
    port,
    state: 'taken',
    holder: holder === null ? null : `${holder.command} (process ${holder.pid})`,
    suggestion,
  }
}

async function findFree(
  port: number,
  hosts: readonly string[],
  own: readonly number[],
): Promise<number | null> {
  // Follows the convention of 8080 for 80 and 8443 for 443.
  const start = port < firstOpen ? (port === 80 ? 8080 : 8000 + port) : port + 1
  for (let at = 0; at < tries; at += 1) {
    const candidate = start + at <= highest ? start + at : port - at - 1
    if (own.includes(candidate)) continue
    // One at a time: the first free port is the suggestion.
    if ((await tryPort(candidate, hosts)) === 'free') return candidate
  }
  return null
}

/** Listens briefly on each address. Addresses that this computer doesn't have are ignored. */
async function tryPort(port: number, hosts: readonly string[]): Promise<'free' | 'taken' | 'forbidden'> {
  for (const host of hosts) {
    const code = await listenOnce(port, host)
    if (code === 'EACCES') return 'forbidden'
    if (code === 'EADDRINUSE') return 'taken'
  }
  return 'free'
}

function listenOnce(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error ? String(error.code) : 'unknown'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
