import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const root = join(import.meta.dirname, '../..')

export interface Running {
  url: string
  pid: number
  /** Milliseconds from the start of the process to its first response. */
  startMs: number
  stop(): Promise<void>
}

/** Starts the built server like `skilldock serve`. */
export async function startBuiltServer(
  folder: string,
  environment: Record<string, string> = {},
): Promise<Running> {
  const ready = join(folder, 'ready.json')
  rmSync(ready, { force: true })
  const start = performance.now()
  const child = spawn(process.execPath, [join(root, 'scripts/skilldock.mjs'), 'serve'], {
    env: {
      ...process.env,
      SKILLDOCK_DATA: folder,
      SKILLDOCK_PORT: '0',
      SKILLDOCK_DASHBOARD_PORT: '0',
      SKILLDOCK_READY_FILE: ready,
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (;;) {
    const text = readIfThere(ready)
    if (text !== null) {
      const url = (JSON.parse(text) as { registry: string }).registry
      return running(child, url, start)
    }
    if (child.exitCode !== null) throw new Error('The server did not start')
    await delay(1)
  }
}

export async function startBareServer(answers = '', file = ''): Promise<Running> {
  const start = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.mjs'), answers, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))
  })
  return running(child, url, start)
}

async function running(child: ChildProcess, url: string, start: number): Promise<Running> {
  await (await fetch(`${url}/api/health`)).arrayBuffer()
  const startMs = performance.now() - start
  return {
    url,
    pid: child.pid ?? 0,
    startMs,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Memory of a process and its descendants in bytes (proportional set size: shared pages count once). */
export function memoryOf(pid: number): number {
  let total = 0
  for (const member of [pid, ...descendants(pid)]) {
    const text = readIfThere(`/proc/${member}/smaps_rollup`) ?? ''
    total += Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
  }
  return total
}

function descendants(pid: number): number[] {
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = readIfThere(`/proc/${name}/stat`) ?? ''
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
    if (parent === pid) found.push(Number(name), ...descendants(Number(name)))
  }
  return found
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
