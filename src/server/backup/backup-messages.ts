import { z } from 'zod'

// Messages between the server and the process that writes and tests backups; a job's path is the backup's.

export const backupJobSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('write'), dataFolder: z.string() }),
  z.strictObject({ kind: z.literal('prove') }),
])
export type BackupJob = z.infer<typeof backupJobSchema>

export interface BackupResult {
  ok: true
  /** The size of a backup that was written. */
  bytes: number
}

const base = { id: z.int(), rss: z.number() }
export const backupAnswerSchema = z.union([
  z.strictObject({ ...base, ok: z.literal(true), bytes: z.int() }),
  z.strictObject({ ...base, ok: z.null(), failed: z.string() }),
])
export type BackupAnswer = z.infer<typeof backupAnswerSchema>
