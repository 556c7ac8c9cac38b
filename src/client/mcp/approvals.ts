import { refusalOf } from '../commands/audit-releases.ts'
import type { Context } from '../command.ts'
import { checkLocked } from '../installed/locked-releases.ts'
import type { LockedRelease } from '../installed/locked-releases.ts'
import { deprecationText } from '../registry/deprecation.ts'
import { toClientError } from '../to-client-error.ts'
import { texts } from './mcp.texts.ts'

/** What a registry last said about a locked release. */
interface Approval {
  /** Why it must not be run; null if it may. */
  refusal: string | null
  /** What to use instead of a deprecated one; null otherwise. */
  deprecation: string | null
  /** Since when its registry could not be asked; null if it has answered. */
  unaskedSince: Date | null
}

const keyOf = ({ name, version, sha256, registry }: LockedRelease): string =>
  JSON.stringify([name, version, sha256, registry])

/** Remembers what the registries say about locked releases, and logs what changes. */
export function createApprovals(context: Context) {
  const { terminal, signal } = context
  let known = new Map<string, Approval>()
  return {
    /** Asks about these releases, and forgets all others. Rejects only when the command is ending. */
    async ask(releases: readonly LockedRelease[]): Promise<void> {
      const next = new Map<string, Approval>()
      const failures = new Map<string, string>()
      const checked = await checkLocked(context, releases, (release, error) => {
        const { refusal = null, deprecation = null, unaskedSince } = known.get(keyOf(release)) ?? {}
        if (unaskedSince == null) failures.set(release.registry, toClientError(error, signal).message)
        next.set(keyOf(release), { refusal, deprecation, unaskedSince: unaskedSince ?? new Date() })
      })
      for (const release of checked) {
        const deprecation = release.deprecation && deprecationText(release.deprecation)
        next.set(keyOf(release), { refusal: refusalOf(context, release), deprecation, unaskedSince: null })
      }
      for (const reason of failures.values()) terminal.line(texts.unasked(reason))
      if (isUnasked(known) && !isUnasked(next)) terminal.line(texts.askedAgain)
      for (const [key, { refusal }] of next) {
        if (refusal !== null && known.get(key)?.refusal !== refusal) terminal.line(refusal)
      }
      known = next
    },
    of: (release: LockedRelease): Approval | undefined => known.get(keyOf(release)),
  }
}

const isUnasked = (approvals: ReadonlyMap<string, Approval>): boolean =>
  [...approvals.values()].some(({ unaskedSince }) => unaskedSince !== null)
