import type { AttestationKey } from '../../shared/contracts/attestations.ts'
import type { Command, Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { readInstalled } from '../installed/installed-skills.ts'
import { checkLocked, getLockFolder, mapLocked } from '../installed/locked-releases.ts'
import type { LockedRelease } from '../installed/locked-releases.ts'
import { keyIn, lockFileName } from '../installed/lock-file.ts'
import { getApproval } from '../registry/attestation.ts'
import { nameOf } from '../registry/registry.ts'
import { texts } from './commands.texts.ts'

type Verdict = keyof typeof texts.verify.verdicts

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Verify the installed modules and the signed approvals of their registries',
  usage: ['[NAME…]'],
  about: `Compares every module with ${lockFileName}, and verifies that its registry has signed the approval of exactly
these bytes with the key that the lock file pins. Changes nothing.`,
  options: {},
  notes: `Exits with 1 if a module is missing or differs, has no signed approval, or was revoked, and 7 if the approval is
wrong or signed with another key.

  skill verify
  skill verify csv-to-json --json`,
  positionals: { min: 0, max: 50 },
  async run(context, names) {
    const { folder, lock } = await getLockFolder(context)
    const skills = await mapLocked(lock, names, async (locked) => {
      const module = await readInstalled(folder, locked.name, locked)
      const approval = await verifyApproval(context, locked, keyIn(lock, locked.registry))
      const verdict: Verdict = approval !== 'revoked' && typeof module === 'string' ? module : approval
      return { ...locked, verdict }
    })
    const isGood = skills.every(({ verdict }) => verdict === 'verified')
    return {
      data: { folder, skills },
      exitCode: isGood ? exitCodes.done : exitCodes.failed,
      print(terminal) {
        if (skills.length === 0) terminal.line(texts.install.empty)
        for (const { verdict, ...release } of skills) {
          terminal.outcome(verdict === 'verified', texts.verify.verdicts[verdict](nameOf(release)))
        }
      },
    }
  },
}

/** Whether the registry has signed the approval of this module. Throws if the approval is wrong. */
async function verifyApproval(
  context: Context,
  locked: LockedRelease,
  pinned: AttestationKey | null,
): Promise<'verified' | 'notAttested' | 'revoked'> {
  // A registry does not publish the approval of a revoked release, which is no reason to distrust the registry.
  const [checked] = await checkLocked(context, [locked])
  if (checked?.state?.status === 'revoked') return 'revoked'
  const approval = await getApproval(context.registryAt(locked.registry), locked, pinned)
  return approval === null ? 'notAttested' : 'verified'
}
