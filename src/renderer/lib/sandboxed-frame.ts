import { frameHello } from '../../shared/frames/frame-messages.ts'
import type { FromFrame, ToFrame } from '../../shared/frames/frame-messages.ts'
import { framePath } from '../../shared/frames/frames.ts'
import type { FrameName } from '../../shared/frames/frames.ts'

interface AskOptions<Progress> {
  /** Buffers of the question that are transferred instead of copied. */
  transfer?: ArrayBuffer[]
  /** The worker, which is a new one for each question, is terminated after this time. */
  timeLimitMs: number
  signal?: AbortSignal
  onProgress?: (message: Progress) => void
}

export type FrameAnswer<Reply> =
  | { kind: 'answer'; message: Reply }
  | { kind: 'time-limit' }
  | { kind: 'canceled' }
  | { kind: 'failed'; detail: string }

/** A sandboxed frame, created on first use and again if it stops responding. It answers one question at a time. */
interface Frame {
  ask<Reply, Progress = never>(question: unknown, options: AskOptions<Progress>): Promise<FrameAnswer<Reply>>
}

interface Opened {
  port: MessagePort
  remove(): void
}

/** How long a frame may take to load, and later to respond to a ping. */
const openingMs = 10_000
const patienceMs = 5000
const pingEveryMs = 1000

export function createFrame(name: FrameName): Frame {
  let opened: Opened | null = null
  let queue: Promise<unknown> = Promise.resolve()
  let lastId = 0

  const ask = async <Reply, Progress>(
    question: unknown,
    options: AskOptions<Progress>,
  ): Promise<FrameAnswer<Reply>> => {
    if (isAborted(options)) return { kind: 'canceled' }
    try {
      opened ??= await openFrame(name)
    } catch (error) {
      return { kind: 'failed', detail: error instanceof Error ? error.message : String(error) }
    }
    lastId += 1
    const answer = await exchange<Reply, Progress>(opened.port, lastId, question, options)
    if (answer !== 'silence') return answer
    opened.remove()
    opened = null
    return isAborted(options)
      ? { kind: 'canceled' }
      : {
          kind: 'failed',
          detail: 'The sandbox stopped responding, probably because of the module in it.',
        }
  }

  return {
    ask<Reply, Progress>(question: unknown, options: AskOptions<Progress>) {
      const next = queue.then(() => ask<Reply, Progress>(question, options))
      queue = next.catch(() => {})
      return next
    },
  }
}

const isAborted = ({ signal }: { signal?: AbortSignal }): boolean => signal?.aborted ?? false

function openFrame(name: FrameName): Promise<Opened> {
  const element = document.createElement('iframe')
  element.title = 'Sandbox'
  element.hidden = true
  // The frame's own policy says the same; this also holds if it is served without one.
  element.setAttribute('sandbox', 'allow-scripts')
  element.src = framePath(name)
  const { port1: port, port2: far } = new MessageChannel()
  const remove = (): void => {
    port.close()
    element.remove()
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      remove()
      reject(new Error("The sandbox couldn't be opened."))
    }, openingMs)
    // An opaque origin cannot be named as the target. The desk's policy alone decides what this frame loads.
    element.addEventListener('load', () => element.contentWindow?.postMessage(frameHello, '*', [far]), {
      once: true,
    })
    port.addEventListener(
      'message',
      ({ data }: MessageEvent<FromFrame>) => {
        if (data.kind !== 'ready') return
        clearTimeout(timer)
        resolve({ port, remove })
      },
      { once: true },
    )
    port.start()
    document.body.append(element)
  })
}

/** `silence`: the frame did not respond to pings. A busy worker does not keep it from responding. */
function exchange<Reply, Progress>(
  port: MessagePort,
  id: number,
  question: unknown,
  { transfer = [], timeLimitMs, signal, onProgress }: AskOptions<Progress>,
): Promise<FrameAnswer<Reply> | 'silence'> {
  return new Promise((resolve) => {
    const send = (message: ToFrame, buffers: ArrayBuffer[] = []): void => port.postMessage(message, buffers)
    /** When the wait for a response began; timers of a page in the background run too rarely to count pings. */
    let waitingSince: number | null = performance.now()
    const tick = (): void => {
      const now = performance.now()
      if (waitingSince !== null && now - waitingSince > patienceMs) return finish('silence')
      waitingSince ??= now
      send({ kind: 'ping' })
    }
    const cancel = (): void => send({ kind: 'cancel', id })
    const onMessage = ({ data }: MessageEvent<FromFrame>): void => {
      waitingSince = null
      if (!('id' in data) || data.id !== id) return
      if (data.kind === 'progress') onProgress?.(data.message as Progress)
      else if (data.kind === 'answer') finish({ kind: 'answer', message: data.message as Reply })
      else if (data.reason === 'failed') finish({ kind: 'failed', detail: data.detail })
      else finish({ kind: data.reason })
    }
    const timer = setInterval(tick, pingEveryMs)
    const finish = (answer: FrameAnswer<Reply> | 'silence'): void => {
      clearInterval(timer)
      port.removeEventListener('message', onMessage)
      signal?.removeEventListener('abort', cancel)
      resolve(answer)
    }
    port.addEventListener('message', onMessage)
    signal?.addEventListener('abort', cancel)
    send({ kind: 'ask', id, message: question, transfer, timeLimitMs }, transfer)
  })
}
