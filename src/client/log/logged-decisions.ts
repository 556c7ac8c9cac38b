import { z } from 'zod'
import { skillNameSchema, versionSchema } from '../../shared/contracts/manifest.ts'
import { parseLoosely } from '../parse-loosely.ts'

/** The release that a decision is about. The digest is part of it: an approval of other bytes is not an approval. */
export interface DecidedRelease {
  name: string
  version: string
  sha256: string
}

const actionSchema = z.enum(['approved', 'revoked'])

export const decisionSchema = z.strictObject({
  action: actionSchema,
  /** Of the entry in the log. */
  index: z.int().min(0),
  at: z.iso.datetime(),
})

/** An approval or a revocation in the log. */
export type Decision = z.infer<typeof decisionSchema>

/** Every entry is one event; other fields depend on its type. */
const eventSchema = z.looseObject({ type: z.string() })

const decisionEventSchema = z.object({
  type: z.templateLiteral(['release.', actionSchema]),
  name: skillNameSchema,
  version: versionSchema,
  sha256: z.string().regex(/^[a-f0-9]{64}$/),
  at: z.iso.datetime(),
})

export const keyOf = ({ name, version, sha256 }: DecidedRelease): string => `${name}@${version} ${sha256}`

/** Null if the entry is an event of another kind, and undefined if it is not an event. */
export function readDecision(
  entry: Uint8Array,
  index: number,
): { release: DecidedRelease; decision: Decision } | null | undefined {
  const event = parseLoosely(eventSchema, Buffer.from(entry).toString())
  if (event === null) return undefined
  const read = decisionEventSchema.safeParse(event)
  if (!read.success) return null
  const { type, at, ...release } = read.data
  return { release, decision: { action: type === 'release.approved' ? 'approved' : 'revoked', index, at } }
}
