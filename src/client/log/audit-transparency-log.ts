import { CompactRange } from '../../shared/log/compact-range.ts'
import { isSameHash, leafHash } from '../../shared/log/hashes.ts'
import { verifyConsistency } from '../../shared/log/proofs.ts'
import { formatVerifierKey } from '../../shared/log/signed-note.ts'
import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Registry } from '../registry/registry.ts'
import { keyOf, readDecision } from './logged-decisions.ts'
import type { DecidedRelease, Decision } from './logged-decisions.ts'
import { fetchCheckpoint, fetchConsistency, fetchEntries, fetchKey, invalid } from './fetch-log.ts'
import type { LogState } from './log-state.ts'
import { texts } from './log.texts.ts'
import { openCheckpoint } from './open-checkpoint.ts'
import type { SignedCheckpoint } from './open-checkpoint.ts'

interface Revocation extends DecidedRelease {
  at: string
}

export interface LogAudit {
  state: LogState
  /** How many entries were added since the last audit. */
  newEntries: number
  revocations: {
    /** Among the new entries. */
    total: number
    latest: Revocation[]
  }
}

interface LogAuditOptions {
  registry: Registry
  /** The file of the last audit, for error messages. */
  file: string
  /** The last audit; null if this is the first. */
  former: LogState | null
  /** The releases whose decisions are wanted. */
  releases: readonly DecidedRelease[]
  onProgress(read: number, total: number): void
  /** Called with each entry, before it is known whether the log can be trusted. */
  onEntry?(entry: Uint8Array): void
}

const maxListedRevocations = 20

/**
 * Verifies the log of a registry against the last audit. Throws if the key changed, the signature is wrong, the history
 * was rewritten, or the entries are not those of the checkpoint. Needs the memory of one page, however long the log is.
 */
export async function auditTransparencyLog(options: LogAuditOptions): Promise<LogAudit> {
  const { registry, former, releases } = options
  const key = await fetchKey(registry)
  const refuse = refuseWith(options)
  if (former !== null && formatVerifierKey(key) !== formatVerifierKey(former.key)) {
    throw refuse('LOG_KEY_CHANGED', texts.refused.keyChanged)
  }
  const checkpoint = openCheckpoint(await fetchCheckpoint(registry), key)
  if (checkpoint === null) throw refuse('LOG_SIGNATURE', texts.refused.signature)
  if (former !== null) await verifyHistory(options, former.checkpoint, checkpoint)
  const decisions = new Map([
    ...releases.map((one) => [keyOf(one), null] as const),
    ...(former?.decisions ?? []),
  ])
  // A release that no earlier audit looked for may have been approved in any entry.
  const isKnown = former !== null && decisions.size === former.decisions.size
  const tree = isKnown ? new CompactRange(former.tree.size, former.tree.roots) : new CompactRange()
  const firstNew = former?.checkpoint.size ?? 0
  const revocations = await readEntries(options, { tree, end: checkpoint.size, firstNew, decisions })
  if (!isSameHash(tree.root(), checkpoint.root)) throw refuse('LOG_ENTRIES', texts.refused.entries)
  return { state: { key, checkpoint, tree, decisions }, newEntries: checkpoint.size - firstNew, revocations }
}

async function verifyHistory(
  options: LogAuditOptions,
  former: SignedCheckpoint,
  checkpoint: SignedCheckpoint,
): Promise<void> {
  const refuse = refuseWith(options)
  if (checkpoint.size < former.size) {
    throw refuse('LOG_SMALLER', texts.refused.smaller(former.size, checkpoint.size))
  }
  if (former.size === 0) return
  const { size: from, root: fromRoot } = former
  const { size: to, root: toRoot } = checkpoint
  const hashes = from === to ? [] : await fetchConsistency(options.registry, from, to)
  if (verifyConsistency({ from, to, fromRoot, toRoot, hashes })) return
  throw refuse('LOG_REWRITTEN', texts.refused.rewritten(from))
}

/** Appends the entries to the tree, and enters the decisions about the wanted releases. */
async function readEntries(
  { registry, onProgress, onEntry }: LogAuditOptions,
  task: {
    tree: CompactRange
    end: number
    firstNew: number
    decisions: Map<string, Decision | null>
  },
): Promise<LogAudit['revocations']> {
  const { tree, end, firstNew, decisions } = task
  const start = tree.size
  const latest: Revocation[] = []
  let total = 0
  for await (const entries of fetchEntries(registry, start, end)) {
    for (const entry of entries) {
      const found = readDecision(entry, tree.size)
      if (found === undefined) throw invalid(registry)
      if (found !== null) {
        const { release, decision } = found
        const key = keyOf(release)
        if (decisions.has(key)) decisions.set(key, decision)
        if (decision.action === 'revoked' && decision.index >= firstNew) {
          total += 1
          latest.push({ ...release, at: decision.at })
          if (latest.length > maxListedRevocations) latest.shift()
        }
      }
      onEntry?.(entry)
      tree.append(leafHash(entry))
    }
    onProgress(tree.size - start, end - start)
  }
  return { total, latest }
}

const refuseWith =
  ({ registry, file, former }: LogAuditOptions) =>
  (code: string, describe: (host: string) => string): ClientError =>
    new ClientError(
      exitCodes.untrustedLog,
      {
        sentence: describe(registry.address.host),
        next: former === null ? texts.refused.first : texts.refused.next(file),
      },
      { code },
    )
