import type { HelperKind } from '../../shared/services-messages.ts'
import type { HelperProcess } from './helper-process.ts'

/** The part of a passed port that is used here. */
export interface HelperPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown
  postMessage(message: unknown): void
  start(): void
  close(): void
}

interface Requested {
  port: HelperPort | null
  waiting: object[]
  onMessage: ((message: unknown) => void)[]
  onExit: (() => void)[]
}

/**
 * Helper processes that another process starts and ends on request: an Electron utility process cannot fork, so the
 * main process does it and passes a port.
 */
export function createRequestedHelpers(request: {
  start(id: number, kind: HelperKind): void
  end(id: number): void
}) {
  const processes = new Map<number, Requested>()
  let last = 0

  return {
    /** For `startServer`: requests a process and returns it immediately; messages wait until its port arrives. */
    startHelper(kind: HelperKind): HelperProcess<object> {
      last += 1
      const id = last
      const requested: Requested = { port: null, waiting: [], onMessage: [], onExit: [] }
      processes.set(id, requested)
      request.start(id, kind)
      return {
        send(message) {
          if (requested.port === null) requested.waiting.push(message)
          else post(requested.port, message)
        },
        onMessage: (listener) => void requested.onMessage.push(listener),
        onExit: (listener) => void requested.onExit.push(listener),
        kill: () => request.end(id),
      }
    },
    /** The requested process has started. */
    onPort(id: number, port: HelperPort): void {
      const requested = processes.get(id)
      if (requested === undefined) {
        port.close()
        return
      }
      requested.port = port
      port.on('message', ({ data }) => {
        for (const listener of requested.onMessage) listener(data)
      })
      port.start()
      for (const message of requested.waiting.splice(0)) post(port, message)
    },
    /** The requested process has exited or could not be started. */
    onGone(id: number): void {
      const requested = processes.get(id)
      if (requested === undefined) return
      processes.delete(id)
      requested.port?.close()
      for (const listener of requested.onExit) listener()
    },
  }
}

/** Messages between processes have no origins. */
function post(port: HelperPort, message: object): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  port.postMessage(message)
}
