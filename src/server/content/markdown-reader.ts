import { hash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { HtmlBlock } from '../../shared/contracts/desk-markdown.ts'
import { DomainError } from '../../shared/errors.ts'
import { asSource, visibleFor } from './escape-html.ts'
import type { FromMarkdownWorker, TextResult, TextWork } from './markdown-messages.ts'
import type { RenderOptions, Rewriting } from './render-options.ts'
import { unavailableTexts } from '../operations/unavailable.texts.ts'
import { logTexts } from '../operations/log.texts.ts'

interface MarkdownReaderParts {
  /** The worker's script: `markdown-worker.ts`, or `markdown.js` next to the bundle. */
  entry: string
  log: Record<'warn' | 'error', (details: object, text: string) => void>
  /** Milliseconds for one text. */
  limitMs?: number
}

interface Job {
  key: string
  work: TextWork
  resolve(result: TextResult): void
  reject(error: unknown): void
}

/** Ten times as long as the longest legitimate text takes. */
const defaultLimitMs = 3000
/** Milliseconds within which a worker must be ready. */
const startLimitMs = 30_000
/** Maximum number of texts in progress or waiting, and the seconds after which a refused client may retry. */
const maxTexts = 64
const retryAfter = 2
/** How many given-up texts are remembered, so that no request waits for them again. */
const maxGivenUp = 1000
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 }

/**
 * Renders Markdown in a worker: the only Markdown pipeline of the public pages, the documents and the desk. A text that
 * takes too much time or memory, or that cannot be rendered, is shown as source.
 */
export function createMarkdownReader({ entry, log, limitMs = defaultLimitMs }: MarkdownReaderParts) {
  const pending = new Map<string, Promise<TextResult>>()
  const givenUp = new Set<string>()
  const waiting: Job[] = []
  let current: Job | null = null
  let worker: Worker | null = null
  let isReady = false
  let limit: NodeJS.Timeout | undefined
  let hasEnded = false

  const setLimit = (ms: number, whenOver: () => void): void => {
    clearTimeout(limit)
    limit = setTimeout(whenOver, ms)
    limit.unref()
  }

  /** Terminates the worker; the next text gets a new one. */
  const endWorker = async (): Promise<void> => {
    clearTimeout(limit)
    const running = worker
    worker = null
    isReady = false
    await running?.terminate()
  }

  const takeCurrent = (): Job | null => {
    const job = current
    current = null
    return job
  }

  const giveUp = (job: Job | null, reason: string): void => {
    if (job === null) return
    log.warn({ characters: job.work.markdown.length, reason }, logTexts.notRendered)
    givenUp.add(job.key)
    for (const oldest of givenUp) if (givenUp.size > maxGivenUp) givenUp.delete(oldest)
    job.resolve(unrendered(job.work))
  }

  const exceed = (what: 'time' | 'memory'): void => {
    giveUp(takeCurrent(), what)
    void endWorker()
    next()
  }

  const fail = (error: Error): void => {
    log.error({ err: error }, logTexts.markdownFailed)
    takeCurrent()?.reject(unavailable(error))
    void endWorker()
    next()
  }

  const onMessage = (message: FromMarkdownWorker): void => {
    clearTimeout(limit)
    if (message.type === 'ready') {
      isReady = true
      send()
      return
    }
    const job = takeCurrent()
    if (message.type === 'done') job?.resolve(message.result)
    else giveUp(job, message.message)
    next()
  }

  const start = (): void => {
    // Preloads (`--import`) of this process are not meant for the worker.
    const started = new Worker(entry, { name: 'markdown', execArgv: [], resourceLimits })
    worker = started
    // The requests keep the process alive, not the worker.
    started.unref()
    const ifCurrent =
      <Value>(listener: (value: Value) => void) =>
      (value: Value): void => {
        if (worker === started) listener(value)
      }
    started.on('message', ifCurrent(onMessage))
    started.on(
      'error',
      ifCurrent((error: Error) => {
        if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') exceed('memory')
        else fail(error)
      }),
    )
    started.on(
      'exit',
      ifCurrent(() => fail(new Error('the Markdown worker has exited'))),
    )
    setLimit(startLimitMs, () => fail(new Error('the Markdown worker did not start in time')))
  }

  const send = (): void => {
    if (current === null || worker === null) return
    setLimit(limitMs, () => exceed('time'))
    // Messages between threads have no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(current.work)
  }

  const next = (): void => {
    if (current !== null) return
    current = waiting.shift() ?? null
    if (current === null) return
    if (worker === null) start()
    else if (isReady) send()
  }

  /** Concurrent requests for the same text share one job. */
  const request = async (work: TextWork): Promise<TextResult> => {
    if (hasEnded) throw stopping()
    const key = keyOf(work)
    if (givenUp.has(key)) return unrendered(work)
    const known = pending.get(key)
    if (known !== undefined) return known
    if (pending.size >= maxTexts) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<TextResult>()
    pending.set(key, promise)
    waiting.push({ key, work, resolve, reject })
    next()
    try {
      return await promise
    } finally {
      pending.delete(key)
    }
  }

  // The worker answers each kind of work with its own type of result.
  const renderBlocks = async (markdown: string, options: RenderOptions = {}): Promise<HtmlBlock[]> =>
    (await request({ kind: 'html', markdown, options })) as HtmlBlock[]

  return {
    /**
     * Markdown as sanitized HTML: no scripts, styles, forms, raw HTML or external images. An image of the library is
     * `![alt](image:SHA256)`; any other image, and one that is not in `images`, becomes a link or its alt text. Throws
     * MARKDOWN_UNAVAILABLE if too many texts are waiting or the worker fails.
     */
    async render(markdown: string, options?: RenderOptions): Promise<string> {
      return (await renderBlocks(markdown, options)).map(({ html }) => html).join('')
    },
    /** The same as separate blocks, with the line at which each starts. */
    renderBlocks,
    /** Markdown for a document: with lower heading levels and the addresses of its images. */
    rewrite: async (markdown: string, options: Rewriting = {}): Promise<string> =>
      (await request({ kind: 'document', markdown, options })) as string,
    async end(): Promise<void> {
      hasEnded = true
      for (const { reject } of [takeCurrent(), ...waiting.splice(0)].filter((job) => job !== null))
        reject(stopping())
      await endWorker()
    },
  }
}

export type MarkdownReader = ReturnType<typeof createMarkdownReader>

const stopping = (): DomainError => new DomainError('STOPPING', unavailableTexts.stopping)

const busy = (): DomainError =>
  new DomainError('MARKDOWN_UNAVAILABLE', unavailableTexts.markdownBusy(maxTexts, retryAfter), { retryAfter })

const unavailable = (cause: Error): DomainError =>
  new DomainError('MARKDOWN_UNAVAILABLE', unavailableTexts.markdown(retryAfter), { retryAfter, cause })

function unrendered(work: TextWork): TextResult {
  const { markdown } = work
  if (work.kind === 'document') return markdown
  return [{ html: asSource(markdown, visibleFor(work.options)), from: 1 }]
}

/** Identical for the same text with the same options. */
function keyOf({ kind, markdown, options }: TextWork): string {
  const { images = new Map(), ...rest } = options
  const variant = JSON.stringify([kind, rest, ...images])
  return hash('sha256', `${variant}\0${markdown}`, 'base64')
}
