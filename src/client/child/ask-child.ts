import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { z } from 'zod'
import { messageOf } from '../../shared/errors.ts'
import { texts } from './child.texts.ts'
import { createFrameReader } from './message-frames.ts'
import type { FrameKind } from './message-frames.ts'
import { childCommand, serializeRequest } from './job.ts'
import type { Job, JobRequest } from './job.ts'

export interface ChildOptions<T> {
  /** Validates the answer, which is untrusted because the child has processed an untrusted module. */
  schema: z.ZodType<T>
  /** Time limit in milliseconds, from when the child is ready. */
  timeMs: number
  signal: AbortSignal
  /** Path of this program. */
  program: string
  /** Called for each frame before the answer. If it throws, the child has failed. */
  onFrame?: (kind: FrameKind, bytes: Buffer) => void
}

export type ChildEnd<T> =
  | { kind: 'answer'; answer: T }
  | { kind: 'time-limit' }
  /** It ended without a valid answer. */
  | { kind: 'failed'; reason: string }

/** How long the child may take to start, on a very slow machine. */
const startMs = 60_000
const maxStderrCharacters = 4000
/** Heap in MiB, enough for the description of a 16 MiB module and the engine's own tables. */
const heapMegabytes = 256

/**
 * Runs a job in a child process that has no environment, `/` as its working directory, limited memory and, if Node
 * supports its permission model, no permissions except to read its program file and start a worker thread. The child is
 * killed at its time limit, when this process ends, however that happens, and when the signal is aborted, which also
 * throws.
 */
export async function askChild<T>(request: JobRequest, options: ChildOptions<T>): Promise<ChildEnd<T>> {
  const { signal, program } = options
  signal.throwIfAborted()
  const child = start(program, request.job)
  if (child.pid === undefined) {
    // Has no streams. Killing a process that does not exist would kill the process group of this one.
    const [error] = (await once(child, 'error')) as [Error]
    return { kind: 'failed', reason: texts.notStarted(error.message) }
  }
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  signal.addEventListener('abort', kill)
  try {
    const end = await receiveAnswer(child, request, options)
    signal.throwIfAborted()
    return end
  } finally {
    kill()
    signal.removeEventListener('abort', kill)
    process.off('exit', kill)
  }
}

// Node 20 has the permission model only as an experiment under another flag.
const permissionFlags = (program: string): string[] =>
  process.allowedNodeEnvironmentFlags.has('--permission')
    ? // One worker thread watches whether the parent has ended.
      ['--permission', `--allow-fs-read=${program}`, '--allow-worker']
    : []

/**
 * The heap limit in MiB. A module's memory is outside the heap, but if it is larger than the heap limit, the engine
 * collects garbage each time the memory grows.
 */
const heapFor = (job: Job): number =>
  heapMegabytes + (job.kind === 'run' ? Math.ceil(job.limits.memoryBytes / 1_048_576) : 0)

/** Total memory limit in KiB, where the system can enforce one, including 1 GiB for Node itself. */
const memoryKibibytes = (job: Job): number => (heapFor(job) + 1024) * 1024

const shell = '/bin/sh'

function start(program: string, job: Job): ChildProcess {
  const args = [`--max-old-space-size=${heapFor(job)}`, ...permissionFlags(program), program, childCommand]
  const [command, ...more] =
    process.platform === 'linux' && existsSync(shell)
      ? [
          shell,
          '-c',
          `ulimit -d ${memoryKibibytes(job)} 2>/dev/null; exec "$0" "$@"`,
          process.execPath,
          ...args,
        ]
      : [process.execPath, ...args]
  return spawn(command ?? '', more, {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
}

function receiveAnswer<T>(
  child: ChildProcess,
  request: JobRequest,
  { schema, timeMs, onFrame = () => {} }: ChildOptions<T>,
): Promise<ChildEnd<T>> {
  return new Promise((resolve) => {
    let end: ChildEnd<T> | null = null
    let isReady = false
    let stderr = ''
    const finish = (result: ChildEnd<T>): void => {
      end ??= result
      clearTimeout(timer)
      child.kill('SIGKILL')
    }
    let timer = setTimeout(() => finish({ kind: 'failed', reason: texts.notReady }), startMs)
    const read = createFrameReader((kind, bytes) => {
      if (end !== null) return
      if (kind === 'answer')
        finish({ kind: 'answer', answer: schema.parse(JSON.parse(bytes.toString('utf8'))) })
      else if (kind === 'ready') {
        // Only once, so that the child cannot extend its time limit.
        if (isReady) return
        isReady = true
        clearTimeout(timer)
        timer = setTimeout(() => finish({ kind: 'time-limit' }), timeMs)
      } else onFrame(kind, bytes)
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      try {
        if (end === null) read(chunk)
      } catch (error) {
        finish({ kind: 'failed', reason: messageOf(error) })
      }
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-maxStderrCharacters)
    })
    child.on('error', (error) => finish({ kind: 'failed', reason: error.message }))
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve(end ?? { kind: 'failed', reason: exitReason(stderr, code, signal) })
    })
    // A child that ends before reading everything is reported by its close event.
    child.stdin?.on('error', () => {})
    child.stdio[3]?.on('error', () => {})
    for (const chunk of serializeRequest(request)) child.stdin?.write(chunk)
    child.stdin?.end()
  })
}

function exitReason(stderr: string, code: number | null, signal: NodeJS.Signals | null): string {
  if (/out of memory|allocation failed|allocate memory/i.test(stderr)) return texts.outOfMemory
  const [line] = /^(?:\w*Error\b.*|FATAL.*)$/m.exec(stderr) ?? []
  return line ?? texts.ended(signal, code)
}
