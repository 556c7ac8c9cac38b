import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { HtmlBlock } from '../../shared/contracts/desk-markdown.ts'
import { DomainError } from '../../shared/errors.ts'
import { asWritten, visibleFor } from './escape-html.ts'
import type { FromMarkdownWorker, Made, TextWork } from './markdown-messages.ts'
import type { RenderOptions, Rewriting } from './render-options.ts'

/**
 * Renders what people write, in a thread of its own: the one Markdown pipeline of the public pages, the documents and
 * the desk. A text that takes too much time or memory, or that cannot be rendered, stays as it is written.
 */
export interface MarkdownReader {
  /**
   * Markdown as sanitized HTML: no scripts, styles, forms, raw HTML or pictures from elsewhere. A picture of the
   * library is `![alt](image:SHA256)`; any other picture, and one that is not given, is a link or its alternative
   * text. Throws MARKDOWN_UNAVAILABLE where too many texts wait already, or the thread fails.
   */
  render(markdown: string, options?: RenderOptions): Promise<string>
  /** The same, one piece of HTML for each block of the text, with the line that it begins in. */
  renderBlocks(markdown: string, options?: RenderOptions): Promise<HtmlBlock[]>
  /** Markdown for a document: with its headings further down, and the addresses of its pictures. */
  rewrite(markdown: string, rewriting?: Rewriting): Promise<string>
  end(): Promise<void>
}

export interface MarkdownReaderParts {
  /** The thread's script: `markdown-worker.ts`, or `markdown.js` beside the bundle. */
  entry: string
  log: Record<'warn' | 'error', (details: object, text: string) => void>
  /** Milliseconds for one text. */
  limitMs?: number
}

interface Job {
  key: string
  work: TextWork
  resolve(made: Made): void
  reject(error: unknown): void
}

/** The longest text that is no attack takes a tenth of it. */
const defaultLimitMs = 3000
/** Milliseconds until a thread has to be ready. */
const startLimitMs = 30_000
/** Texts that wait or are in work, and the seconds that a client waits where there are more. */
const mostTexts = 64
const retryAfter = 2
/** Texts that were given up and are remembered, so that nobody has to wait for them again. */
const mostGivenUp = 1000
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 }

export function createMarkdownReader({
  entry,
  log,
  limitMs = defaultLimitMs,
}: MarkdownReaderParts): MarkdownReader {
  const underWay = new Map<string, Promise<Made>>()
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

  /** Ends the thread, whatever it does; the next text gets another one. */
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
    log.warn({ characters: job.work.markdown.length, reason }, 'a text is shown as it is written')
    givenUp.add(job.key)
    for (const oldest of givenUp) if (givenUp.size > mostGivenUp) givenUp.delete(oldest)
    job.resolve(unread(job.work))
  }

  const exceed = (what: 'time' | 'memory'): void => {
    giveUp(takeCurrent(), what)
    void endWorker()
    next()
  }

  const fail = (error: Error): void => {
    log.error({ err: error }, 'the thread that reads Markdown has failed')
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
    if (message.type === 'made') job?.resolve(message.made)
    else giveUp(job, message.message)
    next()
  }

  const start = (): void => {
    // What this process was told to load in the beginning is meant for this process.
    const started = new Worker(entry, { name: 'markdown', execArgv: [], resourceLimits })
    worker = started
    // Whoever waits for a text keeps the process alive, or stops it.
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
      ifCurrent(() => fail(new Error('The thread that reads Markdown has ended'))),
    )
    setLimit(startLimitMs, () => fail(new Error('The thread that reads Markdown does not start')))
  }

  const send = (): void => {
    if (current === null || worker === null) return
    setLimit(limitMs, () => exceed('time'))
    // A thread, which knows no origins.
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

  /** Whoever asks for the same meanwhile waits for the same. */
  const ask = async (work: TextWork): Promise<Made> => {
    if (hasEnded) throw stopping()
    const key = keyOf(work)
    if (givenUp.has(key)) return unread(work)
    const made = underWay.get(key)
    if (made !== undefined) return made
    if (underWay.size >= mostTexts) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<Made>()
    underWay.set(key, promise)
    waiting.push({ key, work, resolve, reject })
    next()
    try {
      return await promise
    } finally {
      underWay.delete(key)
    }
  }

  // The thread answers each kind of work with its own kind of answer.
  const renderBlocks: MarkdownReader['renderBlocks'] = async (markdown, options = {}) =>
    (await ask({ kind: 'html', markdown, options })) as HtmlBlock[]

  return {
    renderBlocks,
    async render(markdown, options) {
      return (await renderBlocks(markdown, options)).map(({ html }) => html).join('')
    },
    rewrite: async (markdown, options = {}) => (await ask({ kind: 'document', markdown, options })) as string,
    async end() {
      hasEnded = true
      for (const { reject } of [takeCurrent(), ...waiting.splice(0)].filter((job) => job !== null))
        reject(stopping())
      await endWorker()
    },
  }
}

const stopping = (): DomainError => new DomainError('STOPPING', 'This server is stopping. Try again later.')

const busy = (): DomainError =>
  new DomainError(
    'MARKDOWN_UNAVAILABLE',
    `This server is busy with ${mostTexts} texts already. Try again in ${retryAfter} s.`,
    { retryAfter },
  )

const unavailable = (cause: Error): DomainError =>
  new DomainError(
    'MARKDOWN_UNAVAILABLE',
    `What is written cannot be read now. Try again in ${retryAfter} s.`,
    {
      retryAfter,
      cause,
    },
  )

function unread(work: TextWork): Made {
  const { markdown } = work
  if (work.kind === 'document') return markdown
  return [{ html: asWritten(markdown, visibleFor(work.options)), from: 1 }]
}

/** The same for the same text, made in the same way. */
function keyOf({ kind, markdown, options }: TextWork): string {
  const { pictures = new Map(), ...rest } = options
  const how = JSON.stringify([kind, rest, ...pictures])
  return createHash('sha256').update(how).update('\0').update(markdown).digest('base64')
}
