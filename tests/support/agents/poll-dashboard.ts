import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { dashboardPaths } from './dashboard.ts'

const agent = new Agent({ keepAlive: true })

/**
 * Sends a request over a kept-alive connection, like a polling program. Returns the milliseconds until the last byte.
 */
export function timeAnswer(url: string): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    get(url, { agent }, (res) => {
      res.on('error', reject)
      res.resume()
      res.on('end', () => {
        if (res.statusCode === 200) resolve(performance.now() - startedAt)
        else reject(new Error(`${url} answered ${res.statusCode}`))
      })
    }).on('error', reject)
  })
}

/** Requests every path once, one after the other. */
export async function requestAll(address: string): Promise<void> {
  for (const path of dashboardPaths) await timeAnswer(`${address}${path}`)
}

/** Requests every path once per round; rounds start every `everyMs` or as soon as the previous one is done. */
export async function pollDashboard(
  address: string,
  { forMs, everyMs }: { forMs: number; everyMs: number },
): Promise<void> {
  const deadline = performance.now() + forMs
  while (performance.now() < deadline) {
    const startedAt = performance.now()
    await requestAll(address)
    await delay(Math.max(everyMs - (performance.now() - startedAt), 0))
  }
}

/** A process and its children, one of which reads the agent project. */
function withHelpers(pid: number): number[] {
  const helpers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return [pid, ...helpers.map(Number)]
}

/** CPU time used by a process, in milliseconds. */
function cpuMs(pid: number): number {
  // The part after the name, which may contain anything.
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = rest.split(' ').slice(11, 13).map(Number)
  return ((user ?? 0) + (system ?? 0)) * 10
}

/** Waits until a process and its helpers are idle. Linux only. */
export async function untilIdle(pid: number): Promise<void> {
  if (process.platform !== 'linux') return
  for (let before = -Infinity; ;) {
    const now = withHelpers(pid).reduce((sum, each) => sum + cpuMs(each), 0)
    if (now - before < 20) return
    before = now
    await delay(400)
  }
}

/** Memory used by a process and its helpers. Linux only. A helper may exit meanwhile. */
export function residentBytes(pid: number): number {
  return withHelpers(pid).reduce((sum, each) => sum + residentBytesOf(each), 0)
}

function residentBytesOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
