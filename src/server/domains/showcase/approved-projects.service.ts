import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { slugSchema } from '../../../shared/contracts/content.ts'
import type { Database } from '../../db/database.ts'
import { approvedProjectRepository } from './approved-projects.repository.ts'
import type { ApprovedRow } from './approved-projects.repository.ts'

/** Projects on one page of the public list. */
export const projectsPerPage = 24

/** A project as the public sees it. */
export interface ApprovedProject extends ProjectContent {
  id: number
  /** Another one stands for another text. */
  revision: number
  featured: boolean
  /** ISO 8601, UTC. */
  approvedAt: string
  updatedAt: string
}

/** What the public sees of the showcase: approved projects, featured ones first. */
export function createApprovedProjects(database: Database) {
  const repository = approvedProjectRepository(database.reader)

  return {
    /** A page of `projectsPerPage`, and how many there are. */
    listApproved(offset: number): { items: ApprovedProject[]; total: number } {
      database.assertAvailable()
      return {
        items: repository.list(projectsPerPage, offset).map(publicProject),
        total: repository.count(),
      }
    },

    /** Null where no approved project has this slug, or it is none. */
    findApproved(slug: string): ApprovedProject | null {
      database.assertAvailable()
      if (!slugSchema.safeParse(slug).success) return null
      const row = repository.find(slug)
      return row === null ? null : publicProject(row)
    },

    /** Every approved project's slug and last change, in public order. */
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
