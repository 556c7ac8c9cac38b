import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import type { AgentsQuery, Step } from './agents-query.ts'
import type { AgentsDatabase } from './agents-database.ts'
import { changedAtOf, identityOf, isFresh, lookAtFiles } from './project-files.ts'
import { asProblem } from './project-watch.ts'
import type { ProjectWatch } from './project-watch.ts'
import { readProject } from './read-project.ts'
import type { Attempt } from './read-project.ts'
import { asMirrorProblem, findUnfinished } from './mirror/mirror.ts'
import type { FromReader, Problem, ToReader } from './reader-messages.ts'

/** Milliseconds for which a file that is held by somebody is asked for again. */
const patienceMs = 2000
const retryEveryMs = 20
/** Background work waits for a pause of this many milliseconds between questions, because a client often has a next one. */
const pauseMs = 50
/** The longest that one slice of background work waits for a pause, in milliseconds. */
const politenessMs = 200
/** Making an index of a hundred million rows takes a few minutes. */
const awaySeconds = 600

/** A query as the worker runs it: its own types are known to whoever asks for it. */
type AnyQuery = AgentsQuery<unknown, unknown, unknown>

interface ProjectReaderParts {
  queries: Record<string, unknown>
  watch: Pick<ProjectWatch, 'file' | 'revision' | 'refusal' | 'note'>
  /** Resolves once the message is written. */
  say(message: FromReader): Promise<void>
}

type Question = Omit<Extract<ToReader, { type: 'read' }>, 'type'>

type AnyStep = Step<unknown, unknown>
/** Null: it was cancelled. */
type Slice = Extract<Attempt<AnyStep>, { kind: 'value' | 'missing' }> | Problem | null

/** Runs the queries that are asked for, a slice of each in turn. */
export function createProjectReader({ queries, watch, say }: ProjectReaderParts) {
  const open = new Set<number>()
  /** When the file was held at the last attempt. */
  let heldAt = -Infinity
  let lastProblem: Problem | null = null
  /** Queries in the foreground, until their answer is written. */
  const waitedFor = new Set<number>()
  /** When the last of them was done. */
  let doneAt = -Infinity
  /** Answers that are being written. A slice would hold up what is left of them in the pipe. */
  const writing = new Set<Promise<void>>()

  const answer = async (message: FromReader): Promise<void> => {
    const said = say(message)
    writing.add(said)
    try {
      await said
    } finally {
      writing.delete(said)
    }
  }

  /** One slice, as soon as the file can be read. */
  const readSlice = async (
    id: number,
    file: string,
    work: (database: AgentsDatabase) => AnyStep,
  ): Promise<Slice> => {
    const deadline = performance.now() + patienceMs
    for (;;) {
      if (!open.has(id)) return null
      if (watch.refusal !== null) return watch.refusal
      // One attempt at a file that is held is enough for all who wait: each may take 50 ms of this thread.
      if (performance.now() - heldAt >= retryEveryMs) {
        const attempt = readProject(file, work)
        if (attempt.kind === 'value' || attempt.kind === 'missing') return attempt
        const problem = asProblem(attempt)
        if (problem.state !== 'busy' || performance.now() > deadline) return problem
        heldAt = performance.now()
        lastProblem = problem
      } else if (performance.now() > deadline && lastProblem !== null) {
        return lastProblem
      }
      await delay(retryEveryMs)
    }
  }

  const waitForPause = async (): Promise<void> => {
    const deadline = performance.now() + politenessMs
    const isPause = (): boolean => waitedFor.size === 0 && performance.now() - doneAt >= pauseMs
    while (!isPause() && performance.now() < deadline) await delay(retryEveryMs)
  }

  const finishTable = async (): Promise<void> => {
    const table = findUnfinished()
    if (table === undefined) return
    await say({ type: 'away', seconds: awaySeconds })
    table.finish()
  }

  /** The same; a mirror that is damaged is made again for it once. */
  const runSafely = async (question: Question, query: AnyQuery): Promise<FromReader | null> => {
    for (let isAgain = false; ; isAgain = true) {
      try {
        // oxlint-disable-next-line no-await-in-loop
        return await run(question, query)
      } catch (error) {
        const problem = asMirrorProblem(error)
        if (problem === null || (problem === 'again' && isAgain)) throw error
        if (problem !== 'again') return { type: 'problem', id: question.id, problem }
      }
    }
  }

  /** The whole query. */
  const run = async ({ id, params, known }: Question, query: AnyQuery): Promise<FromReader | null> => {
    let state: unknown
    const { file } = watch
    if (file === null) throw new Error('No project is chosen')
    if (known !== null && isUnchanged(file, known)) return { type: 'unchanged', id }
    /** Of the first slice; undefined before it. */
    let identity: string | null | undefined
    for (;;) {
      const { revision } = watch
      const now = new Date()
      const answered = (to: 'ready' | 'missing', value: unknown, changedAt: string | null): FromReader => {
        const readAt = now.toISOString()
        const read = { revision, changedAt, readAt, identity: identity ?? null, value }
        return { type: 'answer', id, state: to, answer: read }
      }
      if (query.isBackground === true) await waitForPause()
      while (writing.size > 0) await Promise.all(writing)
      const from = state
      const slice = await readSlice(id, file, (database) => query.read(database, params, from))
      if (slice === null) return null
      const isRead = 'kind' in slice
      watch.note(!isRead ? slice : slice.kind === 'missing' ? 'missing' : 'ready')
      if (!isRead) return { type: 'problem', id, problem: slice }
      if (slice.kind === 'missing') return answered('missing', query.empty(params), null)
      const { value: step, files } = slice
      // What is as new as this may be written once more without looking any different.
      if (identity === undefined) identity = isFresh(files, now.getTime()) ? null : identityOf(files)
      if (query.isBackground === true || 'more' in step) await finishTable()
      if ('value' in step) return answered('ready', step.value, changedAtOf(files))
      state = step.more
      await nextTurn()
    }
  }

  return {
    async read(question: Question): Promise<void> {
      const { id, query: name } = question
      const query = queries[name] as AnyQuery | undefined
      open.add(id)
      if (query?.isBackground !== true) waitedFor.add(id)
      try {
        if (query === undefined) throw new Error(`Unknown query ${name}`)
        const message = await runSafely(question, query)
        if (message !== null && open.has(id)) await answer(message)
      } catch (error) {
        await answer({
          type: 'failed',
          id,
          message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        })
      } finally {
        open.delete(id)
        if (waitedFor.delete(id)) doneAt = performance.now()
      }
    },
    /** Nothing more is done for this read, and nothing said. */
    cancel: (id: number): void => void open.delete(id),
  }
}

/** Whether the files are those of an answer that the server has; a file that cannot be looked at is for the read to explain. */
function isUnchanged(file: string, known: string): boolean {
  try {
    return identityOf(lookAtFiles(file)) === known
  } catch {
    return false
  }
}
