import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../shared/network-address.ts'
import { createPace, samplePace } from './pace.ts'
import type { IsTooSlow } from './pace.ts'

/** Pipelined requests that may wait on a connection. */
const maxPipelined = 100

/** Connections of one port, and of one client (an IPv4 address or IPv6 /64), before idle ones are closed for new ones. */
interface ConnectionLimits {
  total: number
  perClient: number
  /**
   * Milliseconds for which a client is refused that sends more pipelined requests than may wait. Each of them costs a
   * third of a normal request even if its connection is closed, and the client could reconnect at once.
   */
  refusedMs: number
}

export const connectionLimits: ConnectionLimits = { total: 12_000, perClient: 1000, refusedMs: 10_000 }

/** Refused clients that are remembered. */
const maxRefused = 10_000

interface Connection {
  client: string
  isTooSlow: IsTooSlow
  /** The answer to the latest request; null before the first one. */
  lastAnswer: ServerResponse | null
  waiting: number
}

/** The open connections of a port, each limited in memory and time. */
export function createConnections(
  paceWindowMs: number,
  limits: ConnectionLimits = connectionLimits,
  onRefused: (client: string) => void = () => {},
) {
  const connections = new Map<Socket, Connection>()
  const byClient = new Map<string, Set<Socket>>()
  /** Until when clients are refused, in milliseconds of a monotonic clock; oldest first. */
  const refused = new Map<string, number>()

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

  /** Disconnects a client that floods a connection, and refuses it for a while. */
  const refuse = (socket: Socket): void => {
    const client = connections.get(socket)?.client ?? ''
    const own = byClient.get(client)
    // Other processes of this server are not clients.
    if (client === '' || own === undefined) {
      socket.destroy()
      return
    }
    refused.delete(client)
    refused.set(client, performance.now() + limits.refusedMs)
    onRefused(client)
    const [oldest = ''] = refused.keys()
    if (refused.size > maxRefused) refused.delete(oldest)
    for (const one of own) one.destroy()
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
    add(socket: Socket): void {
      // Forwarded requests arrive from other processes of this server, over a socket without an address.
      const client = networkOf(socket.remoteAddress ?? '')
      if (performance.now() < (refused.get(client) ?? 0)) {
        socket.destroy()
        return
      }
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

    /**
     * Calls `begin` once the client has read the answers to all earlier requests on this connection, so that a few
     * kilobytes of pipelined requests can't request megabytes at once.
     */
    inTurn(req: IncomingMessage, res: ServerResponse, begin: () => void): void {
      const { socket } = req
      const connection = connections.get(socket)
      if (connection === undefined || socket.destroyed) return
      const before = connection.lastAnswer
      connection.lastAnswer = res
      if (before === null || before.closed) {
        begin()
        return
      }
      connection.waiting += 1
      if (connection.waiting > maxPipelined) refuse(socket)
      before.once('close', () => {
        connection.waiting -= 1
        // Lets other connections take their turn.
        setImmediate(() => {
          if (!socket.destroyed) begin()
        })
      })
    },

    lastAnswer: (socket: Socket): ServerResponse | null => connections.get(socket)?.lastAnswer ?? null,

    /** Closes connections without any request, which browsers open in advance. */
    closeUnused(): void {
      for (const [socket, { lastAnswer }] of connections) if (lastAnswer === null) socket.destroy()
    },

    /** Stops watching how fast clients read. */
    end: endSampling,
  }
}
