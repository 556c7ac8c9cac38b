import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { realpathSync } from 'node:fs'
import type { z } from 'zod'
import { helperHeapMegabytes } from '../../shared/services-messages.ts'
import { createFrameReader } from './frames.ts'
import type { FrameKind } from './frames.ts'
import { childWord, writeOrder } from './job.ts'
import type { Order } from './job.ts'

export interface ChildOptions<T> {
  /** What its answer has to be: it has had a stranger's module in its hands. */
  schema: z.ZodType<T>
  /** From when the child is there to use it; it is killed then. */
  timeMs: number
  signal: AbortSignal
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

/**
 * Has a process do the work that has been given nothing: no environment, no input but the order, the root for a
 * folder, a bounded heap and, where Node has such rules for a process, no rights. It is killed at its time limit,
 * when this process ends, however that comes, and when the signal says so, which then throws.
 */
export async function askChild<T>(order: Order, options: ChildOptions<T>): Promise<ChildEnd<T>> {
  const { signal } = options
  signal.throwIfAborted()
  const child = start()
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
const rules = (file: string): string[] =>
  process.allowedNodeEnvironmentFlags.has('--permission')
    ? // The one thread beside it watches over its end.
      ['--permission', `--allow-fs-read=${file}`, '--allow-worker']
    : []

function start(): ChildProcess {
  const file = realpathSync(process.argv[1] ?? '')
  return spawn(
    process.execPath,
    [`--max-old-space-size=${helperHeapMegabytes}`, ...rules(file), file, childWord],
    { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'pipe', 'pipe'], windowsHide: true },
  )
}

function hear<T>(
  child: ChildProcess,
  order: Order,
  { schema, timeMs, onFrame = () => {} }: ChildOptions<T>,
): Promise<ChildEnd<T>> {
  return new Promise((resolve) => {
    let end: ChildEnd<T> | null = null
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
  if (/heap out of memory|Allocation failed/.test(said)) return 'What it is takes more memory than it gets.'
  const [line] = /^(?:\w*Error\b.*|FATAL.*)$/m.exec(said) ?? []
  return line ?? `It ended with ${signal ?? code ?? 'nothing'}.`
}
