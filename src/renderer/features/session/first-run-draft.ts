import { z } from 'zod'
import { savedDraft } from './first-run-saved.ts'
import { reaches } from './first-run.ts'

const draftSchema = z.object({
  name: z.string(),
  /** The sign-in name; null if it is derived from the name. */
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
type FirstRunDraft = z.infer<typeof draftSchema>

/** What was entered before a reload, which happens when another data folder is chosen. */
export function readDraft(): FirstRunDraft | null {
  const saved = savedDraft()
  if (saved === null) return null
  try {
    return draftSchema.parse(JSON.parse(saved))
  } catch {
    return null
  }
}
