import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { readInstalled } from '../installed/installed-skills.ts'
import { getLockFolder, mapLocked } from '../installed/locked-releases.ts'
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
  notes: `Exits with 1 if a module is missing or differs, or has no signed approval, and 7 if that is wrong or signed with
another key.

  skill verify
  skill verify csv-to-json --json`,
  positionals: { min: 0, max: 50 },
  async run(context, names) {
    const { folder, lock } = await getLockFolder(context)
    const skills = await mapLocked(lock, names, async (locked) => {
      const module = await readInstalled(folder, locked.name, locked)
      const registry = context.registryAt(locked.registry)
      const approval = await getApproval(registry, locked, keyIn(lock, locked.registry))
      const verdict: Verdict =
        approval === null ? 'notAttested' : typeof module === 'string' ? module : 'verified'
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
