import { roles } from '../../shared/contracts/people.ts'
import type { Role } from '../../shared/contracts/people.ts'
import { findDataFolder } from '../settings/config.ts'
import { dataPaths, initializeDataFolder } from '../data-folder/data-folder.ts'
import { commandWaitMs, openDatabase } from '../db/database.ts'
import { withOrigin } from '../db/log/origin.ts'
import { createPeopleService } from '../domains/identity/people.service.ts'
import type { PeopleService } from '../domains/identity/people.service.ts'
import { createReviewService } from '../domains/releases/decisions/review-release.service.ts'
import { readSigningKey } from '../storage/signing-key.ts'
import { texts } from './commands.texts.ts'
import { UsageError } from './exit-codes.ts'

/** Runs `work` on the people of a data folder, with or without a running server. */
export async function withPeople<T>(
  work: (people: PeopleService) => Promise<T>,
  folder = findDataFolder(),
): Promise<T> {
  const paths = dataPaths(folder)
  initializeDataFolder(paths)
  const database = openDatabase(paths.database, { waitMs: commandWaitMs })
  try {
    const { rewritePublisher } = createReviewService(database)
    const people = createPeopleService(database, readSigningKey(paths.signingKey), rewritePublisher)
    return await withOrigin({ person: null, channel: 'cli', address: null }, () => work(people))
  } finally {
    database.close()
  }
}

/** Parses a role on the command line, where administrators are `admin`. */
export function parseRole(word: string): Role {
  const role = roles.find((one) => word === (one === 'administrator' ? 'admin' : one))
  if (role !== undefined) return role
  throw new UsageError(texts.usage.invalidRole(word))
}
