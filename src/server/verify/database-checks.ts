import type { Connection } from '../db/database.ts'
import { createModelDatabase } from '../db/migrate.ts'
import type { OnProgress } from '../backup/progress.ts'
import { runChecks } from './run-checks.ts'
import type { Check, OnFound } from './run-checks.ts'
import { columnChecks } from './columns.checks.ts'
import { postsCheck, projectsCheck } from './content.checks.ts'
import { auditLogCheck, countersCheck, evidenceCheck, historyCheck, namesCheck } from './derived.checks.ts'
import { imageTypesCheck } from './images.check.ts'
import { loggedRowsCheck, logTreeCheck } from './log.checks.ts'
import { findingCountsCheck, releasesCheck } from './releases.checks.ts'
import { integrityCheck, schemaCheck } from './schema.checks.ts'
import { searchIndexCheck } from './search-index.check.ts'

/**
 * All checks of a database. A repair may rely on the repairs of earlier checks: first the schema, then values, then the
 * data derived from them.
 */
export const databaseChecks: readonly Check[] = [
  integrityCheck,
  schemaCheck,
  ...columnChecks,
  imageTypesCheck,
  releasesCheck,
  searchIndexCheck,
  findingCountsCheck,
  namesCheck,
  historyCheck,
  auditLogCheck,
  evidenceCheck,
  postsCheck,
  projectsCheck,
  countersCheck,
  logTreeCheck,
  loggedRowsCheck,
]

interface DatabaseReport {
  onFound: OnFound
  onProgress: OnProgress
}

/** `images` is the folder with the images, or null. */
export function checkDatabase(connection: Connection, images: string | null, report: DatabaseReport): void {
  const model = createModelDatabase()
  try {
    runChecks(databaseChecks, { connection, model, images, onProgress: report.onProgress }, report.onFound)
  } finally {
    model.close()
  }
}
