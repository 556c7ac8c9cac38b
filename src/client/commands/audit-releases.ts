import type { Context, Result } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { checkLocked, getLockFolder, listLocked } from '../installed/locked-releases.ts'
import type { CheckedRelease } from '../installed/locked-releases.ts'
import { deprecationLine } from '../registry/deprecation.ts'
import { nameOf } from '../registry/registry.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { texts } from './commands.texts.ts'

type Verdict = keyof typeof texts.audit.releases

/** `skill audit`: what the registries say about the locked releases. */
export async function auditReleases(context: Context, isStrict: boolean): Promise<Result> {
  const { folder, lock } = await getLockFolder(context)
  const checked = await checkLocked(context, listLocked(lock, []))
  const skills = checked.map((release) => ({
    ...release,
    verdict: verdictOf(release),
    isDeprecated: release.deprecation !== null,
    isOutdated: isOutdated(release),
  }))
  const bad = skills.filter(({ verdict }) => verdict !== 'approved').length
  const deprecated = skills.filter((one) => one.isDeprecated).length
  const outdated = skills.filter((one) => one.isOutdated).length
  return {
    data: {
      folder,
      skills: skills.map(({ state, ...skill }) => ({
        ...skill,
        advisory: state?.advisory ?? null,
      })),
    },
    exitCode: bad > 0 || (isStrict && deprecated + outdated > 0) ? exitCodes.failed : exitCodes.done,
    print(terminal) {
      for (const skill of skills) print(context, terminal, skill, skill.verdict)
      terminal.line(texts.audit.summary(skills.length, bad, deprecated, outdated))
    },
  }
}

function verdictOf({ state, sha256 }: CheckedRelease): Verdict {
  if (state === null) return 'unknown'
  if (state.status === 'revoked') return 'revoked'
  return state.sha256 === sha256 ? 'approved' : 'otherModule'
}

export const isOutdated = ({ latest, version }: CheckedRelease): boolean => (latest ?? version) !== version

/** What the registry says about a release, as a sentence. */
function describe({ registryAt }: Context, release: CheckedRelease, verdict: Verdict): string {
  const { host } = registryAt(release.registry)
  return texts.audit.releases[verdict](nameOf(release), host, plainLine(release.state?.advisory ?? ''))
}

/** Why a locked release must not be run; null if it is approved. */
export function refusalOf(context: Context, release: CheckedRelease): string | null {
  const verdict = verdictOf(release)
  return verdict === 'approved' ? null : describe(context, release, verdict)
}

function print(context: Context, terminal: Terminal, release: CheckedRelease, verdict: Verdict): void {
  terminal.outcome(verdict === 'approved', describe(context, release, verdict))
  if (release.deprecation !== null) terminal.line(`  ${deprecationLine(terminal, release.deprecation)}`)
  if (isOutdated(release)) terminal.line(`  ${texts.audit.newer(release.latest ?? '')}`)
}
