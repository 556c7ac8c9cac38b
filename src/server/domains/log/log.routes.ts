import type { logRoutes } from '../../../shared/contracts/log.ts'
import type { Handlers } from '../../http/mount.ts'
import { WithHeaders } from '../../http/replies.ts'
import type { PublicLog } from './public-log.service.ts'

/** Entries never change, and neither do proofs about trees of a given size. */
const unchanging = <T>(body: T): WithHeaders<T> =>
  new WithHeaders(body, { 'Cache-Control': 'public, max-age=31536000, immutable' })

/** The transparency log. */
export function logHandlers(log: PublicLog): Handlers<typeof logRoutes> {
  return {
    getLogCheckpoint: () => Buffer.from(log.signCheckpoint()),
    getLogKey: () => Buffer.from(`${log.verifierKey}\n`),
    listLogEntries: ({ query }) => unchanging({ entries: log.listEntries(query.start, query.end) }),
    getLogInclusion: ({ query }) => unchanging({ hashes: log.proveInclusion(query.index, query.size) }),
    getLogConsistency: ({ query }) => unchanging({ hashes: log.proveConsistency(query.from, query.to) }),
  }
}
