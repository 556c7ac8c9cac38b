import { rmSync } from 'node:fs'
import { DomainError } from '../../shared/errors.ts'
import { openDatabase } from '../db/database.ts'
import { catalogRepository } from '../domains/releases/catalog/catalog.repository.ts'
import { createClientOf } from '../http/client-address.ts'
import { defaultPaceWindowMs } from '../http/pace.ts'
import type { Logger } from '../operations/logging.ts'
import type { FollowedCopy } from '../replication/followed-copy.ts'
import { createLease } from '../replication/lease.ts'
import { leaseMs, retryAfter } from '../replication/replication.ts'
import { replicationTexts } from '../replication/replication.texts.ts'
import type { Config } from '../settings/config.ts'
import { createPublicReads } from './public-reads.ts'
import type { ReadParts } from './public-reads.ts'
import { createReadRequests } from './read-requests.ts'

interface FollowedReadParts extends Pick<ReadParts, 'files' | 'imageFiles' | 'markdown' | 'clientFolder'> {
  config: Config
  log: Logger
  registryUrl(): string
}

/** What answers from one copy of the database. */
export function createFollowedReads(database: string, copy: FollowedCopy, parts: FollowedReadParts) {
  const { config, log, registryUrl } = parts
  const connection = openDatabase(database, { readonly: true })
  const lease = createLease(leaseMs)
  const reads = createPublicReads({
    ...parts,
    database: connection,
    publicUrl: () => config.publicUrl ?? registryUrl(),
    publicKeys: () => [],
    // Only the machine that writes counts.
    downloads: { count() {} },
    deskFolder: null,
    processes: 1,
  })
  // The public keys are derived from the signing key, which is not on this machine.
  const { keys: _, ...handlers } = reads.handlers
  const getHealth = () => ({ status: 'ok', service: 'skilldock', timestamp: new Date().toISOString() })
  const requests = createReadRequests({
    handlers: { ...handlers, health: { getHealth } },
    errorPage: reads.pages.errorPage,
    log,
    clientOf: createClientOf(() => config.trustProxy),
    urls: () => ({ listenerUrl: registryUrl(), publicUrl: config.publicUrl }),
    checkReplies: false,
    paceWindowMs: defaultPaceWindowMs,
    assertCurrent() {
      if (copy.isWhole() && lease.isValid()) return
      throw new DomainError('STORAGE_UNAVAILABLE', replicationTexts.notFollowed, { retryAfter })
    },
  })
  return {
    ...requests,
    copy,
    /** Says until when the copy may be read. */
    lease,
    assertReadable: () => void catalogRepository(connection.reader).generation(),
    close() {
      connection.close()
      copy.close()
      rmSync(database, { force: true })
    },
  }
}

export type FollowedReads = ReturnType<typeof createFollowedReads>
