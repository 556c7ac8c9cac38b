import { pageSize } from '../../../shared/contracts/releases.ts'
import type { RegistryVersion, SkillManifest } from '../../../shared/contracts/releases.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { CatalogService } from './catalog.service.ts'
import { createPublicCatalogRepository } from './public-catalog.repository.ts'
import type { ListedRow } from './public-catalog.repository.ts'
import { fieldSeparator, fold, gramQuery } from './releases.rules.ts'

/** An approved release as people read of it. */
export interface PublicRelease extends RegistryVersion {
  /** Functions of the host that the module imports; null where they were not kept. */
  imports: string[] | null
  approvedAt: string
}

export interface PublicPage {
  items: PublicRelease[]
  /** Whether there are more behind these. */
  hasMore: boolean
}

export interface ApprovedVersion {
  id: number
  version: string
  approvedAt: string
  notes: string
}

export interface CatalogQuery {
  q?: string | undefined
  category?: SkillManifest['category'] | undefined
  offset: number
}

/** Versions of a name that its page tells of. */
const listedVersions = 50

/** What people read of the catalog: each skill once, in its latest approved release. */
export function createPublicCatalog(database: Database, catalog: Pick<CatalogService, 'generation'>) {
  const repository = createPublicCatalogRepository(database.reader)
  let counted: { generation: number; skills: number } | null = null

  const listMatching = ({ q = '', category, offset }: CatalogQuery): ListedRow[] => {
    // A category stands between two separators, which no field can hold.
    const field = category === undefined ? '' : `${fieldSeparator}${fold(category)}${fieldSeparator}`
    const term = fold(q)
    if (term.includes(fieldSeparator)) return []
    const limit = pageSize + 1
    if (term === '' && category === undefined) return repository.listLatest(limit, offset)
    const grams = [term, category === undefined ? '' : fold(category)].filter((text) => text !== '')
    return repository.search(grams.map(gramQuery).join(' AND '), term, field, limit, offset)
  }

  return {
    /** Changes with everything that the public can see of releases. */
    generation: (): number => catalog.generation(),

    /** Skills of which a release is approved. */
    countSkills(): number {
      const generation = catalog.generation()
      if (counted?.generation !== generation) counted = { generation, skills: repository.countNames() }
      return counted.skills
    },

    /** A page of 50, newest submission first; `q` as ruled for the registry's own list. */
    listSkills(query: CatalogQuery): PublicPage {
      database.assertAvailable()
      return pageOf(listMatching(query), pageSize)
    },

    listNewest(count: number): PublicRelease[] {
      database.assertAvailable()
      return repository.listLatest(count, 0).map(toRelease)
    },

    /** Throws NOT_FOUND for somebody of whom nothing is approved. */
    listOfPublisher(ownerId: number, offset: number): PublicPage & { name: string } {
      database.assertAvailable()
      const first = repository.listOfOwner(ownerId, 1, 0).at(0)
      if (first === undefined) {
        throw new DomainError('NOT_FOUND', 'There is no publisher here with an approved skill.')
      }
      const page = pageOf(repository.listOfOwner(ownerId, pageSize + 1, offset), pageSize)
      return { ...page, name: toRelease(first).publisher }
    },

    /** Throws NOT_FOUND unless it is approved at this moment. */
    getRelease(name: string, version: string): PublicRelease {
      database.assertAvailable()
      const row = repository.find(name, version)
      if (row === null) throw notApproved(`${name} ${version}`)
      return toRelease(row)
    },

    getLatestVersion(name: string): string {
      database.assertAvailable()
      const version = repository.findLatestVersion(name)
      if (version === null) throw notApproved(`of ${name}`)
      return version
    },

    /** Approved releases of a name, newest submission first. */
    listVersions(name: string): ApprovedVersion[] {
      database.assertAvailable()
      return repository
        .listVersions(name, listedVersions)
        .map(({ decidedAt, ...version }) => ({ ...version, approvedAt: decidedAt }))
    },
  }
}

export type PublicCatalog = ReturnType<typeof createPublicCatalog>

function notApproved(what: string): DomainError {
  return new DomainError('NOT_FOUND', `There is no approved release ${what}. Look for it in the catalog.`)
}

function pageOf(rows: readonly ListedRow[], size: number): PublicPage {
  return { items: rows.slice(0, size).map(toRelease), hasMore: rows.length > size }
}

function toRelease({ body, imports, decidedAt }: ListedRow): PublicRelease {
  const release = JSON.parse(body.toString()) as RegistryVersion
  return {
    ...release,
    imports: imports === null ? null : (JSON.parse(imports) as string[]),
    approvedAt: decidedAt,
  }
}
