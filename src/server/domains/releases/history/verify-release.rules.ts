import { publisherName } from '../../../../shared/publisher-name.ts'
import { maxPackageBytes, minPackageBytes } from '../../../../shared/contracts/releases.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import type { SkillManifest } from '../../../../shared/contracts/manifest.ts'
import type { ReviewAction } from '../../../../shared/contracts/decisions.ts'
import { parseStoredManifest } from '../../../../shared/parse-manifest.ts'
import { messageOf } from '../../../../shared/errors.ts'
import { releaseBody, searchText } from '../releases.rules.ts'
import type { ReleaseFacts } from '../releases.rules.ts'

/** A release with everything stored about it; null for rows that do not exist. */
export interface ReleaseToVerify extends ReleaseFacts {
  ownerId: number
  ownerName: string | null
  /** Whether the publisher owns or owned the name. */
  isOwner: 0 | 1
  manifest: Uint8Array | null
  body: Uint8Array | null
  text: string | null
  /** In order, separated by commas. */
  lastDecision: number | null
  recordedDecision: number | null
  lastAction: ReviewAction | null
  /** The actions of all decisions, oldest first, separated by commas. */
  actions: string | null
  lastReason: string | null
}

/** Data that is stored only to make reads fast, and can be derived again. */
export type DerivedPart = 'manifest' | 'body' | 'search' | 'last decision'

interface ReleaseProblem {
  problem: string
  /** What to derive again; null if only a backup can fix the problem. */
  derived: DerivedPart | null
}

/** The resulting status for every sequence of decisions that section 3 allows. */
const decisionPaths: Record<string, ReleaseStatus> = {
  '': 'pending',
  approved: 'approved',
  rejected: 'rejected',
  'approved,revoked': 'revoked',
}

/** Describes every inconsistency in what is stored about a release. */
export function verifyRelease(release: ReleaseToVerify): ReleaseProblem[] {
  const problems: ReleaseProblem[] = []
  const check = (isConsistent: boolean, problem: string, derived: DerivedPart | null = null): void => {
    if (!isConsistent) problems.push({ problem, derived })
  }
  check(/^[a-f0-9]{64}$/.test(release.sha256), 'its digest is not a SHA-256')
  check(
    release.size >= minPackageBytes && release.size <= maxPackageBytes,
    `its size (${release.size} bytes) is outside the allowed range`,
  )
  check(release.isOwner === 1, 'its publisher was never an owner of its name')
  check(
    release.status === (release.lastAction ?? 'pending'),
    release.lastAction === null
      ? `it is ${release.status}, but has no decision`
      : `it is ${release.status}, but its last decision is ${release.lastAction}`,
  )
  check(
    Object.hasOwn(decisionPaths, release.actions ?? ''),
    `its decisions (${release.actions ?? 'none'}) are not a valid sequence`,
  )
  check(
    release.reviewReason === release.lastReason,
    'its review notes differ from those of its last decision',
  )
  check(
    release.lastDecision === release.recordedDecision,
    'its recorded last decision is not its last decision',
    'last decision',
  )
  return [...problems, ...auditManifest(release)]
}

function auditManifest(release: ReleaseToVerify): ReleaseProblem[] {
  const broken = (problem: string): ReleaseProblem[] => [
    { problem, derived: manifestInBody(release) === null ? null : 'manifest' },
  ]
  if (release.manifest === null) return broken('its manifest is missing')
  const text = new TextDecoder().decode(release.manifest)
  const owner = { id: release.ownerId, name: release.ownerName }
  let manifest: SkillManifest
  try {
    manifest = parseStoredManifest(text)
  } catch (error) {
    return broken(messageOf(error))
  }
  if (manifest.name !== release.name || manifest.version !== release.version) {
    return broken(`its manifest belongs to ${manifest.name} ${manifest.version}`)
  }
  const problems: ReleaseProblem[] = []
  if (release.body === null) {
    problems.push({ problem: 'its stored response is missing', derived: 'body' })
  } else if (new TextDecoder().decode(release.body) !== releaseBody(release, text, owner)) {
    problems.push({ problem: 'its stored response does not match its row and manifest', derived: 'body' })
  }
  const expected = searchTextOf(release, manifest)
  if (release.text !== expected) {
    problems.push({
      problem:
        expected === null ? 'its search text should not exist' : 'its search text is missing or outdated',
      derived: 'search',
    })
  }
  return problems
}

/** The text for the search; null for a release that must not be found. */
export function searchTextOf(
  release: Pick<ReleaseToVerify, 'status' | 'ownerId' | 'ownerName'>,
  manifest: SkillManifest,
): string | null {
  if (release.status !== 'approved') return null
  return searchText(manifest, publisherName({ id: release.ownerId, name: release.ownerName }))
}

/** The manifest from the stored response, which contains it verbatim; null if that is damaged as well. */
export function manifestInBody({ name, version, body }: ReleaseToVerify): string | null {
  if (body === null) return null
  try {
    const { manifest } = JSON.parse(new TextDecoder().decode(body)) as { manifest: unknown }
    const text = JSON.stringify(manifest)
    const parsed = parseStoredManifest(text)
    return parsed.name === name && parsed.version === version ? text : null
  } catch {
    return null
  }
}
