import { LRUCache } from 'lru-cache'
import { digestPattern, repositoryPattern } from '../../../../shared/contracts/oci.ts'
import { DomainError } from '../../../../shared/errors.ts'
import { artifactOf } from '../../../../shared/oci-artifact.ts'
import type { Artifact, ArtifactPart } from '../../../../shared/oci-artifact.ts'
import type { Database } from '../../../db/database.ts'
import { texts } from '../releases.texts.ts'
import { ociRepository } from './oci.repository.ts'
import type { OciRelease } from './oci.repository.ts'

/** The tag of the most recently submitted approved release. */
const latest = 'latest'

/** Artifacts that are kept, of 2 KB each. */
const maxArtifacts = 4000

/**
 * Approved releases as an OCI registry: a skill is a repository, its versions are tags (rulings, "OCI"). Everything throws
 * NAME_INVALID, DIGEST_INVALID, and NAME_UNKNOWN unless the skill has an approved release.
 */
export function createOciService(database: Database) {
  const { listApproved } = ociRepository(database.reader)
  const artifacts = new LRUCache<number, Artifact>({ max: maxArtifacts })

  /** Computed once, because it never changes. */
  const artifactFor = (release: OciRelease): Artifact => {
    const artifact = artifacts.get(release.id) ?? artifactOf(release)
    artifacts.set(release.id, artifact)
    return artifact
  }

  const listReleases = (name: string, digest: string | null): OciRelease[] => {
    database.assertAvailable()
    if (!repositoryPattern.test(name)) throw new DomainError('NAME_INVALID', texts.oci.invalidName)
    if (digest !== null && !digestPattern.test(digest)) {
      throw new DomainError('DIGEST_INVALID', texts.oci.invalidDigest)
    }
    const releases = listApproved(name)
    if (releases.length === 0) throw new DomainError('NAME_UNKNOWN', texts.oci.noSkill(name))
    return releases
  }

  const findPart = (releases: OciRelease[], part: keyof Artifact, digest: string): ArtifactPart | undefined =>
    releases.map((release) => artifactFor(release)[part]).find((found) => found.digest === digest)

  return {
    /** The first `n` tags after `last`, in lexical order. */
    listTags(name: string, n: number, last: string): { tags: string[]; hasMore: boolean } {
      const versions = listReleases(name, null).map(({ version }) => version)
      const tags = [...versions, latest].filter((tag) => tag > last).toSorted()
      return { tags: tags.slice(0, n), hasMore: n > 0 && tags.length > n }
    },

    /** Throws MANIFEST_UNKNOWN. */
    getManifest(name: string, reference: string): ArtifactPart {
      const isDigest = reference.includes(':')
      const releases = listReleases(name, isDigest ? reference : null)
      const tagged =
        reference === latest ? releases[0] : releases.find(({ version }) => version === reference)
      const found = isDigest
        ? findPart(releases, 'manifest', reference)
        : tagged && artifactFor(tagged).manifest
      if (found === undefined) throw new DomainError('MANIFEST_UNKNOWN', texts.oci.unknown(name, reference))
      return found
    },

    /** A release with this module, or else a config with this digest. Throws BLOB_UNKNOWN. */
    findBlob(name: string, digest: string): { release: OciRelease } | { config: ArtifactPart } {
      const releases = listReleases(name, digest)
      const release = releases.find(({ sha256 }) => `sha256:${sha256}` === digest)
      if (release !== undefined) return { release }
      const config = findPart(releases, 'config', digest)
      if (config === undefined) throw new DomainError('BLOB_UNKNOWN', texts.oci.unknown(name, digest))
      return { config }
    },

    assertReferable(name: string, digest: string): void {
      listReleases(name, digest)
    },
  }
}

export type OciService = ReturnType<typeof createOciService>
