import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { Connection } from '../db/database.ts'
import { findDamage } from '../db/inspect.ts'
import { createAuditRepository } from '../domains/releases/audit.repository.ts'
import { auditRelease } from '../domains/releases/audit.rules.ts'
import { readSigningKey } from '../storage/signing-key.ts'
import type { OnProblem, OnProgress } from './progress.ts'

/** Rows of a page. */
const rowsAtOnce = 50

/** Every row against every other, and the database's own integrity; what is no row is not looked at. */
export function checkDatabase(connection: Connection, onProblem: OnProblem, onProgress: OnProgress): void {
  for (const damage of findDamage(connection)) onProblem(`database: ${damage}`)
  const audit = createAuditRepository(connection)
  const { releases } = audit.count()
  let seen = 0
  let last = 0
  for (;;) {
    const page = audit.listReleases(last, rowsAtOnce)
    if (page.length === 0) return
    for (const release of page) {
      for (const problem of auditRelease(release)) onProblem(`${release.name} ${release.version}: ${problem}`)
      last = release.id
    }
    seen += page.length
    onProgress(`releases ${seen} of ${releases}`)
  }
}

/** Whether the key file can be read and its two halves belong together. */
export function checkSigningKey(path: string, onProblem: OnProblem): void {
  try {
    const key = readSigningKey(path)
    const made = createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' })
    if (made.x !== key.x) onProblem('signing-key.json: its public half is not that of its private half')
  } catch {
    onProblem('signing-key.json: it is missing or cannot be read; no token can be checked without it')
  }
}
