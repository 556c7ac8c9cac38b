import type { AuditChannel } from '../../shared/contracts/desk-audit-log.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import { commandWaitMs, openDatabase } from '../db/database.ts'
import { withOrigin } from '../db/log/origin.ts'
import { createSignInCodes } from '../domains/identity/sign-in-codes.service.ts'

/** A sign-in link (also for creating the first administrator), or the subjects if there are several administrators. */
type DeskLink = { url: string } | { url: null; administrators: string[] }

/**
 * Creates a one-time link to the desk at `deskAddress`, on a data folder whose server is running (rulings, "Desk").
 * Without a subject it is for the only administrator, or the first run, which the remote desk does not have. Throws NOT_FOUND for an
 * unknown subject.
 */
export async function makeDeskLink(
  dataFolder: string,
  deskAddress: string,
  subject?: string,
  channel: AuditChannel = 'cli',
  mayFirstRun = true,
): Promise<DeskLink> {
  const database = openDatabase(dataPaths(dataFolder).database, { waitMs: commandWaitMs })
  try {
    const codes = createSignInCodes(database, () => deskAddress)
    const linkTo = async (personId: number | null): Promise<string> =>
      (await withOrigin({ person: null, channel, address: null }, () => codes.createLink(personId))).url
    if (subject !== undefined) return { url: await linkTo(codes.getSigner(subject).id) }
    const administrators = codes.listAdministrators()
    const [only, second] = administrators
    if (second !== undefined || (only === undefined && !mayFirstRun))
      return { url: null, administrators: administrators.map((person) => person.subject) }
    return { url: await linkTo(only?.id ?? null) }
  } finally {
    database.close()
  }
}
