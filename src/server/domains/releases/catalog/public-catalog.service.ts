import { instantSchema } from '../../../../shared/contracts/desk-common.ts'
import { pageSize } from '../../../../shared/contracts/releases.ts'
import type { Deprecation } from '../../../../shared/contracts/release-states.ts'
import type { RegistryVersion } from '../../../../shared/contracts/releases.ts'
import type { SkillManifest } from '../../../../shared/contracts/manifest.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { damaged, readStored, readJson, readNames } from '../../../db/stored-text.ts'
import type { CatalogService } from './catalog.service.ts'
import type { WalkedList } from './list-walks.service.ts'
import { parseDeprecation } from '../maintenance/release-states.repository.ts'
import { publicCatalogRepository } from './public-catalog.repository.ts'
import type { ListedRow } from './public-catalog.repository.ts'
import { fieldSeparator, fold, gramQuery } from '../releases.rules.ts'
import { texts } from '../releases.texts.ts'

/** An approved release for the public pages. */
export interface PublicRelease extends RegistryVersion {
  /** The host functions that the module imports; null if they were not recorded. */
  imports: string[] | null
  approvedAt: string
  deprecation: Deprecation | null
}

export interface PublicPage {
  items: PublicRelease[]
  /** Whether there is a next page. */
  hasMore: boolean
}

export interface ApprovedVersion {
  id: number
  version: string
  approvedAt: string
  reason: string
}

export interface CatalogQuery {
  q?: string | undefined
  category?: SkillManifest['category'] | undefined
  offset: number
}

/** The catalog for the public pages: each skill once, with its latest approved release. */
export function createPublicCatalog(
  database: Database,
  catalog: Pick<CatalogService, 'generation' | 'walks'>,
) {
  const repository = publicCatalogRepository(database.reader)
  let counted: { generation: number; skills: number } | null = null

  const latest: WalkedList = { key: 'latest', step: repository.stepLatest }

  const matching = ({ q = '', category }: CatalogQuery): WalkedList => {
    // In the search text a category is between two separators, which no field can contain.
    const field = category === undefined ? '' : `${fieldSeparator}${fold(category)}${fieldSeparator}`
    const term = fold(q)
    if (term === '' && category === undefined) return latest
    const grams = [term, category === undefined ? '' : fold(category)]
      .filter((text) => text !== '')
      .map(gramQuery)
      .join(' AND ')
    return {
      key: `latest ${category ?? ''} ${term}`,
      step: repository.stepSearch(grams, term, field),
    }
  }

  const listPage = async (list: WalkedList, offset: number, client: string): Promise<PublicPage> => {
    const ids = await catalog.walks.find(list, client, offset, pageSize + 1)
    const items = repository.listByIds(ids.slice(0, pageSize)).flatMap(toRelease)
    return { items, hasMore: ids.length > pageSize }
  }

  return {
    /** Changes whenever the publicly visible data of releases changes. */
    generation: (): number => catalog.generation(),

    /** The number of skills with an approved release. */
    countSkills(): number {
      const generation = catalog.generation()
      if (counted?.generation !== generation) counted = { generation, skills: repository.countNames() }
      return counted.skills
    },

    /** A page of 50, newest submission first; `q` as in the registry's list (rulings, "What `q` matches"). */
    async listSkills(query: CatalogQuery, client: string): Promise<PublicPage> {
      database.assertAvailable()
      if (query.q?.includes(fieldSeparator) === true) return { items: [], hasMore: false }
      return listPage(matching(query), query.offset, client)
    },

    async listNewest(count: number, client: string): Promise<PublicRelease[]> {
      database.assertAvailable()
      return repository.listByIds(await catalog.walks.find(latest, client, 0, count)).flatMap(toRelease)
    },

    /** Throws NOT_FOUND if the person has no approved release. */
    async listOfPublisher(
      ownerId: number,
      offset: number,
      client: string,
    ): Promise<PublicPage & { name: string }> {
      database.assertAvailable()
      const list: WalkedList = {
        key: `publisher ${ownerId}`,
        step: (before, candidates) => repository.stepOfOwner(ownerId, before, candidates),
      }
      const page = await listPage(list, offset, client)
      const [first] = repository.listByIds(await catalog.walks.find(list, client, 0, 1))
      if (first === undefined) {
        throw new DomainError('NOT_FOUND', texts.catalog.noPublisher)
      }
      const readable = [...page.items, ...toRelease(first)][0]
      if (readable === undefined) throw damaged('PACKAGE_CORRUPT', `the skills of publisher ${ownerId}`)
      return { ...page, name: readable.publisher }
    },

    /** Throws NOT_FOUND unless the release is currently approved. */
    getRelease(name: string, version: string): PublicRelease {
      database.assertAvailable()
      const row = repository.find(name, version)
      if (row === null) throw notApproved(`${name} ${version}`)
      const [release] = toRelease(row)
      if (release === undefined) throw damaged('PACKAGE_CORRUPT', `${name} ${version}`)
      return release
    },

    getLatestVersion(name: string): string {
      database.assertAvailable()
      const version = repository.findLatestVersion(name)
      if (version === null) throw notApproved(`of ${name}`)
      return version
    },

    /** The approved releases of a skill, newest submission first. */
    listVersions(name: string): ApprovedVersion[] {
      database.assertAvailable()
      return repository
        .listVersions(name)
        .filter(({ id, decidedAt }) => readTime(id, decidedAt) !== null)
        .map(({ decidedAt, ...version }) => ({ ...version, approvedAt: decidedAt }))
    },
  }
}

export type PublicCatalog = ReturnType<typeof createPublicCatalog>

function notApproved(what: string): DomainError {
  return new DomainError('NOT_FOUND', texts.catalog.noPage(what))
}

const readTime = (id: number, decidedAt: string): string | null =>
  readStored(instantSchema, 'decisions.decided_at', `of release ${id}`, decidedAt)

/** Empty for a damaged release, so that lists still show the others. */
function toRelease({ id, body, imports, decidedAt, deprecation }: ListedRow): PublicRelease[] {
  const release: RegistryVersion | null = readJson('release_bodies.body', id, body)
  const approvedAt = readTime(id, decidedAt)
  if (release === null || approvedAt === null) return []
  return [
    {
      ...release,
      imports: readNames('release_modules.facts', id, imports),
      approvedAt,
      deprecation: parseDeprecation(deprecation),
    },
  ]
}
