import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { emptyAnswer, unfinished } from './agents-query.ts'
import type { AgentsQuery } from './agents-query.ts'
import type { AgentsDatabase } from './agents-database.ts'
import { changedAtOf, identityOf, isFresh, statProjectFiles } from './project-files.ts'
import type { ProjectWatch } from './project-watch.ts'
import { readProject } from './read-project.ts'
import type { Attempt } from './read-project.ts'
import { asMirrorProblem, findUnfinished } from './mirror/mirror.ts'
import type { FromReader, Problem, Reading, ToReader } from './reader-messages.ts'

/** Milliseconds for which a locked file is retried. */
const lockTimeoutMs = 2000
const retryEveryMs = 20
/**
 * Background work waits for a pause of this many milliseconds between queries, because clients often send another one.
 */
const pauseMs = 50
/** Longest time that one slice of background work waits for a pause, in milliseconds. */
const maxPauseWaitMs = 200
/** Building an index over a hundred million rows takes a few minutes. */
const awaySeconds = 600

/** A query as the process runs it; only the caller knows its types. */
type AnyQuery = AgentsQuery<unknown, unknown>

interface ProjectReaderParts {
  queries: Record<string, unknown>
  watch: Pick<ProjectWatch, 'file' | 'refusal' | 'note'>
  /** Resolves once the message is written. */
  send(message: FromReader): Promise<void>
}

type Outcome = Reading<unknown> | null | 'canceled'
type Question = Omit<Extract<ToReader, { type: 'read' }>, 'type'>

/** Runs queries concurrently, one slice of each in turn. */
export function createProjectReader({ queries, watch, send }: ProjectReaderParts) {
  const open = new Set<number>()
  /** When the file was last found locked, and the problem it caused. */
  let locked: { at: number; problem: Problem } | null = null
  /** Foreground queries, until their answer is written. */
  const foreground = new Set<number>()
  /** When the last of them was done. */
  let doneAt = -Infinity
  /** Answers being written. Running a slice now would delay the rest of them. */
  const writing = new Set<Promise<void>>()

  const answer = (message: FromReader): Promise<void> => {
    const sent = send(message).finally(() => writing.delete(sent))
    writing.add(sent)
    return sent
  }

  /** Runs one slice as soon as the file can be read. Null if it was canceled. */
  const readSlice = async (
    id: number,
    file: string,
    work: (database: AgentsDatabase) => unknown,
  ): Promise<Attempt<unknown> | null> => {
    const deadline = performance.now() + lockTimeoutMs
    for (;;) {
      if (!open.has(id)) return null
      if (watch.refusal !== null) return watch.refusal
      // One attempt at a locked file serves all waiting queries: each may block this thread for 50 ms.
      if (locked === null || performance.now() - locked.at >= retryEveryMs) {
        const attempt = readProject(file, work)
        if (attempt.state !== 'busy' || performance.now() > deadline) return attempt
        locked = { at: performance.now(), problem: attempt }
      } else if (performance.now() > deadline) {
        return locked.problem
      }
      await delay(retryEveryMs)
    }
  }

  const waitForPause = async (): Promise<void> => {
    const deadline = performance.now() + maxPauseWaitMs
    const isPause = (): boolean => foreground.size === 0 && performance.now() - doneAt >= pauseMs
    while (!isPause() && performance.now() < deadline) await delay(retryEveryMs)
  }

  const finishTable = async (): Promise<void> => {
    const table = findUnfinished()
    if (table === undefined) return
    await send({ type: 'away', seconds: awaySeconds })
    table.finish()
  }

  /** As `run`, but rebuilds a damaged mirror once. */
  const runSafely = async (question: Question, query: AnyQuery): Promise<Outcome> => {
    for (let isRetry = false; ; isRetry = true) {
      try {
        return await run(question, query)
      } catch (error) {
        const problem = asMirrorProblem(error)
        if (problem === null || (problem === 'again' && isRetry)) throw error
        if (problem !== 'again') return problem
      }
    }
  }

  /** Runs all slices of a query. */
  const run = async ({ id, params, known }: Question, query: AnyQuery): Promise<Outcome> => {
    let state: object = {}
    const { file } = watch
    if (known !== null && isUnchanged(file, known)) return null
    /** Identity of the files at the first slice; undefined before it. */
    let identity: string | null | undefined
    for (;;) {
      const now = new Date()
      if (query.isBackground === true) await waitForPause()
      while (writing.size > 0) await Promise.all(writing)
      const before = state
      const slice = await readSlice(id, file, (database) => {
        state = { ...before }
        return query.read(database, params, state)
      })
      if (slice === null) return 'canceled'
      watch.note(slice)
      if ('reason' in slice) return slice
      const read = { readAt: now.toISOString(), identity: identity ?? null }
      if (slice.state === 'missing')
        return { ...read, state: 'missing', changedAt: null, value: emptyAnswer(query, params) }
      const { value, files } = slice
      // Files this fresh may be written again without a visible difference.
      if (identity === undefined) identity = isFresh(files, now.getTime()) ? null : identityOf(files)
      if (query.isBackground === true || value === unfinished) await finishTable()
      if (value !== unfinished)
        return { ...read, state: 'ready', identity, changedAt: changedAtOf(files), value }
      await nextTurn()
    }
  }

  return {
    async read(question: Question): Promise<void> {
      const { id, query: name } = question
      const query = queries[name] as AnyQuery | undefined
      open.add(id)
      if (query?.isBackground !== true) foreground.add(id)
      try {
        if (query === undefined) throw new Error(`Unknown query ${name}`)
        const reading = await runSafely(question, query)
        if (reading !== 'canceled' && open.has(id)) await answer({ type: 'reading', id, reading })
      } catch (error) {
        await answer({
          type: 'failed',
          id,
          message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        })
      } finally {
        open.delete(id)
        if (foreground.delete(id)) doneAt = performance.now()
      }
    },
    /** Stops this read without an answer. */
    cancel: (id: number): void => void open.delete(id),
  }
}

export type ProjectReader = ReturnType<typeof createProjectReader>

/** Whether the files still match an answer the server has. If they cannot be checked, the read itself reports why. */
function isUnchanged(file: string, known: string): boolean {
  try {
    return identityOf(statProjectFiles(file)) === known
  } catch {
    return false
  }
}
