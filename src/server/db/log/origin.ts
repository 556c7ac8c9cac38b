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

/** What a request may change, which can end while the request is in progress. */
export interface Permission {
  /** Throws once the caller may no longer make the change. */
  assert(): void
}

const unlimited: Permission = { assert: () => {} }

const works = new AsyncLocalStorage<{ origin: Origin; permission: Permission }>()

/** Changes that `work` makes, now or later, need this permission and are recorded with this origin. */
export const withOrigin = <T>(origin: Origin, work: () => T, permission = unlimited): T =>
  works.run({ origin, permission }, work)

/** `work` is the server's own, even if a request has set it off. */
export const asServer = <T>(work: () => T): T => works.exit(work)

/** Work that no request or command has started is the server's own. */
export const currentOrigin = (): Origin =>
  works.getStore()?.origin ?? { person: null, channel: 'server', address: null }

/** Throws once the caller of the current request may no longer make the change. */
export const assertPermitted = (): void => works.getStore()?.permission.assert()
