import type { PublicKey } from '../domains/identity/identity.routes.ts'
import type { ListenAddress } from '../http/open-port.ts'
import type { RouteCount } from '../operations/route-counts.ts'
import type { Config } from '../settings/config.ts'

/** What a worker needs to know; sent again whenever it changes. */
export interface WorkerSettings {
  config: Config
  registryUrl: string
  publicKeys: PublicKey[]
}

export interface WorkerSetup {
  settings: WorkerSettings
  deskFolder: string | null
  clientFolder: string | null
  markdownEntry: string
  /** The socket of the process that writes. */
  writer: string
  workers: number
  checkReplies: boolean
  paceWindowMs: number
}

export type ToWorker =
  | { kind: 'start'; setup: WorkerSetup }
  | { kind: 'settings'; settings: WorkerSettings }
  | { kind: 'open'; id: number; address: ListenAddress }
  | { kind: 'close'; id: number; timeoutMs: number }
  /** Exit once all messages are sent. */
  | { kind: 'end' }

export type FromWorker =
  | { kind: 'opened'; id: number; port: number }
  | { kind: 'failed'; id: number; code: string; message: string }
  /** Accepts no more connections at this port. */
  | { kind: 'closing'; id: number }
  | { kind: 'closed'; id: number }
  | { kind: 'line'; line: string }
  | { kind: 'downloaded'; releaseId: number }
  /** The milliseconds of the latest answers; `answers` counts all of them. */
  | { kind: 'answered'; answers: number; times: number[]; routes: RouteCount[] }
