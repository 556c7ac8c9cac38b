import { frameHello } from '../../shared/frames/frame-messages.ts'
import type {
  FrameAsk,
  FromFrame,
  FromWorker,
  ToFrame,
  ToWorker,
} from '../../shared/frames/frame-messages.ts'

// The script of every frame. It holds the text of its worker, for a document without an origin can load
// nothing, and it speaks with the one port that its page hands it. Only the worker touches what is looked at.

/** Put in front of this script by the build. */
declare const workerText: string

interface Job {
  ask: FrameAsk
  timer: ReturnType<typeof setTimeout> | null
}

function serve(port: MessagePort): void {
  const address = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }))
  let worker: Worker | null = null
  let isUp = false
  let job: Job | null = null

  const tell = (message: FromFrame, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer)

  const endWorker = (): void => {
    worker?.terminate()
    worker = null
    isUp = false
  }

  const finish = (): void => {
    if (job?.timer !== null) clearTimeout(job?.timer)
    if (job?.ask.keepWorker !== true) endWorker()
    job = null
  }

  const endJob = (reason: 'time-limit' | 'failed' | 'cancelled', detail: string): void => {
    if (job === null) return
    const { id } = job.ask
    endWorker()
    finish()
    tell({ kind: 'ended', id, reason, detail })
  }

  /** The time begins when the worker is there to use it. */
  const hand = (): void => {
    if (job === null || worker === null) return
    const { message, transfer, timeLimitMs } = job.ask
    const question: ToWorker = { message }
    if (timeLimitMs !== null) job.timer = setTimeout(() => endJob('time-limit', ''), timeLimitMs)
    worker.postMessage(question, transfer)
  }

  const hear = (said: FromWorker): void => {
    if (said.kind === 'up') {
      isUp = true
      hand()
    } else if (job === null) return
    else if (said.kind === 'failed') endJob('failed', said.detail)
    else {
      const { id } = job.ask
      if (said.kind === 'progress') tell({ kind: 'progress', id, message: said.message })
      else {
        finish()
        tell({ kind: 'answer', id, message: said.message }, said.transfer)
      }
    }
  }

  const startWorker = (): void => {
    const started = new Worker(address)
    worker = started
    started.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (worker === started) hear(data)
    })
    started.addEventListener('error', (event) => {
      event.preventDefault()
      if (worker === started) endJob('failed', event.message)
    })
  }

  port.addEventListener('message', ({ data }: MessageEvent<ToFrame>) => {
    if (data.kind === 'ping') {
      tell({ kind: 'pong' })
      return
    }
    if (data.kind === 'cancel') {
      if (job?.ask.id === data.id) endJob('cancelled', '')
      return
    }
    if (job !== null) {
      tell({ kind: 'ended', id: data.id, reason: 'failed', detail: 'Another question is being answered.' })
      return
    }
    job = { ask: data, timer: null }
    if (worker === null) startWorker()
    else if (isUp) hand()
  })
  port.start()
  tell({ kind: 'ready' })
}

/** One port, once, from the page that holds this frame. */
function greet(event: MessageEvent): void {
  const [port] = event.ports
  if (event.source !== parent || event.data !== frameHello || port === undefined) return
  removeEventListener('message', greet)
  serve(port)
}
addEventListener('message', greet)
