import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { slugSchema } from '../../../shared/contracts/content.ts'
import { projectsPerPage } from '../../../shared/contracts/pages.ts'
import type { Database } from '../../db/database.ts'
import { approvedProjectRepository } from './approved-projects.repository.ts'
import type { ApprovedRow } from './approved-projects.repository.ts'

/** A project as the public sees it. */
export interface ApprovedProject extends ProjectContent {
  id: number
  /** Changes whenever the content changes. */
  revision: number
  featured: boolean
  /** ISO 8601, UTC. */
  approvedAt: string
  updatedAt: string
}

/** Approved projects, featured ones first. */
export function createApprovedProjects(database: Database) {
  const repository = approvedProjectRepository(database.reader)

  return {
    /** A page of `projectsPerPage` projects, and the total number. */
    listApproved(offset: number): { items: ApprovedProject[]; total: number } {
      database.assertAvailable()
      return {
        items: repository.list(projectsPerPage, offset).map(publicProject),
        total: repository.count(),
      }
    },

    /** Null if there is no approved project with this slug or the slug is malformed. */
    findApproved(slug: string): ApprovedProject | null {
      database.assertAvailable()
      if (!slugSchema.safeParse(slug).success) return null
      const row = repository.find(slug)
      return row === null ? null : publicProject(row)
    },

    /** Slug and last change of every approved project, in public order. */
    listAddresses(): { slug: string; updatedAt: string }[] {
      database.assertAvailable()
      return repository.listAddresses()
    },
  }
}

export type ApprovedProjects = ReturnType<typeof createApprovedProjects>

function publicProject({
  id,
  revision,
  content,
  featured,
  approvedAt,
  updatedAt,
}: ApprovedRow): ApprovedProject {
  return { ...content, id, revision, featured: featured === 1, approvedAt, updatedAt }
}
