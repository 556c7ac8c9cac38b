import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cleanEnvironment } from '../support/server/command-line.ts'

const root = join(import.meta.dirname, '../..')

/** The built `skilldock`. */
export const builtCommand = join(root, 'out/main/cli.js')

export interface Running {
  url: string
  /** The origin of the local listener; that of the only listener for a peer. */
  localUrl: string
  pid: number
  /** Milliseconds from the start of the process to its first response. */
  startMs: number
  /** Safe to call again. */
  stop(): Promise<void>
}

/** Starts the built server like an installed `skilldock serve`. */
export async function startBuiltServer(
  folder: string,
  variables: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<Running> {
  const ready = join(folder, 'ready.json')
  rmSync(ready, { force: true })
  const start = performance.now()
  const child = spawn(process.execPath, [builtCommand, 'serve', ...options], {
    env: {
      ...cleanEnvironment(),
      SKILLDOCK_DATA: folder,
      SKILLDOCK_PORT: '0',
      SKILLDOCK_DASHBOARD_PORT: '0',
      SKILLDOCK_READY_FILE: ready,
      ...variables,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log = `${log}${text}`.slice(-10_000)))
  for (;;) {
    const text = readIfThere(ready)
    if (text !== '') {
      const { registry, dashboard } = JSON.parse(text) as { registry: string; dashboard: string }
      return running(child, registry, dashboard, start)
    }
    if (child.exitCode !== null) throw new Error(`The server did not start:\n${log}`)
    await delay(1)
  }
}

/** Starts a program in `peers`, which prints its origin. */
export async function startPeer(file: string, ...args: string[]): Promise<Running> {
  const start = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'peers', file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const url = line.toString().trim()
  return running(child, url, url, start)
}

async function running(child: ChildProcess, url: string, localUrl: string, start: number): Promise<Running> {
  const ended = once(child, 'exit')
  await (await fetch(`${url}/api/health`)).arrayBuffer()
  const startMs = performance.now() - start
  return {
    url,
    localUrl,
    pid: child.pid ?? 0,
    startMs,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Memory of a process and its descendants in MiB (proportional set size: shared pages count once). */
export const memoryOf = (pid: number): number =>
  familyOf(pid)
    .map((member) => /^Pss:\s+(\d+) kB/m.exec(readIfThere(`/proc/${member}/smaps_rollup`))?.[1])
    .reduce((sum, kilobytes) => sum + Number(kilobytes ?? 0) / 1024, 0)

/** The highest memory of a process and its descendants while `work` runs, in MiB. */
export async function peakMemoryDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = 0
  const sampler = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid))
  }, 25)
  try {
    await work()
  } finally {
    clearInterval(sampler)
  }
  return peak
}

/** Processor time of all threads of a process and of each of its descendants, in seconds. */
export const cpuSecondsOfEach = (pid: number): Map<number, number> =>
  new Map(
    familyOf(pid).map((member) => [
      member,
      listIfThere(`/proc/${member}/task`)
        .map((id) => Number(readIfThere(`/proc/${member}/task/${id}/schedstat`).split(' ')[0]) / 1e9)
        .reduce((sum, seconds) => sum + seconds, 0),
    ]),
  )

/** The same of all these processes together. */
export const cpuSecondsOf = (pid: number): number =>
  [...cpuSecondsOfEach(pid).values()].reduce((sum, seconds) => sum + seconds, 0)

/** A process and its descendants. */
function familyOf(pid: number): number[] {
  const children = listIfThere(`/proc/${pid}/task`).flatMap((id) =>
    readIfThere(`/proc/${pid}/task/${id}/children`).split(' ').filter(Boolean),
  )
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
}

// A process may end at any time.
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function listIfThere(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
