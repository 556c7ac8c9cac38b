import { frameHello } from '../../shared/frames/frame-messages.ts'
import type {
  FrameAsk,
  FromFrame,
  FromWorker,
  ToFrame,
  ToWorker,
} from '../../shared/frames/frame-messages.ts'

// The script of every frame. It contains the source of its worker, because a document with an opaque origin can load
// nothing, and it communicates only over the port that its page passes. Only the worker handles untrusted data.

/** Defined in front of this script by the build. */
declare const workerText: string

interface Job {
  ask: FrameAsk
  timer: ReturnType<typeof setTimeout> | null
}

function serve(port: MessagePort): void {
  const address = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }))
  let worker: Worker | null = null
  let job: Job | null = null

  const send = (message: FromFrame, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

  const finish = (): void => {
    if (job?.timer !== null) clearTimeout(job?.timer)
    worker?.terminate()
    worker = null
    job = null
  }

  const endJob = (reason: 'time-limit' | 'failed' | 'canceled', detail: string): void => {
    if (job === null) return
    const { id } = job.ask
    finish()
    send({ kind: 'ended', id, reason, detail })
  }

  /** The time limit starts when the worker is ready. */
  const startJob = (): void => {
    if (job === null || worker === null) return
    const { message, transfer, timeLimitMs } = job.ask
    const question: ToWorker = { message }
    job.timer = setTimeout(() => endJob('time-limit', ''), timeLimitMs)
    worker.postMessage(question, transfer)
  }

  const onWorkerMessage = (received: FromWorker): void => {
    if (received.kind === 'ready') startJob()
    else if (job === null) return
    else if (received.kind === 'failed') endJob('failed', received.detail)
    else {
      const { id } = job.ask
      if (received.kind === 'progress') send({ kind: 'progress', id, message: received.message })
      else {
        finish()
        send({ kind: 'answer', id, message: received.message }, received.transfer)
      }
    }
  }

  const startWorker = (): void => {
    const started = new Worker(address)
    worker = started
    started.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (worker === started) onWorkerMessage(data)
    })
    started.addEventListener('error', (event) => {
      event.preventDefault()
      if (worker === started) endJob('failed', event.message)
    })
  }

  port.addEventListener('message', ({ data }: MessageEvent<ToFrame>) => {
    if (data.kind === 'ping') {
      send({ kind: 'pong' })
      return
    }
    if (data.kind === 'cancel') {
      if (job?.ask.id === data.id) endJob('canceled', '')
      return
    }
    if (job !== null) {
      send({ kind: 'ended', id: data.id, reason: 'failed', detail: 'The sandbox is busy.' })
      return
    }
    job = { ask: data, timer: null }
    startWorker()
  })
  port.start()
  send({ kind: 'ready' })
}

/** Accepts one port, once, from the page that contains this frame. */
function receivePort(event: MessageEvent): void {
  const [port] = event.ports
  if (event.source !== parent || event.data !== frameHello || port === undefined) return
  removeEventListener('message', receivePort)
  serve(port)
}
addEventListener('message', receivePort)
