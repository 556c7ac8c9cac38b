import { isDeepStrictEqual } from 'node:util'
import { checkSlug } from '../../../shared/contracts/content.ts'
import type { ProjectContent, SlugCheck } from '../../../shared/contracts/content.ts'
import type { DeskProject, ProjectRow, ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import type { Administrator } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { ImageLookup, ImageUses } from '../uploads/image-uses.service.ts'
import { projectRepository } from './projects.repository.ts'
import type { ProjectRecord, ProjectRepository } from './projects.repository.ts'
import { namedImages } from './projects.rules.ts'
import { isBlank } from '../../../shared/text.ts'

export interface ProjectParts {
  database: Database
  uses: ImageUses
  images: ImageLookup
  /** Where clients reach the registry. */
  publicUrl(): string
  clock?(): Date
}

/** Showcase projects in the desk: edit, decide, feature, order. */
export function createProjectEditing(parts: ProjectParts) {
  const { database, uses } = parts
  const reading = projectRepository(database.reader)
  const writing = projectRepository(database.writer)
  const now = (): string => (parts.clock?.() ?? new Date()).toISOString()
  const show = (repository: ProjectRepository, id: number): DeskProject =>
    deskProject(findProject(repository, id), repository, parts)

  return {
    listProjects({
      status,
      q = '',
      offset,
    }: {
      status?: ProjectStatus | undefined
      q?: string | undefined
      offset: number
    }): { items: ProjectRow[]; total: number; counts: Record<ProjectStatus, number>; submitted: number } {
      database.assertAvailable()
      const list = status ?? 'all'
      return {
        items: reading.list(list, q, offset).map(projectRow),
        total: reading.count(list, q),
        counts: reading.countEach(),
        submitted: reading.countSubmitted(),
      }
    },

    getProject(id: number): DeskProject {
      database.assertAvailable()
      return show(reading, id)
    },

    /** Throws EDITED_ELSEWHERE, and SLUG_TAKEN for an approved project. */
    saveProject(
      id: number,
      { revision, content }: { revision: number; content: ProjectContent },
    ): Promise<DeskProject> {
      return database.transact(() => {
        const project = findProject(writing, id)
        if (isDeepStrictEqual(project.content, content)) return show(writing, id)
        if (project.revision !== revision) {
          const message = 'Somebody has saved this project meanwhile. Compare the texts before saving.'
          throw new DomainError('EDITED_ELSEWHERE', message)
        }
        if (project.status === 'approved') assertSlugFree(writing, content.slug, id)
        writing.save(id, content, now())
        uses.recordUses('project', id, namedImages(content))
        return show(writing, id)
      })
    },

    /**
     * Approves what is not approved, or rejects what is not rejected: a rejection also takes an approved project from
     * the public. Throws VALIDATION_FAILED without a reason for a rejection, INVALID_TRANSITION and SLUG_TAKEN.
     */
    decideProject(
      administrator: Administrator,
      id: number,
      { action, reason }: { action: 'approved' | 'rejected'; reason: string },
    ): Promise<DeskProject> {
      return database.transact(() => {
        const project = findProject(writing, id)
        if (project.status === action) {
          throw new DomainError('INVALID_TRANSITION', `This project is ${action} already.`)
        }
        if (action === 'rejected' && isBlank(reason)) {
          const issues = [{ path: 'reason', message: 'must not be empty' }]
          throw new DomainError('VALIDATION_FAILED', 'A rejection needs a reason.', { issues })
        }
        if (action === 'approved') assertSlugFree(writing, project.content.slug, id)
        const decision = {
          status: action,
          reason: isBlank(reason) ? null : reason,
          at: now(),
          by: administrator.id,
        }
        writing.decide(id, { ...decision, position: first(writing, false) })
        return show(writing, id)
      })
    },

    /** For good, with its uses of pictures. Throws INVALID_TRANSITION for one that is not rejected. */
    deleteProject(id: number): Promise<void> {
      return database.transact(() => {
        const { content, status } = findProject(writing, id)
        if (status !== 'rejected') {
          const message = `The project “${content.title}” is ${status}. Only a rejected one can be deleted.`
          throw new DomainError('INVALID_TRANSITION', message)
        }
        uses.recordUses('project', id, [])
        writing.remove(id)
      })
    },

    /** It comes first among those that it joins. Throws INVALID_TRANSITION for one that is not approved. */
    featureProject(id: number, featured: boolean): Promise<void> {
      return database.transact(() => {
        const project = findApproved(writing, id)
        if (isFeatured(project) !== featured) writing.feature(id, featured, first(writing, featured))
      })
    },

    /**
     * Puts one before another in the public order, or last where `before` is null. Throws INVALID_TRANSITION where one
     * is not approved, or only one of them is featured.
     */
    orderProjects(id: number, before: number | null): Promise<void> {
      return database.transact(() => {
        if (id === before) return
        const featured = isFeatured(findApproved(writing, id))
        if (before !== null && isFeatured(findApproved(writing, before)) !== featured) {
          const message = 'Featured projects stand before the others. Feature it, or end that, first.'
          throw new DomainError('INVALID_TRANSITION', message)
        }
        // From the last to the first, as positions grow.
        const order = writing.listOrder(featured).filter((one) => one !== id)
        order.splice(before === null ? 0 : order.indexOf(before) + 1, 0, id)
        for (const [index, one] of order.entries()) writing.place(one, index + 1)
      })
    },

    /** `id` is of the project that asks: its own slug is free for it. */
    checkSlug(slug: string, id: number | null): SlugCheck {
      database.assertAvailable()
      return checkSlug(slug, (one) => reading.isSlugTaken(one, id))
    },
  }
}

export type ProjectEditing = ReturnType<typeof createProjectEditing>

/** The position before all others. */
function first(repository: ProjectRepository, featured: boolean): number {
  return (repository.greatestPosition(featured) ?? 0) + 1
}

/** Throws NOT_FOUND. */
function findProject(repository: ProjectRepository, id: number): ProjectRecord {
  const project = repository.find(id)
  if (project === null) throw new DomainError('NOT_FOUND', `There is no project with the id ${id}.`)
  return project
}

function findApproved(repository: ProjectRepository, id: number): ProjectRecord {
  const project = findProject(repository, id)
  if (project.status === 'approved') return project
  throw new DomainError('INVALID_TRANSITION', `The project “${project.content.title}” is not approved.`)
}

function assertSlugFree(repository: ProjectRepository, slug: string, id: number): void {
  if (!repository.isSlugTaken(slug, id)) return
  throw new DomainError('SLUG_TAKEN', `The slug ${slug} is taken. Change it and save first.`)
}

const isFeatured = ({ featured }: ProjectRecord): boolean => featured === 1

function projectRow(project: ProjectRecord): ProjectRow {
  const { id, content, status, submittedAt, decidedAt, decidedBy } = project
  const { title, slug, author, pictures } = content
  return {
    id,
    title,
    slug,
    author,
    status,
    featured: isFeatured(project),
    submittedAt,
    decidedAt,
    decidedBy,
    pictures: pictures.length,
  }
}

function deskProject(
  project: ProjectRecord,
  repository: ProjectRepository,
  parts: ProjectParts,
): DeskProject {
  const { id, content, reason, revision, status } = project
  return {
    ...projectRow(project),
    content,
    reason,
    revision,
    url: status === 'approved' ? `${parts.publicUrl()}/showcase/${content.slug}` : null,
    images: parts.images.findImages(namedImages(content)),
    ownPictures: repository.countOwnPictures(id),
  }
}
