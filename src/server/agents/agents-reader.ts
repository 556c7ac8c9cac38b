import { resolve as resolvePath } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import '../db/allow-uris.ts'
import type { Logger } from '../logging.ts'
import type { ParamsOf, QueryName, ValueOf } from './all-queries.ts'
import type { Answer, FromWorker, Problem, ToWorker, WatchedProject } from './worker-messages.ts'

/**
 * What a query gave. `none` and `missing`: no project is chosen, or it has no database (yet); the value is an empty one
 * then. `busy`: its owner held it for longer than 2 s. `unreadable`: nobody can read it as it is.
 */
export type Reading<Value> = ({ state: 'ready' | 'none' | 'missing' } & Answer<Value>) | Problem

export interface AgentsReader {
  /** Asks the worker. Rejects with the signal's reason once that is aborted, and the worker stops after its slice. */
  read<Name extends QueryName>(
    query: Name,
    params: ParamsOf<Name>,
    options?: { signal?: AbortSignal },
  ): Promise<Reading<ValueOf<Name>>>
  /** What is known of the chosen project; as new as the last look, half a second ago at most. */
  project(): WatchedProject
  /** Chooses another project, by its folder, or none. */
  choose(folder: string | null): void
  /** Calls the listener after each change of the project or its state; the function that it gives ends that. */
  onChange(listener: (project: WatchedProject) => void): () => void
  end(): Promise<void>
}

interface Waiting {
  resolve(reading: Reading<unknown>): void
  reject(error: unknown): void
}

const endPatienceMs = 5000
const restartAfterMs = 1000

/** `entry` is the worker's script: `agents-worker.ts`, or `agents.js` beside the bundle. */
export function createAgentsReader(parts: {
  entry: string
  folder: string | null
  log: Logger
}): AgentsReader {
  const { entry, log } = parts
  const waiting = new Map<number, Waiting>()
  const listeners = new Set<(project: WatchedProject) => void>()
  let project = notLookedAt(absolute(parts.folder))
  let worker: Worker | null = null
  let lastId = 0
  let hasEnded = false

  const tell = (message: ToWorker): void => post(getWorker(), message)

  const getWorker = (): Worker => {
    if (worker !== null) return worker
    // What this process was told to load in the beginning is meant for this process.
    const started = new Worker(entry, { name: 'agents', execArgv: [] })
    worker = started
    // Whoever waits for an answer keeps the process alive, or stops it.
    started.unref()
    started.on('message', onMessage)
    started.on('error', (error) => log.error({ err: error }, 'the thread that reads the agents has failed'))
    started.on('exit', () => {
      if (worker === started) worker = null
      // The next question starts another one; the watch of the files must not wait for that.
      setTimeout(restart, restartAfterMs).unref()
      for (const { reject } of waiting.values())
        reject(new Error('The thread that reads the agents has ended'))
      waiting.clear()
    })
    post(started, { type: 'project', folder: project.folder })
    return started
  }

  const note = ({ state, reason, detail }: WatchedProject): void => {
    if (detail === null) log.info('the agent project can be read again')
    else log.warn({ state, reason, detail }, 'the agent project cannot be read')
  }

  const restart = (): void => {
    if (!hasEnded && project.folder !== null) getWorker()
  }

  const onMessage = (message: FromWorker): void => {
    if (message.type === 'watched') {
      if (message.project.detail !== project.detail) note(message.project)
      const isNew = isOther(project, message.project)
      project = message.project
      if (isNew) for (const listener of listeners) listener(project)
      return
    }
    const asked = waiting.get(message.id)
    if (asked === undefined) return
    waiting.delete(message.id)
    if (message.type === 'failed') asked.reject(new Error(message.message))
    else if (message.type === 'problem') asked.resolve(message.problem)
    else asked.resolve({ state: message.state, ...message.answer } as Reading<unknown>)
  }

  const ask = (
    query: string,
    params: unknown,
    signal: AbortSignal | undefined,
  ): Promise<Reading<unknown>> => {
    if (hasEnded) return Promise.reject(new Error('The agents are not read any more'))
    if (signal?.aborted === true) return Promise.reject(asError(signal.reason))
    lastId += 1
    const id = lastId
    const { promise, resolve, reject } = Promise.withResolvers<Reading<unknown>>()
    const cancel = (): void => {
      if (!waiting.delete(id)) return
      tell({ type: 'cancel', id })
      reject(asError(signal?.reason))
    }
    signal?.addEventListener('abort', cancel, { once: true })
    waiting.set(id, { resolve, reject })
    tell({ type: 'read', id, query, params })
    return promise.finally(() => signal?.removeEventListener('abort', cancel))
  }

  if (parts.folder !== null) getWorker()

  return {
    read: (query, params, { signal } = {}) => ask(query, params, signal) as never,
    project: () => project,

    choose(named) {
      const folder = absolute(named)
      if (folder === project.folder || hasEnded) return
      project = notLookedAt(folder, project.revision + 1)
      if (folder !== null || worker !== null) tell({ type: 'project', folder })
      for (const listener of listeners) listener(project)
    },

    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    async end() {
      hasEnded = true
      const running = worker
      if (running === null) return
      const gone = new Promise<void>((resolve) => running.once('exit', () => resolve()))
      running.ref()
      post(running, { type: 'end' })
      // A file system that does not answer holds the thread; nobody has to wait for that.
      await Promise.race([gone, delay(endPatienceMs, undefined, { ref: false })])
      running.unref()
    },
  }
}

const absolute = (folder: string | null): string | null => (folder === null ? null : resolvePath(folder))

/** A thread, which knows no origins. */
function post(worker: Worker, message: ToWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(message)
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

/** Before the worker has looked at a project, it is as if it were not there. */
function notLookedAt(folder: string | null, revision = 0): WatchedProject {
  return {
    folder,
    file: null,
    state: folder === null ? 'none' : 'missing',
    reason: null,
    detail: null,
    revision,
    changedAt: null,
    size: null,
    lookedAt: new Date().toISOString(),
  }
}

/** Whether more is new than the time of the look. */
function isOther(one: WatchedProject, other: WatchedProject): boolean {
  return JSON.stringify({ ...one, lookedAt: '' }) !== JSON.stringify({ ...other, lookedAt: '' })
}
