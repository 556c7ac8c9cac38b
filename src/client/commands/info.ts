import type { RegistryVersion } from '../../shared/contracts/releases.ts'
import type { ReviewStatement } from '../../shared/contracts/evidence.ts'
import { ownerRoutes } from '../../shared/contracts/owners.ts'
import type { Owner } from '../../shared/contracts/owners.ts'
import { releaseStateRoutes } from '../../shared/contracts/release-states.ts'
import type { Deprecation } from '../../shared/contracts/release-states.ts'
import { skilldockRoutes } from '../../shared/contracts/skilldock.ts'
import { formatBinarySize } from '../../shared/findings/define-check.ts'
import { provenanceText } from '../../shared/job-texts.ts'
import type { Command } from '../command.ts'
import { texts } from './commands.texts.ts'
import { ownerNames } from './owner.ts'
import { deprecationLine } from '../registry/deprecation.ts'
import { getRelease, readReleaseName } from '../registry/registry.ts'
import { plain, plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Shows an approved release and its review. */
export const infoCommand: Command = {
  name: 'info',
  summary: 'Show what a skill does, who publishes it and how it was reviewed',
  usage: ['NAME[@VERSION]'],
  about: `Without a version, shows the latest approved release.`,
  options: {},
  notes: `  skill info csv-to-json
  skill info csv-to-json@1.0.0 --json`,
  positionals: { min: 1, max: 1 },
  async run(context, [requested = '']) {
    const registry = context.registry()
    const release = await getRelease(registry, readReleaseName(requested))
    const { name, version } = release
    const review = await registry.call(skilldockRoutes.getReview, { params: { name, version } })
    const { deprecation } = await registry.call(releaseStateRoutes.getReleaseState, {
      params: { name, version },
    })
    const { items: owners } = await registry.call(ownerRoutes.listOwners, { params: { name } })
    return {
      data: { release, review, owners, deprecation },
      print(terminal) {
        print(terminal, release, review, owners, deprecation)
      },
    }
  },
}

function print(
  terminal: Terminal,
  release: RegistryVersion,
  review: ReviewStatement,
  owners: readonly Owner[],
  deprecation: Deprecation | null,
): void {
  const { name, version, manifest, publisher, size, sha256, createdAt, reviewReason } = release
  const { facts, install } = texts.info
  const row = (title: string, value: string): void =>
    terminal.line(`${terminal.style('dim', title.padEnd(11))}${value}`)
  terminal.line(terminal.style('bold', `${name} ${version}`))
  if (deprecation !== null) terminal.line(deprecationLine(terminal, deprecation))
  terminal.line(plainLine(manifest.description))
  terminal.line()
  row(facts.publisher, plainLine(publisher))
  row(facts.owners, ownerNames(owners))
  row(facts.license, plainLine(manifest.license))
  row(facts.category, manifest.category)
  row(facts.submitted, createdAt)
  row(facts.size, formatBinarySize(size))
  row(facts.sha256, sha256)
  row(facts.input, plainLine(manifest.inputs))
  row(facts.output, plainLine(manifest.outputs))
  if (review.provenance !== undefined) row(facts.source, plainLine(provenanceText(review.provenance)))
  row(facts.review, describeReview(review))
  if (reviewReason !== null) row('', plainLine(reviewReason))
  terminal.line()
  for (const line of plain(manifest.readme).split('\n')) terminal.line(line)
  terminal.line()
  terminal.note(install(`${name}@${version}`))
}

function describeReview(review: ReviewStatement): string {
  const { action, decidedBy, decidedAt, selfApproved, evidence, firstApproval } = review
  const reviewers = [...(firstApproval === undefined ? [] : [firstApproval.approvedBy]), decidedBy]
  const names = reviewers.map(plainLine).join(texts.info.and)
  const decided = texts.info.decided(action, names, selfApproved, decidedAt.slice(0, 10))
  if (evidence === null) return decided + texts.info.noEvidence
  const runs = evidence.observation?.runs
  if (runs === undefined) return decided + texts.info.notRun
  return decided + texts.info.passed(runs.filter((run) => run.passed).length, runs.length)
}
