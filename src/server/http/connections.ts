import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../shared/network-address.ts'
import { createPace, samplePace } from './pace.ts'
import type { IsTooSlow } from './pace.ts'

/** Pipelined requests that may wait on a connection; a client that sends more is disconnected. */
const maxPipelined = 100

/** Connections of one port, and of one client (an IPv4 address or IPv6 /64), before idle ones are closed for new ones. */
export interface ConnectionLimits {
  total: number
  perClient: number
}

export const connectionLimits: ConnectionLimits = { total: 12_000, perClient: 1000 }

interface Connection {
  client: string
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

export function createConnections(
  paceWindowMs: number,
  limits: ConnectionLimits = connectionLimits,
): Connections {
  const connections = new Map<Socket, Connection>()
  const byClient = new Map<string, Set<Socket>>()

  const isIdle = (socket: Socket): boolean => connections.get(socket)?.lastAnswer?.closed !== false

  /** Closes the oldest idle connection if there are too many. Returns false if none is idle. */
  const makeRoom = (sockets: ReadonlyMap<Socket, unknown> | ReadonlySet<Socket>, limit: number): boolean => {
    if (sockets.size < limit) return true
    for (const socket of sockets.keys()) {
      if (!isIdle(socket)) continue
      forget(socket)
      socket.destroy()
      return true
    }
    return false
  }

  const forget = (socket: Socket): void => {
    const client = connections.get(socket)?.client
    if (client === undefined) return
    connections.delete(socket)
    const own = byClient.get(client)
    own?.delete(socket)
    if (own?.size === 0) byClient.delete(client)
  }

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
      // Forwarded requests arrive from other processes of this server, over a socket without an address.
      const client = networkOf(socket.remoteAddress ?? '')
      const own = byClient.get(client) ?? new Set()
      const mayStay = client === '' || makeRoom(own, limits.perClient)
      if (!mayStay || !makeRoom(connections, limits.total)) {
        socket.destroy()
        return
      }
      byClient.set(client, own.add(socket))
      connections.set(socket, { client, isTooSlow: createPace(paceWindowMs), lastAnswer: null, waiting: 0 })
      socket.once('close', () => forget(socket))
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
