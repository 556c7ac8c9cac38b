import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditChannel } from '../../../shared/contracts/desk-audit-log.ts'

/** Who makes the changes of a request or command, and from where. */
export interface Origin {
  /** The id of the person; null before they are known, and for changes without an account. */
  person: number | null
  channel: AuditChannel
  /** The client's address. */
  address: string | null
}

const origins = new AsyncLocalStorage<Origin>()

/** Changes that `work` makes, now or later, are recorded with this origin. */
export const withOrigin = <T>(origin: Origin, work: () => T): T => origins.run(origin, work)

/** Work that no request or command has started is the server's own. */
export const currentOrigin = (): Origin =>
  origins.getStore() ?? { person: null, channel: 'server', address: null }
