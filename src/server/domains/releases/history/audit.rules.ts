import { publisherName } from '../../../../shared/contracts/people.ts'
import { maxPackageBytes, minPackageBytes } from '../../../../shared/contracts/releases.ts'
import type { ReleaseStatus, ReviewAction, SkillManifest } from '../../../../shared/contracts/releases.ts'
import { parseStoredManifest } from '../../../../shared/manifest.ts'
import { releaseBody, searchText } from '../releases.rules.ts'
import type { ReleaseFacts } from '../releases.rules.ts'

/** A release with all that is stored about it; null where there is no such row. */
export interface AuditedRelease extends ReleaseFacts {
  ownerId: number
  ownerName: string | null
  nameOwnerId: number | null
  manifest: Uint8Array | null
  body: Uint8Array | null
  text: string | null
  lastDecision: number | null
  notedDecision: number | null
  lastAction: ReviewAction | null
  /** Of all decisions, the oldest first, with commas. */
  actions: string | null
  lastReason: string | null
}

/** What is stored about a release only so that reads are fast, and can be derived again. */
export type DerivedPart = 'manifest' | 'body' | 'search' | 'last decision'

export interface ReleaseProblem {
  problem: string
  /** What has to be derived again; null where only a backup can help. */
  derived: DerivedPart | null
}

/** The statuses that a release has gone through, for every list of decisions that section 3 allows. */
const decisionPaths: Record<string, ReleaseStatus> = {
  '': 'pending',
  approved: 'approved',
  rejected: 'rejected',
  'approved,revoked': 'revoked',
}

/** Every way in which what is stored about a release does not fit together, in words; empty where all is well. */
export function auditRelease(release: AuditedRelease): ReleaseProblem[] {
  const problems: ReleaseProblem[] = []
  const check = (isRight: boolean, problem: string, derived: DerivedPart | null = null): void => {
    if (!isRight) problems.push({ problem, derived })
  }
  check(/^[a-f0-9]{64}$/.test(release.sha256), 'its digest is no SHA-256')
  check(
    release.size >= minPackageBytes && release.size <= maxPackageBytes,
    `its size, ${release.size} bytes, is none that a package can have`,
  )
  check(release.nameOwnerId === release.ownerId, 'it belongs to somebody else than its name does')
  check(
    release.status === (release.lastAction ?? 'pending'),
    `it is ${release.status}, and the last decision on it is ${release.lastAction ?? 'none'}`,
  )
  check(
    Object.hasOwn(decisionPaths, release.actions ?? ''),
    `its decisions (${release.actions ?? 'none'}) are in an order that no review allows`,
  )
  check(release.reviewReason === release.lastReason, 'its note is not that of the last decision')
  check(
    release.lastDecision === release.notedDecision,
    'the last decision noted with it is another one',
    'last decision',
  )
  return [...problems, ...auditManifest(release)]
}

function auditManifest(release: AuditedRelease): ReleaseProblem[] {
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
    return broken(error instanceof Error ? error.message : String(error))
  }
  if (manifest.name !== release.name || manifest.version !== release.version) {
    return broken(`its manifest is that of ${manifest.name} ${manifest.version}`)
  }
  const problems: ReleaseProblem[] = []
  if (release.body === null) {
    problems.push({ problem: 'its stored answer is missing', derived: 'body' })
  } else if (new TextDecoder().decode(release.body) !== releaseBody(release, text, owner)) {
    problems.push({ problem: 'its stored answer is not what its row and manifest say', derived: 'body' })
  }
  const wanted = searchTextOf(release, manifest)
  if (release.text !== wanted) {
    problems.push({
      problem: wanted === null ? 'the search still finds it' : 'the search does not find it as it is',
      derived: 'search',
    })
  }
  return problems
}

/** What the search looks in; null for a release that it must not find. */
export function searchTextOf(
  release: Pick<AuditedRelease, 'status' | 'ownerId' | 'ownerName'>,
  manifest: SkillManifest,
): string | null {
  if (release.status !== 'approved') return null
  return searchText(manifest, publisherName({ id: release.ownerId, name: release.ownerName }))
}

/** The manifest as the stored answer has it, which holds it word for word; null where that is damaged as well. */
export function manifestInBody({ name, version, body }: AuditedRelease): string | null {
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
