import { digestPattern, repositoryPattern } from '../../../../shared/contracts/oci.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { ErrorCode } from '../../../../shared/errors.ts'
import { artifactOf } from '../../../../shared/oci-artifact.ts'
import type { ArtifactPart } from '../../../../shared/oci-artifact.ts'
import type { Database } from '../../../db/database.ts'
import { texts } from '../releases.texts.ts'
import { ociRepository } from './oci.repository.ts'
import type { OciRelease } from './oci.repository.ts'

/** The tag of the most recently submitted approved release. */
const latest = 'latest'

/** Approved releases as an OCI registry: a skill is a repository, its versions are tags (rulings, "OCI"). */
export function createOciService(database: Database) {
  const repository = ociRepository(database.reader)

  /** Throws NAME_UNKNOWN unless the skill has an approved release. */
  const assertRepository = (name: string): void => {
    if (repository.findLatest(name) === null) throw new DomainError('NAME_UNKNOWN', texts.oci.noSkill(name))
  }

  const assertName = (name: string): void => {
    database.assertAvailable()
    if (!repositoryPattern.test(name)) throw new DomainError('NAME_INVALID', texts.oci.invalidName)
  }

  const assertDigest = (digest: string): void => {
    if (!digestPattern.test(digest)) throw new DomainError('DIGEST_INVALID', texts.oci.invalidDigest)
  }

  const unknown = (code: ErrorCode, name: string, reference: string): DomainError => {
    assertRepository(name)
    return new DomainError(code, texts.oci.unknown(name, reference))
  }

  /** A manifest or config by its digest. Only digests are stored; the bytes are made of the release each time. */
  const findPart = (part: 'manifest' | 'config', name: string, digest: string): ArtifactPart | null => {
    const release = repository.findByDigest(name, digest)
    const found = release === null ? null : artifactOf(release)[part]
    return found?.digest === digest ? found : null
  }

  const findTagged = (name: string, tag: string): ArtifactPart | null => {
    const release = tag === latest ? repository.findLatest(name) : repository.findByVersion(name, tag)
    return release === null ? null : artifactOf(release).manifest
  }

  return {
    /** The first `n` tags after `last`, in lexical order. Throws NAME_INVALID and NAME_UNKNOWN. */
    listTags(name: string, n: number, last: string): { tags: string[]; hasMore: boolean } {
      assertName(name)
      assertRepository(name)
      const tags = repository.listVersions(name, last, n + 1)
      // Versions begin with a digit, so it comes after all of them.
      if (last < latest) tags.push(latest)
      return { tags: tags.slice(0, n), hasMore: n > 0 && tags.length > n }
    },

    /** Throws NAME_INVALID, NAME_UNKNOWN, DIGEST_INVALID and MANIFEST_UNKNOWN. */
    getManifest(name: string, reference: string): ArtifactPart {
      assertName(name)
      const isDigest = reference.includes(':')
      if (isDigest) assertDigest(reference)
      const found = isDigest ? findPart('manifest', name, reference) : findTagged(name, reference)
      if (found === null) throw unknown('MANIFEST_UNKNOWN', name, reference)
      return found
    },

    /**
     * A release with this module, or else a config with this digest. Throws NAME_INVALID, NAME_UNKNOWN, DIGEST_INVALID and
     * BLOB_UNKNOWN.
     */
    findBlob(name: string, digest: string): { release: OciRelease } | { config: ArtifactPart } {
      assertName(name)
      assertDigest(digest)
      const release = repository.findByModule(name, digest.replace('sha256:', ''))
      if (release !== null) return { release }
      const config = findPart('config', name, digest)
      if (config === null) throw unknown('BLOB_UNKNOWN', name, digest)
      return { config }
    },

    /** Throws NAME_INVALID, NAME_UNKNOWN and DIGEST_INVALID. */
    assertReferable(name: string, digest: string): void {
      assertName(name)
      assertDigest(digest)
      assertRepository(name)
    },
  }
}

export type OciService = ReturnType<typeof createOciService>
