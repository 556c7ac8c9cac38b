import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { freeSlug, slugOf } from '../../../shared/contracts/content.ts'
import type { Database } from '../../db/database.ts'
import type { ImageUses } from '../uploads/image-uses.service.ts'
import { projectRepository } from './projects.repository.ts'
import { namedImages } from './projects.rules.ts'

/** What a visitor sends: the slug is made from the title. */
export type ProjectSubmission = Omit<ProjectContent, 'slug'>

/** Takes what anybody submits to the showcase; it is pending until an administrator approves it. */
export function createProjectSubmissions(
  database: Database,
  images: Pick<ImageUses, 'recordUses'>,
  clock = (): Date => new Date(),
) {
  const repository = projectRepository(database.writer)

  return {
    /** Gives the id that the desk knows it by. Pictures that are not in the library are left out. */
    submitProject(submission: ProjectSubmission): Promise<{ id: number }> {
      return database.transact(() => {
        const slug = freeSlug(slugOf(submission.title), 'project', (one) => repository.isSlugTaken(one, null))
        const content: ProjectContent = { ...submission, slug }
        const id = repository.insert(content, clock().toISOString())
        images.recordUses('project', id, namedImages(content))
        return { id }
      })
    },
  }
}

export type ProjectSubmissions = ReturnType<typeof createProjectSubmissions>
