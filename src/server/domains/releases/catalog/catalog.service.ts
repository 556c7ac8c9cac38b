import { DomainError } from '../../../../shared/errors.ts'
import type { Person } from '../../../../shared/contracts/people.ts'
import { pageSize } from '../../../../shared/contracts/releases.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import { ListPage } from '../../../../shared/list-page.ts'
import type { Database } from '../../../db/database.ts'
import { damaged, readJson } from '../../../db/stored-text.ts'
import type { JsonColumn } from '../../../db/stored-text.ts'
import { createByteCache } from './byte-cache.rules.ts'
import { catalogRepository } from './catalog.repository.ts'
import { createListWalks } from './list-walks.service.ts'
import type { WalkSlots } from './list-walks.service.ts'
import { fieldSeparator, fold, gramQuery } from '../releases.rules.ts'
import { texts } from '../releases.texts.ts'

/** Maximum total size of cached responses. */
const cacheBytes = 32 * 1024 * 1024

const emptyPage = new ListPage(Buffer.from('{"items":[]}'), false)

/** Rows that a page of the catalog skips at most. */
const landmarkDistance = 500

const noApprovedRelease = (what: string): DomainError =>
  new DomainError('NOT_FOUND', texts.catalog.notApproved(what))

/**
 * The reads of section 4.1, as JSON bytes. Before a cached response is used, the generation of the catalog is compared
 * with that of the cache, so that every request sees changes by any process.
 */
export function createCatalogService(database: Database, searchSlots: WalkSlots) {
  const repository = catalogRepository(database.reader)
  const cache = createByteCache(cacheBytes)
  let seenVersion: number | undefined
  let seenGeneration: number | undefined

  const validateCache = (): void => {
    database.assertAvailable()
    const version = repository.dataVersion()
    if (version === seenVersion) return
    const generation = repository.generation()
    if (generation !== seenGeneration) cache.clear()
    seenVersion = version
    seenGeneration = generation
  }

  const cached = <T extends Buffer | ListPage<Buffer>>(key: string, read: () => T | null): T | null => {
    database.assertAvailable()
    // A response that is read now needs no comparison: the next one drops it if the catalog had changed before.
    if (cache.has(key)) validateCache()
    // Only the keys of pages begin with a question mark.
    const hit = cache.get(key) as T | undefined
    if (hit !== undefined) return hit
    const value = read()
    if (value !== null) cache.offer(key, value)
    return value
  }

  /** Throws PACKAGE_CORRUPT unless the bytes are a valid release or manifest. */
  const assertReadable = (column: JsonColumn, what: string, bytes: Buffer | null): Buffer | null => {
    if (bytes !== null && readJson(column, what, bytes) === null) throw damaged('PACKAGE_CORRUPT', what)
    return bytes
  }

  const generation = (): number => {
    validateCache()
    return seenGeneration ?? 0
  }
  const walks = createListWalks(generation, searchSlots)

  /** Offset `n × landmarkDistance` begins below `landmarks[n]`; extended on demand, for one generation. */
  let landmarks: number[] = []
  let landmarksGeneration: number | undefined

  /** A page from its ids and one more, if there is one. */
  const toPage = (
    ids: readonly number[],
    read: (ids: readonly number[]) => Buffer = repository.listApproved,
  ): ListPage<Buffer> => new ListPage(read(ids.slice(0, pageSize)), ids.length > pageSize)

  /** An uncached page. A deep page starts at a landmark, so that it takes no longer than the first. */
  const readApproved = (offset: number): ListPage<Buffer> => {
    const current = generation()
    if (landmarksGeneration !== current) landmarks = [Number.MAX_SAFE_INTEGER]
    landmarksGeneration = current
    const index = Math.floor(offset / landmarkDistance)
    for (let next = landmarks.length; next <= index; next += 1) {
      const [id] = repository.listApprovedIds(landmarks[next - 1] ?? 0, landmarkDistance - 1)
      if (id === undefined) return emptyPage
      landmarks.push(id)
    }
    return toPage(repository.listApprovedIds(landmarks[index] ?? 0, offset % landmarkDistance))
  }

  const listApproved = (offset: number): ListPage<Buffer> =>
    cached(`?${offset}`, () => readApproved(offset)) ?? emptyPage

  const search = (
    q: string,
    offset: number,
    client: string,
  ): ListPage<Buffer> | Promise<ListPage<Buffer>> => {
    const term = fold(q)
    if (term.includes(fieldSeparator)) return emptyPage
    const pageKey = `?${offset} ${term}`
    validateCache()
    const hit = cache.get(pageKey) as ListPage<Buffer> | undefined
    if (hit !== undefined) return hit
    const list = { key: `search ${term}`, step: repository.searchStep(gramQuery(term), term) }
    const read = (ids: readonly number[]): ListPage<Buffer> => cached(pageKey, () => toPage(ids)) ?? emptyPage
    const ids = walks.find(list, client, offset, pageSize + 1)
    return ids instanceof Promise ? ids.then(read) : read(ids)
  }

  return {
    /** Changes whenever the publicly visible data of releases changes. */
    generation,
    /** For other lists of the catalog. */
    walks,

    /** A page of approved releases, newest submission first. */
    listApproved,

    /**
     * Approved releases that match `q` (rulings, "What `q` matches"). Throws TOO_MANY_REQUESTS (see
     * list-walks.service.ts).
     */
    listSkills(
      { q = '', offset }: { q?: string | undefined; offset: number },
      client: string,
    ): ListPage<Buffer> | Promise<ListPage<Buffer>> {
      return q === '' ? listApproved(offset) : search(q, offset, client)
    },

    /** The most recently submitted approved release of a skill, not the highest version (section 9.3). */
    getLatestRelease(name: string): Buffer {
      const body = cached(name, () =>
        assertReadable('release_bodies.body', name, repository.findLatest(name)),
      )
      if (body === null) throw noApprovedRelease(`of ${name}`)
      return body
    },

    getRelease(name: string, version: string): Buffer {
      const body = cached(`${name} ${version}`, () =>
        assertReadable('release_bodies.body', `${name} ${version}`, repository.findRelease(name, version)),
      )
      if (body === null) throw noApprovedRelease(`${name} ${version}`)
      return body
    },

    getManifest(name: string, version: string): Buffer {
      database.assertAvailable()
      const manifest = assertReadable(
        'release_manifests.manifest',
        `${name} ${version}`,
        repository.findManifest(name, version),
      )
      if (manifest === null) throw noApprovedRelease(`${name} ${version}`)
      return manifest
    },

    listOwnReleases(person: Person, offset: number): ListPage<Buffer> {
      database.assertAvailable()
      return toPage(repository.listOwnIds(person.id, offset), repository.listAnyStatus)
    },

    /** All releases, or those in one status (rulings, "What `review` holds"). */
    listReviews(status: ReleaseStatus | undefined, offset: number): ListPage<Buffer> {
      database.assertAvailable()
      return toPage(repository.listReviewIds(status, offset), repository.listAnyStatus)
    },
  }
}

export type CatalogService = ReturnType<typeof createCatalogService>
