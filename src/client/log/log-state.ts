import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../files/durable-files.ts'
import { fromBase64, toBase64 } from '../../shared/log/base64.ts'
import { CompactRange } from '../../shared/log/compact-range.ts'
import { isSameHash } from '../../shared/log/hashes.ts'
import { formatVerifierKey, parseVerifierKey } from '../../shared/log/signed-note.ts'
import type { VerifierKey } from '../../shared/log/signed-note.ts'
import { ClientError } from '../client-error.ts'
import type { ClientConfig } from '../config.ts'
import { exitCodes } from '../exit-codes.ts'
import { readBeginning } from '../project/read-beginning.ts'
import { decisionSchema } from './logged-decisions.ts'
import type { Decision } from './logged-decisions.ts'
import { texts } from './log.texts.ts'
import { openCheckpoint } from './open-checkpoint.ts'
import type { SignedCheckpoint } from './open-checkpoint.ts'

/** What the last audit of a registry's log verified. */
export interface LogState {
  key: VerifierKey
  checkpoint: SignedCheckpoint
  /** The tree of the checkpoint, to which the next audit appends the new entries. */
  tree: CompactRange
  /** The last decision about each release that an audit looked for, by `keyOf`; null if the log has none. */
  decisions: ReadonlyMap<string, Decision | null>
}

const fileSchema = z.strictObject({
  version: z.literal(1),
  registry: z.string(),
  key: z.string(),
  checkpoint: z.string(),
  roots: z.array(z.base64()),
  decisions: z.record(z.string(), decisionSchema.nullable()),
})

/** Enough for a hundred thousand releases. */
const maxBytes = 33_554_432

/** Where the state of a registry's log is saved. Throws if there is no home folder. */
export function stateFile({ configFolder }: ClientConfig, registry: URL): string {
  if (configFolder === null) throw new ClientError(exitCodes.failed, texts.noHome, { code: 'NO_HOME' })
  const digest = createHash('sha256').update(registry.href).digest('hex').slice(0, 16)
  return join(configFolder, 'logs', `${registry.host.replaceAll(/[^\w.-]/g, '_')}-${digest}.json`)
}

/** Null before the first audit. Throws if the file is damaged. */
export async function readState(file: string): Promise<LogState | null> {
  const bytes = await readBeginning(file, maxBytes)
  if (bytes === null) return null
  const state = parseState(bytes.toString())
  if (state !== null) return state
  throw new ClientError(exitCodes.failed, texts.stateDamaged(file), { code: 'LOG_STATE_DAMAGED' })
}

/** Null if the text is not a state. */
export function parseState(text: string): LogState | null {
  try {
    const { key: keyText, checkpoint: note, roots, decisions } = fileSchema.parse(JSON.parse(text))
    const key = parseVerifierKey(keyText)
    const checkpoint = key === null ? null : openCheckpoint(note, key)
    if (key === null || checkpoint === null) return null
    const tree = new CompactRange(
      checkpoint.size,
      roots.map((root) => fromBase64(root) ?? new Uint8Array()),
    )
    if (!isSameHash(tree.root(), checkpoint.root)) return null
    return { key, checkpoint, tree, decisions: new Map(Object.entries(decisions)) }
  } catch {
    return null
  }
}

/** Must be called inside `withFileMutex`. */
export const writeState = (file: string, registry: URL, state: LogState): void =>
  replaceFile(file, formatState(registry, state))

export function formatState(registry: URL, { key, checkpoint, tree, decisions }: LogState): string {
  const contents: z.infer<typeof fileSchema> = {
    version: 1,
    registry: registry.href,
    key: formatVerifierKey(key),
    checkpoint: checkpoint.note,
    roots: tree.roots.map(toBase64),
    decisions: Object.fromEntries(decisions),
  }
  return `${JSON.stringify(contents, null, 2)}\n`
}

export const createStateFolder = (file: string): Promise<string | undefined> =>
  mkdir(dirname(file), { recursive: true, mode: 0o700 })
