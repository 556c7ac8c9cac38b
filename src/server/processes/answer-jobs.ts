import process from 'node:process'
import type { HelperJob } from './helper-process.ts'

/** The way to whoever asks: the pipe of a forked process, or a port in an Electron utility process. */
interface Channel {
  send(message: object): void
  onMessage(listener: (message: unknown) => void): void
}

/** The part of Electron's `MessagePortMain` that is used here. */
interface Port {
  on(event: 'message', listener: (event: { data: unknown; ports?: Port[] }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  postMessage(message: unknown): void
  start?(): void
}

const isJob = (message: unknown): message is HelperJob =>
  typeof message === 'object' &&
  message !== null &&
  'id' in message &&
  typeof message.id === 'number' &&
  'path' in message &&
  typeof message.path === 'string'

/** Gives what to say of the file at `path`; what it throws is said as `failed`. */
export type Work = (path: string, input: unknown) => object | Promise<object>

/** Milliseconds between two signs of life; a process that is blocked gives none. */
const aliveMs = 1_000

const answer = async ({ id, path, input }: HelperJob, work: Work): Promise<object> => {
  try {
    const result = await work(path, input)
    return { id, ...result, rss: process.memoryUsage.rss() }
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error)
    return { id, ok: null, failed, rss: process.memoryUsage.rss() }
  }
}

const serve = (channel: Channel, work: Work): void => {
  channel.onMessage((message) => {
    if (!isJob(message)) return
    const alive = setInterval(() => channel.send({ alive: message.id }), aliveMs)
    void answer(message, work).then((answered) => {
      clearInterval(alive)
      channel.send(answered)
    })
  })
  channel.send({ ready: true })
}

const portChannel = (port: Port): Channel => ({
  send: (message) => port.postMessage(message),
  onMessage: (listener) => {
    port.on('message', ({ data }) => listener(data))
    port.on('close', () => process.exit(0))
    port.start?.()
  },
})

// Nothing but the pipe keeps a forked process alive: it ends when the parent goes away.
const ipcChannel: Channel = {
  // Sending fails only once the parent is gone.
  send: (message) => void process.send?.(message, undefined, undefined, () => {}),
  onMessage: (listener) => void process.on('message', listener),
}

const electronParentPort = (): Port | undefined => {
  const { parentPort } = process as typeof process & { parentPort?: Port }
  return parentPort
}

/** The whole of a process that answers jobs: says that it is ready, and then one answer for each. */
export function answerJobs(work: Work): void {
  const parentPort = electronParentPort()
  if (parentPort) {
    // The main process may ask for itself, or hand over a port whose other end the server holds.
    serve(portChannel(parentPort), work)
    parentPort.on('message', ({ ports }) => {
      for (const port of ports ?? []) serve(portChannel(port), work)
    })
  } else if (process.send) {
    serve(ipcChannel, work)
  } else {
    process.stderr.write('This program works for a server and is started by it.\n')
    process.exitCode = 1
  }
}
