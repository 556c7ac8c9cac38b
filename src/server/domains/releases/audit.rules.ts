import { publisherName } from '../../../shared/contracts/people.ts'
import { maxPackageBytes, minPackageBytes } from '../../../shared/contracts/releases.ts'
import type { ReviewAction, SkillManifest } from '../../../shared/contracts/releases.ts'
import { parseManifest } from '../../../shared/manifest.ts'
import { releaseBody, searchText } from './releases.rules.ts'
import type { ReleaseFacts } from './releases.rules.ts'

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
  lastReason: string | null
}

/** Every way in which what is stored about a release does not fit together, in words; empty where all is well. */
export function auditRelease(release: AuditedRelease): string[] {
  const problems: string[] = []
  const check = (isRight: boolean, problem: string): void => {
    if (!isRight) problems.push(problem)
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
  check(release.reviewReason === release.lastReason, 'its note is not that of the last decision')
  check(release.lastDecision === release.notedDecision, 'the last decision noted with it is another one')
  return [...problems, ...auditManifest(release)]
}

function auditManifest(release: AuditedRelease): string[] {
  if (release.manifest === null) return ['its manifest is missing']
  const text = new TextDecoder().decode(release.manifest)
  const owner = { id: release.ownerId, name: release.ownerName }
  const problems: string[] = []
  if (release.body === null) {
    problems.push('its stored answer is missing')
  } else if (new TextDecoder().decode(release.body) !== releaseBody(release, text, owner)) {
    problems.push('its stored answer is not what its row and manifest say')
  }
  let manifest: SkillManifest
  try {
    manifest = parseManifest(text)
  } catch (error) {
    return [...problems, error instanceof Error ? error.message : String(error)]
  }
  if (manifest.name !== release.name || manifest.version !== release.version) {
    problems.push(`its manifest is that of ${manifest.name} ${manifest.version}`)
  }
  const wanted = release.status === 'approved' ? searchText(manifest, publisherName(owner)) : null
  if (release.text !== wanted) {
    problems.push(wanted === null ? 'the search still finds it' : 'the search does not find it as it is')
  }
  return problems
}
