import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import type { ReviewStatement } from '../../shared/contracts/evidence.ts'
import { skilldockRoutes } from '../../shared/contracts/skilldock.ts'
import { formatBinarySize } from '../../shared/findings/check.ts'
import type { Command } from '../command.ts'
import { getRelease, readReleaseName } from '../registry/registry.ts'
import { plain, plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Shows an approved release and its review. */
export const infoCommand: Command = {
  name: 'info',
  summary: 'Show what a skill does, who publishes it and how it was reviewed',
  usage: 'NAME[@VERSION]',
  help: `Without a version, shows the latest approved release.

  skill info csv-to-json
  skill info csv-to-json@1.0.0 --json`,
  options: {},
  positionals: { min: 1, max: 1 },
  async run(context, [requested = '']) {
    const registry = context.registry()
    const release = await getRelease(registry, readReleaseName(requested))
    const { name, version } = release
    const review = await registry.call(skilldockRoutes.getReview, { params: { name, version } })
    return {
      data: { release, review },
      print(terminal) {
        print(terminal, release, review)
      },
    }
  },
}

function print(terminal: Terminal, release: RegistryVersion, review: ReviewStatement): void {
  const { name, version, manifest, publisher, size, sha256, createdAt, reviewReason } = release
  const row = (title: string, value: string): void =>
    terminal.line(`${terminal.style('dim', title.padEnd(11))}${value}`)
  terminal.line(terminal.style('bold', `${name} ${version}`))
  terminal.line(plainLine(manifest.description))
  terminal.line()
  row('publisher', plainLine(publisher))
  row('license', plainLine(manifest.license))
  row('category', manifest.category)
  row('submitted', createdAt)
  row('size', formatBinarySize(size))
  row('sha256', sha256)
  row('input', plainLine(manifest.inputs))
  row('output', plainLine(manifest.outputs))
  row('review', describeReview(review))
  if (reviewReason !== null) row('', plainLine(reviewReason))
  terminal.line()
  for (const line of plain(manifest.readme).split('\n')) terminal.line(line)
  terminal.line()
  terminal.line(terminal.style('dim', `Install it with: skill install ${name}@${version}`))
}

function describeReview({ action, decidedBy, decidedAt, selfApproved, evidence }: ReviewStatement): string {
  const own = selfApproved ? ' (self-approved)' : ''
  const decided = `${action} by ${plainLine(decidedBy)}${own} on ${decidedAt.slice(0, 10)}`
  if (evidence === null) return `${decided}; no evidence recorded`
  const runs = evidence.observation?.runs
  if (runs === undefined) return `${decided}; examples were not run`
  const passed = runs.filter((run) => run.passed).length
  return `${decided}; ${passed} of ${runs.length} examples passed`
}
