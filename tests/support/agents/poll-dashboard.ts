import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { dashboardPaths } from './dashboard.ts'

const agent = new Agent({ keepAlive: true })

/** Asks as a program does that asks all the while: over one connection. Gives the milliseconds until the last byte. */
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

/** Asks for every path once, one after the other. */
export async function askDashboard(address: string): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  for (const path of dashboardPaths) await timeAnswer(`${address}${path}`)
}

/** Asks for every path, one round each `everyMs` or as soon as the one before is over. */
export async function pollDashboard(
  address: string,
  { forMs, everyMs }: { forMs: number; everyMs: number },
): Promise<void> {
  const deadline = performance.now() + forMs
  while (performance.now() < deadline) {
    const startedAt = performance.now()
    // oxlint-disable-next-line no-await-in-loop
    await askDashboard(address)
    // oxlint-disable-next-line no-await-in-loop
    await delay(Math.max(everyMs - (performance.now() - startedAt), 0))
  }
}

/** A process and those that it has started: the agent project is read in one of them. */
function withHelpers(pid: number): number[] {
  const helpers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return [pid, ...helpers.map(Number)]
}

/** Milliseconds of CPU time that a process has used until now. */
function computedMs(pid: number): number {
  // What follows the name, which may hold anything.
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = rest.split(' ').slice(11, 13).map(Number)
  return ((user ?? 0) + (system ?? 0)) * 10
}

/** Waits until a process and its helpers have nothing to do any more; Linux tells. */
export async function untilIdle(pid: number): Promise<void> {
  if (process.platform !== 'linux') return
  for (let before = -Infinity; ;) {
    const now = withHelpers(pid).reduce((sum, each) => sum + computedMs(each), 0)
    if (now - before < 20) return
    before = now
    // oxlint-disable-next-line no-await-in-loop
    await delay(400)
  }
}

/** What a process and its helpers hold of the memory now; Linux tells. A helper may end meanwhile. */
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
