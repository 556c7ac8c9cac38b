import process from 'node:process'

/** The connection to the parent: the pipe of a forked process, or a port in an Electron utility process. */
export interface Channel {
  /** Resolves once the message is written: a large one takes several turns of the event loop, so don't block it. */
  send(message: object): Promise<void>
  onMessage(listener: (message: unknown) => void): void
}

/** The part of Electron's `MessagePortMain` that is used here. */
interface Port {
  on(event: 'message', listener: (event: { data: unknown; ports?: Port[] }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  postMessage(message: unknown): void
  start?(): void
}

const portChannel = (port: Port): Channel => ({
  send: (message) => Promise.resolve(port.postMessage(message)),
  onMessage: (listener) => {
    port.on('message', ({ data }) => listener(data))
    port.on('close', () => process.exit(0))
    port.start?.()
  },
})

// Only the pipe keeps a forked process alive: it exits when the parent does.
const ipcChannel: Channel = {
  send: (message) =>
    new Promise((resolve) => {
      // Sending fails only once the parent is gone.
      process.send?.(message, undefined, undefined, () => resolve())
    }),
  onMessage: (listener) => void process.on('message', listener),
}

const electronParentPort = (): Port | undefined => {
  const { parentPort } = process as typeof process & { parentPort?: Port }
  return parentPort
}

/** Calls `serve` for each channel to a process that sends jobs. */
export function openChannels(serve: (channel: Channel) => void): void {
  const parentPort = electronParentPort()
  if (parentPort) {
    // The main process may send jobs itself, or pass a port whose other end the server holds.
    serve(portChannel(parentPort))
    parentPort.on('message', ({ ports }) => {
      for (const port of ports ?? []) serve(portChannel(port))
    })
  } else if (process.send) {
    serve(ipcChannel)
  } else {
    process.stderr.write('This program is part of the Skilldock server, which starts it.\n')
    process.exitCode = 1
  }
}
