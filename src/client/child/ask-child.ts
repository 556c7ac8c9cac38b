import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { z } from 'zod'
import { createFrameReader } from './frames.ts'
import type { FrameKind } from './frames.ts'
import { childWord, writeOrder } from './job.ts'
import type { Job, Order } from './job.ts'

export interface ChildOptions<T> {
  /** What its answer has to be: it has had a stranger's module in its hands. */
  schema: z.ZodType<T>
  /** From when the child is there to use it; it is killed then. */
  timeMs: number
  signal: AbortSignal
  /** The file of this program. */
  program: string
  /** What it says before its answer; the child has failed where this throws. */
  onFrame?: (kind: FrameKind, bytes: Buffer) => void
}

export type ChildEnd<T> =
  | { kind: 'answer'; answer: T }
  | { kind: 'time-limit' }
  /** It has ended by itself without an answer. */
  | { kind: 'failed'; reason: string }

/** A machine that is this slow would not get anything done. */
const startMs = 60_000
const keptOfStderr = 4000
/** Megabytes of objects: what is kept of a module of 16 MiB, and the tables of the engine. */
const heapMegabytes = 256

/**
 * Has a process do the work that has been given nothing: no environment, no input but the order, the root for a
 * folder, bounded memory and, where Node has such rules for a process, no rights. It is killed at its time limit,
 * when this process ends, however that comes, and when the signal says so, which then throws.
 */
export async function askChild<T>(order: Order, options: ChildOptions<T>): Promise<ChildEnd<T>> {
  const { signal, program } = options
  signal.throwIfAborted()
  const child = start(program, order.job)
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  signal.addEventListener('abort', kill)
  try {
    const end = await hear(child, order, options)
    signal.throwIfAborted()
    return end
  } finally {
    kill()
    signal.removeEventListener('abort', kill)
    process.off('exit', kill)
  }
}

// Node 20 knows the rules under another name only, as an experiment.
const rules = (program: string): string[] =>
  process.allowedNodeEnvironmentFlags.has('--permission')
    ? // The one thread beside it watches over its end.
      ['--permission', `--allow-fs-read=${program}`, '--allow-worker']
    : []

/**
 * The heap has no place for the memory of a module. But where that is the larger one, the engine looks for garbage
 * each time that it grows.
 */
const heapFor = (job: Job): number =>
  heapMegabytes + (job.kind === 'run' ? Math.ceil(job.limits.memoryBytes / 1_048_576) : 0)

/** Kibibytes of memory in all, where the system can hold a process to it; what it runs with has its place beside. */
const memoryKibibytes = (job: Job): number => (heapFor(job) + 1024) * 1024

const shell = '/bin/sh'

function start(program: string, job: Job): ChildProcess {
  const words = [`--max-old-space-size=${heapFor(job)}`, ...rules(program), program, childWord]
  const [command, ...more] =
    process.platform === 'linux' && existsSync(shell)
      ? [
          shell,
          '-c',
          `ulimit -d ${memoryKibibytes(job)} 2>/dev/null; exec "$0" "$@"`,
          process.execPath,
          ...words,
        ]
      : [process.execPath, ...words]
  return spawn(command ?? '', more, {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
}

function hear<T>(
  child: ChildProcess,
  order: Order,
  { schema, timeMs, onFrame = () => {} }: ChildOptions<T>,
): Promise<ChildEnd<T>> {
  return new Promise((resolve) => {
    let end: ChildEnd<T> | null = null
    let isUp = false
    let said = ''
    const finish = (how: ChildEnd<T>): void => {
      end ??= how
      clearTimeout(timer)
      child.kill('SIGKILL')
    }
    let timer = setTimeout(() => finish({ kind: 'failed', reason: 'It did not begin.' }), startMs)
    const read = createFrameReader((kind, bytes) => {
      if (end !== null) return
      if (kind === 'answer')
        finish({ kind: 'answer', answer: schema.parse(JSON.parse(bytes.toString('utf8'))) })
      else if (kind === 'up') {
        // Once: nobody gives themselves more time.
        if (isUp) return
        isUp = true
        clearTimeout(timer)
        timer = setTimeout(() => finish({ kind: 'time-limit' }), timeMs)
      } else onFrame(kind, bytes)
    })
    child.stdout?.on('data', (piece: Buffer) => {
      try {
        if (end === null) read(piece)
      } catch (error) {
        finish({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
      }
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-keptOfStderr)
    })
    child.on('error', (error) => finish({ kind: 'failed', reason: error.message }))
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve(end ?? { kind: 'failed', reason: whyEnded(said, code, signal) })
    })
    // Whoever ends without reading all of it says so by ending.
    child.stdin?.on('error', () => {})
    child.stdio[3]?.on('error', () => {})
    for (const piece of writeOrder(order)) child.stdin?.write(piece)
    child.stdin?.end()
  })
}

function whyEnded(said: string, code: number | null, signal: NodeJS.Signals | null): string {
  if (/out of memory|allocation failed|allocate memory/i.test(said))
    return 'What it is takes more memory than it gets.'
  const [line] = /^(?:\w*Error\b.*|FATAL.*)$/m.exec(said) ?? []
  return line ?? `It ended with ${signal ?? code ?? 'nothing'}.`
}
