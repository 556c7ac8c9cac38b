import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createPace, samplePace } from './pace.ts'
import type { IsTooSlow } from './pace.ts'

/** Pipelined requests that may wait on a connection; a client that sends more is disconnected. */
const maxPipelined = 100

interface Connection {
  isTooSlow: IsTooSlow
  /** The answer to the latest request; null before the first one. */
  lastAnswer: ServerResponse | null
  waiting: number
}

/** The open connections of a port, each limited in memory and time. */
export interface Connections {
  add(socket: Socket): void
  /**
   * Calls `begin` once the client has read the answers to all earlier requests on this connection, so that a few
   * kilobytes of pipelined requests can't request megabytes at once.
   */
  inTurn(req: IncomingMessage, res: ServerResponse, begin: () => void): void
  lastAnswer(socket: Socket): ServerResponse | null
  /** Closes connections without any request, which browsers open in advance. */
  closeUnused(): void
  /** Stops watching how fast clients read. */
  end(): void
}

export function createConnections(paceWindowMs: number): Connections {
  const connections = new Map<Socket, Connection>()

  // A client that reads too slowly ties up memory, files and slots that others need.
  const cutSlowReaders = (): void => {
    for (const [socket, { isTooSlow }] of connections) {
      const unread = socket.writableLength
      if (isTooSlow(socket.bytesWritten - unread, unread > 0)) socket.destroy()
    }
  }
  const endSampling = samplePace(paceWindowMs, cutSlowReaders)

  return {
    add(socket) {
      connections.set(socket, { isTooSlow: createPace(paceWindowMs), lastAnswer: null, waiting: 0 })
      socket.once('close', () => connections.delete(socket))
    },

    inTurn(req, res, begin) {
      const { socket } = req
      const connection = connections.get(socket)
      if (connection === undefined) return
      const before = connection.lastAnswer
      connection.lastAnswer = res
      if (before === null || before.closed) {
        begin()
        return
      }
      connection.waiting += 1
      if (connection.waiting > maxPipelined) socket.destroy()
      before.once('close', () => {
        connection.waiting -= 1
        // Lets other connections take their turn.
        setImmediate(() => {
          if (!socket.destroyed) begin()
        })
      })
    },

    lastAnswer: (socket) => connections.get(socket)?.lastAnswer ?? null,

    closeUnused() {
      for (const [socket, { lastAnswer }] of connections) if (lastAnswer === null) socket.destroy()
    },

    end: endSampling,
  }
}
