import { z } from 'zod'
import { readSession, writeSession } from '../../lib/state/storage.ts'
import { reaches } from './first-run.ts'

const key = 'first-run'

const draftSchema = z.object({
  name: z.string(),
  /** The sign-in name, where it is the person's own. */
  subject: z.string().nullable(),
  fields: z.object({
    reach: z.enum(reaches),
    tlsCert: z.string(),
    tlsKey: z.string(),
    publicUrl: z.string(),
    proxy: z.string(),
    port: z.string(),
    workspace: z.string(),
  }),
})
export type FirstRunDraft = z.infer<typeof draftSchema>

/** What was written before the page was loaded anew, as it is when another data folder has been chosen. */
export function readDraft(): FirstRunDraft | null {
  const kept = readSession(key)
  if (kept === null) return null
  try {
    return draftSchema.parse(JSON.parse(kept))
  } catch {
    return null
  }
}

export function keepDraft(draft: FirstRunDraft | null): void {
  writeSession(key, draft === null ? null : JSON.stringify(draft))
}
