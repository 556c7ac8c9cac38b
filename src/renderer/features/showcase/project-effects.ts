import { maxProjectReason } from '../../../shared/contracts/desk-projects.ts'
import type { DeskProject, ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import type { ProjectAction } from './showcase.api.ts'
import { countCodePoints, isBlank } from '../../../shared/text.ts'
import { texts } from './showcase.texts.ts'

const { decision, effects } = texts

type Described = Pick<DeskProject, 'content' | 'status' | 'featured'>

/** The path of the public page. */
export function publicPath({ content }: Pick<DeskProject, 'content'>): string {
  return `/showcase/${content.slug}`
}

export function verbOf(action: ProjectAction, from: ProjectStatus): string {
  if (action === 'approved') return decision.verbs.approve
  return from === 'approved' ? decision.verbs.takeDown : decision.verbs.reject
}

/** What the project's status means and what a decision would do. */
export function statusEffect(project: Described): string {
  const path = publicPath(project)
  if (project.status === 'approved') {
    return project.featured ? effects.approvedFeatured(path) : effects.approved(path)
  }
  return effects[project.status](path)
}

/** The effects of a decision, one sentence each. */
export function effectsOf(action: ProjectAction, project: Described): string[] {
  const { content, status } = project
  const path = publicPath(project)
  if (action === 'approved') {
    const count = content.pictures.length
    const withoutAlt = content.pictures.filter(({ alt }) => alt === '').length
    return [
      effects.publishes(path),
      project.featured ? effects.placeFeatured : effects.place,
      ...(count === 0 ? [] : [effects.images(count)]),
      ...(withoutAlt === 0 ? [] : [effects.noAlt(withoutAlt)]),
      effects.noNotification,
    ]
  }
  return [status === 'approved' ? effects.takesDown(path) : effects.staysPrivate, effects.noNotification]
}

/** The effect of deleting a project. */
export function deletionEffect({ ownImages }: Pick<DeskProject, 'ownImages'>): string {
  return ownImages === 0 ? texts.deletion.project : texts.deletion.projectWithImages(ownImages)
}

/** The toast after a decision. */
export function doneText(action: ProjectAction, from: ProjectStatus): string {
  if (action === 'approved') return decision.done.approved
  return from === 'approved' ? decision.done.takenDown : decision.done.rejected
}

/** Why a decision cannot be sent with this reason; null if it can. */
export function reasonProblem(action: ProjectAction, reason: string): string | null {
  const length = countCodePoints(reason.trim())
  if (action === 'rejected' && isBlank(reason)) return decision.reasonMissing
  return length > maxProjectReason ? decision.reasonTooLong(maxProjectReason) : null
}
