import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve as resolvePath } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '../../shared/errors.ts'
import type { Logger } from '../operations/logging.ts'
import { scratchPrefix } from '../processes/helper-process.ts'
import type { HelperProcess } from '../processes/helper-process.ts'
import { emptyAnswer } from './agents-query.ts'
import type { AgentsQuery } from './agents-query.ts'
import { allQueries } from './all-queries.ts'
import type { ParamsOf, QueryName, ValueOf } from './all-queries.ts'
import { createReaderFailures } from './reader-failures.ts'
import { problemOf } from './reader-messages.ts'
import type { FromReader, Reading, ToReader, WatchedProject } from './reader-messages.ts'
import { unavailableTexts } from '../operations/unavailable.texts.ts'
import { logTexts } from '../operations/log.texts.ts'

interface ReadOptions {
  signal?: AbortSignal | undefined
  /** Identity of the files for which the caller has the answer. */
  known?: string | null
}

interface AgentsReaderParts {
  startProcess: () => HelperProcess<ToReader>
  folder: string | null
  /** Path of the project's mirror. */
  mirror: string
  log: Logger
  /** Seconds without a message after which the process is killed. One slice of a query takes milliseconds. */
  silentSeconds?: number
  /** Milliseconds after which a query is answered with `slow`. */
  answerMs?: number
}

interface Question {
  message: Extract<ToReader, { type: 'read' }>
  resolve(reading: Reading<unknown> | null): void
  reject(error: unknown): void
}

interface Child {
  process: HelperProcess<ToReader>
  scratch: string
  isReady: boolean
  /** Seconds since its last message. */
  silent: number
  /** Resolves when the process has exited and its temporary folder is removed. */
  exited: Promise<void>
}

const defaultSilentSeconds = 8
/** Starting takes longer because the code is read from disk. */
const startSeconds = 30
const defaultAnswerMs = 60_000
const shutdownGraceMs = 2000
/** Milliseconds in which the system normally reports that a killed process has exited. */
const exitGraceMs = 1000

/** The server's side of the process that reads the chosen agent project. Each chosen project gets a new process. */
export function createAgentsReader(parts: AgentsReaderParts) {
  const { startProcess, log, silentSeconds = defaultSilentSeconds, answerMs = defaultAnswerMs } = parts
  const questions = new Map<number, Question>()
  const listeners = new Set<(project: WatchedProject) => void>()
  const failures = createReaderFailures()
  let project = uncheckedProject(absolute(parts.folder))
  let child: Child | null = null
  let restart: NodeJS.Timeout | undefined
  let lastId = 0
  let hasEnded = false

  const setProject = (next: WatchedProject): void => {
    const isNew = differs(project, next)
    project = next
    if (isNew) for (const listener of listeners) listener(project)
  }

  const send = (message: ToReader): void => {
    if (child?.isReady === true) child.process.send(message)
  }

  const start = (): void => {
    if (hasEnded || child !== null || project.folder === null) return
    clearTimeout(restart)
    const exited = Promise.withResolvers<void>()
    const scratch = mkdtempSync(scratchPrefix)
    const started: Child = {
      process: startProcess(),
      scratch,
      isReady: false,
      silent: 0,
      exited: exited.promise,
    }
    child = started
    started.process.onMessage((message) => {
      if (child === started) onMessage(started, message as FromReader)
    })
    started.process.onExit(() => {
      void rm(scratch, { recursive: true, force: true })
        .catch((error: unknown) => log.warn({ err: error, folder: scratch }, logTexts.temporaryFolderKept))
        .finally(exited.resolve)
      if (child === started) fail('the process that reads the agent project ended')
    })
  }

  /** Kills the process in any state. */
  const kill = (): Promise<void> => {
    const killed = child
    child = null
    killed?.process.kill()
    return killed?.exited ?? Promise.resolve()
  }

  const settleAll = (settle: (question: Question) => void): void => {
    const settled = [...questions.values()]
    questions.clear()
    for (const question of settled) settle(question)
  }

  /** Answers all open queries with the problem and restarts the process after a delay. */
  const fail = (detail: string): void => {
    // A process that never became ready has not opened the project yet.
    const problem = problemOf(child?.isReady === false ? 'failed' : 'crashed', detail)
    void kill()
    if (hasEnded) return
    const { count, restartMs } = failures.add()
    log.error({ folder: project.folder, failures: count, restartMs, detail }, logTexts.projectUnreadable)
    settleAll(({ resolve }) => resolve(problem))
    setProject({ ...project, ...problem })
    restart = setTimeout(start, restartMs)
    restart.unref()
  }

  /** The exit of a killed process may never be reported, so nothing depends on it. */
  const timer = setInterval(() => {
    if (child === null) return
    child.silent += 1
    const limit = child.isReady ? silentSeconds : startSeconds
    if (child.silent > limit) fail(`no sign of life for ${limit} seconds`)
  }, 1000).unref()

  const onMessage = (from: Child, message: FromReader): void => {
    from.silent = 0
    if ('ready' in message) {
      if (project.folder === null) return
      from.isReady = true
      const { folder } = project
      send({ type: 'project', folder, scratch: from.scratch, mirror: parts.mirror, avoid: failures.avoid() })
      for (const question of questions.values()) send(question.message)
      return
    }
    if (message.type === 'opening') failures.open(message.trace)
    else if (message.type === 'away') from.silent = -message.seconds
    else if (message.type === 'watched') {
      if (message.project.detail !== project.detail) logChange(message.project)
      setProject(message.project)
    } else {
      const question = questions.get(message.id)
      questions.delete(message.id)
      if (message.type === 'failed') question?.reject(new Error(message.message))
      else question?.resolve(message.reading)
    }
  }

  const logChange = ({ state, reason, detail }: WatchedProject): void => {
    if (detail === null) log.info(logTexts.projectReadable)
    else log.warn({ state, reason, detail }, logTexts.projectUnreadable)
  }

  const emptyReading = (query: QueryName, params: unknown): Reading<unknown> => ({
    state: 'none',
    changedAt: null,
    readAt: new Date().toISOString(),
    identity: null,
    value: emptyAnswer(allQueries[query] as AgentsQuery<unknown, unknown>, params),
  })

  const ask = async (
    query: QueryName,
    params: unknown,
    { signal, known = null }: ReadOptions = {},
  ): Promise<Reading<unknown> | null> => {
    if (hasEnded) throw stopping()
    signal?.throwIfAborted()
    if (project.folder === null) return emptyReading(query, params)
    if (child === null) return problemOf('crashed', 'the reading process will be restarted shortly')
    lastId += 1
    const id = lastId
    const { promise, resolve, reject } = Promise.withResolvers<Reading<unknown> | null>()
    const message = { type: 'read', id, query, params, known } as const
    questions.set(id, { message, resolve, reject })
    send(message)
    const limit = setTimeout(resolve, answerMs, problemOf('slow', `${query} took too long`))
    const abort = (): void => reject(asError(signal?.reason))
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await promise
    } finally {
      clearTimeout(limit)
      signal?.removeEventListener('abort', abort)
      if (questions.delete(id)) send({ type: 'cancel', id })
    }
  }

  /** Starts a new process for the chosen project. Open queries are sent to it again. */
  const startOver = (): void => {
    clearTimeout(restart)
    void kill()
    failures.reset()
    start()
  }

  start()

  return {
    /** Runs a query. Rejects with the signal's reason when aborted; the process stops after the current slice. */
    read: ask as <Name extends QueryName>(
      query: Name,
      params: ParamsOf<Name>,
      options?: Omit<ReadOptions, 'known'>,
    ) => Promise<Reading<ValueOf<Name>>>,
    /** As `read`, but null if the files still have the identity `known`. */
    readUnlessKnown: ask as <Name extends QueryName>(
      query: Name,
      params: ParamsOf<Name>,
      options: ReadOptions,
    ) => Promise<Reading<ValueOf<Name>> | null>,
    /** State of the chosen project, at most half a second old. */
    project: (): WatchedProject => project,

    /** Chooses another project folder, or none. */
    choose(requested: string | null): void {
      const folder = absolute(requested)
      if (folder === project.folder || hasEnded) return
      setProject(uncheckedProject(folder, project.revision + 1))
      startOver()
      if (folder !== null) return
      settleAll(({ message, resolve }) => resolve(emptyReading(message.query as QueryName, message.params)))
    },

    /** Opens the chosen project again even if its files have crashed the process. */
    retry(): void {
      if (!hasEnded) startOver()
    },

    /** Calls the listener after each change of the project or its state. Returns a function that unsubscribes. */
    onChange(listener: (project: WatchedProject) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Waits up to `shutdownGraceMs` for open queries, then kills the process. */
    async end(): Promise<void> {
      hasEnded = true
      clearTimeout(restart)
      const deadline = performance.now() + shutdownGraceMs
      while (questions.size > 0 && performance.now() < deadline) await delay(20)
      clearInterval(timer)
      const exited = kill()
      settleAll(({ reject }) => reject(stopping()))
      await Promise.race([exited, delay(exitGraceMs, undefined, { ref: false })])
    },
  }
}

export type AgentsReader = ReturnType<typeof createAgentsReader>

const stopping = (): DomainError => new DomainError('STOPPING', unavailableTexts.stopping, { retryAfter: 5 })

const absolute = (folder: string | null): string | null => (folder === null ? null : resolvePath(folder))

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

/** State before the process has checked the files: as if there were none. */
function uncheckedProject(folder: string | null, revision = 0): WatchedProject {
  return {
    folder,
    state: folder === null ? 'none' : 'missing',
    reason: null,
    detail: null,
    revision,
    changedAt: null,
    size: null,
    checkedAt: new Date().toISOString(),
  }
}

/** Whether anything but the time of the check differs. */
function differs(one: WatchedProject, other: WatchedProject): boolean {
  return JSON.stringify({ ...one, checkedAt: '' }) !== JSON.stringify({ ...other, checkedAt: '' })
}
