import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { freeSlug, slugOf } from '../../../shared/contracts/content.ts'
import type { Database } from '../../db/database.ts'
import type { ImageUses } from '../uploads/image-uses.service.ts'
import { projectRepository } from './projects.repository.ts'
import { usedImages } from './projects.rules.ts'

/** A submission from the public form. The slug is derived from the title. */
export type ProjectSubmission = Omit<ProjectContent, 'slug'>

/** Anonymous submissions to the showcase. They are pending until an editor approves them. */
export function createProjectSubmissions(
  database: Database,
  images: Pick<ImageUses, 'recordUses'>,
  clock = (): Date => new Date(),
) {
  const repository = projectRepository(database.writer)

  return {
    /** Returns the id of the project. Images that are not in the media library are not recorded as used. */
    submitProject(submission: ProjectSubmission): Promise<{ id: number }> {
      return database.transact(() => {
        const slug = freeSlug(slugOf(submission.title), 'project', (one) => repository.isSlugTaken(one, null))
        const content: ProjectContent = { ...submission, slug }
        const id = repository.insert(content, clock().toISOString())
        images.recordUses('project', id, usedImages(content))
        return { id }
      })
    },
  }
}

export type ProjectSubmissions = ReturnType<typeof createProjectSubmissions>
