import { frameHello } from '../../shared/frames/frame-messages.ts'
import type { FromFrame, ToFrame } from '../../shared/frames/frame-messages.ts'
import { framePath } from '../../shared/frames/frames.ts'
import type { FrameName } from '../../shared/frames/frames.ts'

export interface AskOptions<Progress> {
  /** Buffers of the question that are handed over and not copied. */
  transfer?: ArrayBuffer[]
  /** The worker is ended after this; null for a worker that is trusted to end. */
  timeLimitMs: number | null
  /** Whether the worker stays for the next question; else each question gets a new one. */
  keepWorker?: boolean
  signal?: AbortSignal
  onProgress?: (message: Progress) => void
}

export type FrameAnswer<Reply> =
  | { kind: 'answer'; message: Reply }
  | { kind: 'time-limit' }
  | { kind: 'cancelled' }
  | { kind: 'failed'; detail: string }

/** A frame of the desk, made when it is first asked and made anew after it did not answer. One question at a time. */
export interface Frame {
  ask<Reply, Progress = never>(question: unknown, options: AskOptions<Progress>): Promise<FrameAnswer<Reply>>
}

interface Opened {
  port: MessagePort
  remove(): void
}

/** How long a frame may take to be there, and then to answer that it still is. */
const openingMs = 10_000
const patienceMs = 5000
const pingEveryMs = 1000

export function createFrame(name: FrameName): Frame {
  let opened: Opened | null = null
  let line: Promise<unknown> = Promise.resolve()
  let lastId = 0

  const ask = async <Reply, Progress>(
    question: unknown,
    options: AskOptions<Progress>,
  ): Promise<FrameAnswer<Reply>> => {
    if (isAborted(options)) return { kind: 'cancelled' }
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
      ? { kind: 'cancelled' }
      : {
          kind: 'failed',
          detail: 'The sandbox does not answer any more. What was in it may have brought that about.',
        }
  }

  return {
    ask<Reply, Progress>(question: unknown, options: AskOptions<Progress>) {
      const next = line.then(() => ask<Reply, Progress>(question, options))
      line = next.catch(() => {})
      return next
    },
  }
}

const isAborted = ({ signal }: { signal?: AbortSignal }): boolean => signal?.aborted ?? false

function openFrame(name: FrameName): Promise<Opened> {
  const element = document.createElement('iframe')
  element.title = 'Sandbox'
  element.hidden = true
  // Its own policy says the same; a frame that is sent without one gets no more for it.
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
      reject(new Error('The frame of the sandbox could not be opened.'))
    }, openingMs)
    // An opaque origin has no name: what is in this frame is decided by the desk's policy alone.
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

/** Silence: the frame did not even answer whether it is there; what it is busy with does not keep it from that. */
function exchange<Reply, Progress>(
  port: MessagePort,
  id: number,
  question: unknown,
  { transfer = [], timeLimitMs, keepWorker = false, signal, onProgress }: AskOptions<Progress>,
): Promise<FrameAnswer<Reply> | 'silence'> {
  return new Promise((resolve) => {
    const tell = (message: ToFrame, handed: ArrayBuffer[] = []): void => port.postMessage(message, handed)
    /** Since when an answer is waited for. A page in the background ticks seldom, so only that counts. */
    let waitingSince: number | null = performance.now()
    const tick = (): void => {
      const now = performance.now()
      if (waitingSince !== null && now - waitingSince > patienceMs) return finish('silence')
      waitingSince ??= now
      tell({ kind: 'ping' })
    }
    const cancel = (): void => tell({ kind: 'cancel', id })
    const hear = ({ data }: MessageEvent<FromFrame>): void => {
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
      port.removeEventListener('message', hear)
      signal?.removeEventListener('abort', cancel)
      resolve(answer)
    }
    port.addEventListener('message', hear)
    signal?.addEventListener('abort', cancel)
    tell({ kind: 'ask', id, message: question, transfer, timeLimitMs, keepWorker }, transfer)
  })
}
