import { dataPaths } from '../data-folder/data-folder.ts'
import { openDatabase } from '../db/database.ts'
import { createSignInCodes } from '../domains/identity/sign-in-codes.service.ts'

/** Milliseconds that making a link waits for its turn to write beside a busy server. */
const waitMs = 10_000

/** A link for the person or for whoever makes the first administrator; or the names, where there are several. */
export type DeskLink = { url: string } | { url: null; administrators: string[] }

/**
 * Makes a one-time link to the desk at `deskAddress`, on a data folder whose server runs (rulings, "Desk").
 * Without a subject it is for the only administrator. Throws NOT_FOUND for a subject that is nobody's.
 */
export async function makeDeskLink(
  dataFolder: string,
  deskAddress: string,
  subject?: string,
): Promise<DeskLink> {
  const database = openDatabase(dataPaths(dataFolder).database, { waitMs })
  try {
    const codes = createSignInCodes(database, () => deskAddress)
    if (subject !== undefined) return { url: (await codes.createLink(codes.getSigner(subject).id)).url }
    const administrators = codes.listAdministrators()
    const [only, second] = administrators
    if (second !== undefined)
      return { url: null, administrators: administrators.map((person) => person.subject) }
    return { url: (await codes.createLink(only?.id ?? null)).url }
  } finally {
    database.close()
  }
}
