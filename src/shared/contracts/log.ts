import { z } from 'zod'
import { document, reply, route, section } from '../route.ts'

/** Entries of one reply. */
export const maxLogEntries = 500

/** A plain number: no sign, no leading zeros. */
const numberSchema = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,14})$/, 'must be a non-negative integer in decimal digits')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 0 } })

const base64Schema = z.string().meta({ contentEncoding: 'base64' })

const proofSchema = z
  .strictObject({
    hashes: z.array(base64Schema).describe('The hashes of the proof in the order of RFC 6962.'),
  })
  .meta({ id: 'LogProof' })

/** The transparency log of the registry (rulings, "Transparency log"). */
export const logRoutes = section('Transparency log', {
  getLogCheckpoint: route('GET /api/skilldock/log/checkpoint', 'public', {
    summary: 'Get the number of entries and the root of their tree, as a signed note',
    reply: document('text/plain; charset=utf-8', 'Origin, size and root hash, with an Ed25519 signature'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  getLogKey: route('GET /api/skilldock/log/key', 'public', {
    summary: 'Get the verifier key for the signature of the checkpoints',
    reply: document('text/plain; charset=utf-8', 'Name, key hash and public key'),
  }),
  listLogEntries: route('GET /api/skilldock/log/entries', 'public', {
    summary: `List the entries from \`start\` to \`end\` (exclusive), at most ${maxLogEntries}`,
    query: z.object({ start: numberSchema, end: numberSchema }),
    reply: reply(
      z
        .strictObject({
          entries: z.array(base64Schema).describe('Each entry is canonical JSON (RFC 8785) of one event.'),
        })
        .meta({ id: 'LogEntries' }),
      'The entries, whose leaf hashes are those of RFC 6962',
    ),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  getLogInclusion: route('GET /api/skilldock/log/inclusion', 'public', {
    summary: 'Prove that the entry `index` is in the tree of the first `size` entries',
    query: z.object({ index: numberSchema, size: numberSchema }),
    reply: reply(proofSchema, 'The inclusion proof'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  getLogConsistency: route('GET /api/skilldock/log/consistency', 'public', {
    summary: 'Prove that the tree of the first `to` entries begins with the tree of the first `from` entries',
    query: z.object({ from: numberSchema, to: numberSchema }),
    reply: reply(proofSchema, 'The consistency proof; no hashes if both sizes are equal'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
})
