import { isDeepStrictEqual } from 'node:util'
import { checkSlug } from '../../../shared/contracts/content.ts'
import type { ProjectContent, SlugCheck } from '../../../shared/contracts/content.ts'
import type { DeskProject, ProjectRow, ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import type { Editor } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { ImageLookup, ImageUses } from '../uploads/image-uses.service.ts'
import { projectRepository } from './projects.repository.ts'
import type { ProjectRecord, ProjectRepository } from './projects.repository.ts'
import { usedImages } from './projects.rules.ts'
import { isBlank } from '../../../shared/text.ts'
import { texts } from './showcase.texts.ts'

interface ProjectParts {
  database: Database
  uses: ImageUses
  images: ImageLookup
  /** The registry's public URL. */
  publicUrl(): string
  clock?(): Date
}

/** Editing, deciding, featuring and ordering showcase projects in the desk. */
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
        if (project.revision !== revision) throw new DomainError('EDITED_ELSEWHERE', texts.editedElsewhere)
        if (project.status === 'approved') assertSlugFree(writing, content.slug, id)
        writing.save(id, content, now())
        uses.recordUses('project', id, usedImages(content))
        return show(writing, id)
      })
    },

    /**
     * Approves or rejects a project; a rejected project is no longer public. Throws VALIDATION_FAILED for a rejection
     * without a reason, INVALID_TRANSITION if it already has this status, and SLUG_TAKEN.
     */
    decideProject(
      editor: Editor,
      id: number,
      { action, reason }: { action: 'approved' | 'rejected'; reason: string },
    ): Promise<DeskProject> {
      return database.transact(() => {
        const project = findProject(writing, id)
        if (project.status === action) {
          throw new DomainError('INVALID_TRANSITION', texts.alreadyDecided(action))
        }
        if (action === 'rejected' && isBlank(reason)) {
          const issues = [{ path: 'reason', message: texts.emptyReason }]
          throw new DomainError('VALIDATION_FAILED', texts.noReason, { issues })
        }
        if (action === 'approved') assertSlugFree(writing, project.content.slug, id)
        const decision = {
          status: action,
          reason: isBlank(reason) ? null : reason,
          at: now(),
          by: editor.id,
        }
        writing.decide({ id, ...decision, position: first(writing, false) })
        return show(writing, id)
      })
    },

    /** Permanently deletes a project. Throws INVALID_TRANSITION unless it is rejected. */
    deleteProject(id: number): Promise<void> {
      return database.transact(() => {
        const { content, status } = findProject(writing, id)
        if (status !== 'rejected') {
          throw new DomainError('INVALID_TRANSITION', texts.notRejected(content.title, status))
        }
        uses.recordUses('project', id, [])
        writing.remove(id)
      })
    },

    /** The project becomes the first in its group. Throws INVALID_TRANSITION unless it is approved. */
    featureProject(id: number, featured: boolean): Promise<void> {
      return database.transact(() => {
        const project = findApproved(writing, id)
        if (isFeatured(project) !== featured) writing.feature(id, featured, first(writing, featured))
      })
    },

    /**
     * Moves a project before another in the public order, or to the end if `before` is null. Throws INVALID_TRANSITION
     * unless both are approved and both or neither are featured.
     */
    orderProjects(id: number, before: number | null): Promise<void> {
      return database.transact(() => {
        if (id === before) return
        const featured = isFeatured(findApproved(writing, id))
        if (before !== null && isFeatured(findApproved(writing, before)) !== featured) {
          throw new DomainError('INVALID_TRANSITION', texts.otherGroup)
        }
        // From last to first, in the order of increasing positions.
        const order = writing.listOrder(featured).filter((one) => one !== id)
        order.splice(before === null ? 0 : order.indexOf(before) + 1, 0, id)
        for (const [index, one] of order.entries()) writing.place({ id: one, position: index + 1 })
      })
    },

    /** `id` is the project that the slug is for; its current slug counts as free. */
    checkSlug(slug: string, id: number | null): SlugCheck {
      database.assertAvailable()
      return checkSlug(slug, (one) => reading.isSlugTaken(one, id))
    },
  }
}

export type ProjectEditing = ReturnType<typeof createProjectEditing>

/** A position before all others. */
function first(repository: ProjectRepository, featured: boolean): number {
  return (repository.greatestPosition(featured) ?? 0) + 1
}

/** Throws NOT_FOUND. */
function findProject(repository: ProjectRepository, id: number): ProjectRecord {
  const project = repository.find(id)
  if (project === null) throw new DomainError('NOT_FOUND', texts.noProject(id))
  return project
}

function findApproved(repository: ProjectRepository, id: number): ProjectRecord {
  const project = findProject(repository, id)
  if (project.status === 'approved') return project
  throw new DomainError('INVALID_TRANSITION', texts.notApproved(project.content.title))
}

function assertSlugFree(repository: ProjectRepository, slug: string, id: number): void {
  if (!repository.isSlugTaken(slug, id)) return
  throw new DomainError('SLUG_TAKEN', texts.slugTaken(slug))
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
    imageCount: pictures.length,
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
    images: parts.images.findImages(usedImages(content)),
    ownImages: repository.countOwnImages(id),
  }
}
