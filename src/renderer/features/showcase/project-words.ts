import type { DeskProject, ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import { formatCount, plural } from '../../lib/format.ts'
import { maxReason } from './reason-draft.ts'
import type { ProjectAction } from './showcase.api.ts'
import { countCodePoints, isBlank } from '../../../shared/text.ts'

type Words = Pick<DeskProject, 'content' | 'status' | 'featured'>

/** The address of the public page. */
export function publicPath({ content }: Pick<DeskProject, 'content'>): string {
  return `/showcase/${content.slug}`
}

export function verbOf(action: ProjectAction, from: ProjectStatus): string {
  if (action === 'approved') return 'Approve'
  return from === 'approved' ? 'Take down' : 'Reject'
}

/** What a decision would do, before one is begun. */
export function effectAtRest(project: Words): string {
  const path = publicPath(project)
  if (project.status === 'approved') {
    return `Everybody can read it at ${path}${project.featured ? ', before all others' : ''}.`
  }
  if (project.status === 'rejected') return `Nobody can read it. Approving makes it public at ${path}.`
  return `Approving makes it public at ${path} at once. Rejecting keeps it from the public.`
}

/** What a decision does, a sentence each. */
export function effectsOf(action: ProjectAction, project: Words): string[] {
  const { content, status } = project
  const path = publicPath(project)
  if (action === 'approved') {
    const count = content.pictures.length
    const silent = content.pictures.filter(({ alt }) => alt === '').length
    return [
      `Everybody can read it at ${path} at once.`,
      project.featured
        ? 'It stands before those that are not featured.'
        : 'It stands first among those that are not featured.',
      ...(count === 0
        ? []
        : [`Its ${plural(count, 'picture')} ${count === 1 ? 'is' : 'are'} shown without metadata.`]),
      ...(silent === 0
        ? []
        : [
            `Of ${plural(silent, 'picture')} nothing is said for those who do not see ${silent === 1 ? 'it' : 'them'}.`,
          ]),
      nobodyIsTold,
    ]
  }
  return [
    status === 'approved'
      ? `${path} is gone at once. It can be approved again.`
      : 'It does not become public.',
    nobodyIsTold,
  ]
}

const nobodyIsTold = 'Nobody is told: the public form asks for no address.'

/** What deleting it does, in a sentence. */
export function deletionEffect({ ownPictures }: Pick<DeskProject, 'ownPictures'>): string {
  if (ownPictures === 0) return 'The project goes for good.'
  const uses = ownPictures === 1 ? 'picture that nothing else uses' : 'pictures that nothing else uses'
  return `The project and ${formatCount(ownPictures)} ${uses} go for good.`
}

/** What is said once it is done. */
export function doneSentence(action: ProjectAction, from: ProjectStatus): string {
  if (action === 'approved') return 'is approved. Everybody can read it now.'
  return from === 'approved' ? 'is taken down. Nobody can read it any more.' : 'is rejected.'
}

/** Why a decision cannot be sent as it is, or null. */
export function reasonProblem(action: ProjectAction, reason: string): string | null {
  const length = countCodePoints(reason.trim())
  if (action === 'rejected' && isBlank(reason)) return 'Write the reason.'
  return length > maxReason ? `Shorten it to ${formatCount(maxReason)} characters.` : null
}
