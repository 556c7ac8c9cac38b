// The entry of the process that checks uploaded modules. It is a process of its own because the engine
// cannot be interrupted while it validates: whoever started it kills it when a module takes too long.
import process from 'node:process'
import { checkPackageFile } from './check-package-file.ts'
import type { ValidatorAnswer, ValidatorJob } from './validator-messages.ts'

/** The way to whoever asks: the pipe of a forked process, or a port in an Electron utility process. */
interface Channel {
  send(message: ValidatorAnswer): void
  onMessage(listener: (message: unknown) => void): void
}

/** The part of Electron's `MessagePortMain` that is used here. */
interface Port {
  on(event: 'message', listener: (event: { data: unknown; ports?: Port[] }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  postMessage(message: unknown): void
  start?(): void
}

const isJob = (message: unknown): message is ValidatorJob =>
  typeof message === 'object' &&
  message !== null &&
  'id' in message &&
  typeof message.id === 'number' &&
  'path' in message &&
  typeof message.path === 'string'

const answer = ({ id, path }: ValidatorJob): ValidatorAnswer => {
  try {
    const result = checkPackageFile(path)
    return { id, ...result, rss: process.memoryUsage.rss() }
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error)
    return { id, ok: null, failed, rss: process.memoryUsage.rss() }
  }
}

const serve = (channel: Channel): void => {
  channel.onMessage((message) => {
    if (isJob(message)) channel.send(answer(message))
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

const parentPort = electronParentPort()
if (parentPort) {
  // The main process may ask for itself, or hand over a port whose other end the server holds.
  serve(portChannel(parentPort))
  parentPort.on('message', ({ ports }) => {
    for (const port of ports ?? []) serve(portChannel(port))
  })
} else if (process.send) {
  serve(ipcChannel)
} else {
  process.stderr.write('This program checks modules for a server and is started by it.\n')
  process.exitCode = 1
}
