import {
  IconAlertTriangle,
  IconCheck,
  IconExternalLink,
  IconPencil,
  IconStar,
  IconStarFilled,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { DeskProject } from '../../../../shared/contracts/desk-projects.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { SheetHead } from '../../../components/list/sheet-pane.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { formatAge, formatWhen } from '../../../lib/time/time.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { startEditing } from '../project-draft.ts'
import { projectSlugQuery, useFeatureProject } from '../showcase.api.ts'
import { publicPath } from '../project-effects.ts'
import { texts } from '../showcase.texts.ts'
import classes from './project-head.module.css'
import { upperFirst } from '../../../lib/format.ts'

const { head } = texts

interface Props {
  project: DeskProject
  list: ReactNode
  onPlaced: () => void
}

/** A project's title, status, author and URL, with the buttons to feature and edit it. */
export function ProjectHead({ project, list, onPlaced }: Props) {
  const now = useNow()
  const { content, status, featured } = project
  const feature = useFeature(project, onPlaced)
  const edit = (): void => startEditing(project)
  useActions([
    { id: 'edit-project', label: head.actions.edit, group: 'Look', keys: ['e'], run: edit },
    ...(status === 'approved' ? [featureAction(featured, feature)] : []),
  ])
  const Star = featured ? IconStarFilled : IconStar
  return (
    <SheetHead
      list={list}
      title={<PlainText text={content.title} />}
      beside={
        <>
          <Status kind={status} chip>
            {describeStatus(project, now)}
          </Status>
          <span className={classes['buttons']} data-actions>
            {status === 'approved' && (
              <ActionButton aria-pressed={featured} icon={Star} keys="f" onClick={feature}>
                {featured ? head.featured : head.feature}
              </ActionButton>
            )}
            <ActionButton icon={IconPencil} keys="e" onClick={edit}>
              {head.edit}
            </ActionButton>
          </span>
        </>
      }
      facts={
        <>
          <li className={classes['fact']}>
            {head.by} <PlainText text={content.author} />
          </li>
          <li className={classes['fact']}>
            <ProjectAddress project={project} />
          </li>
        </>
      }
    />
  )
}

/** The URL of the public page, or the future URL with its availability. */
function ProjectAddress({ project }: { project: DeskProject }) {
  const { id, content, status, url } = project
  const slug = useQuery({ ...projectSlugQuery(content.slug, id), enabled: status !== 'approved' })
  const path = publicPath(project)
  if (status === 'approved' && url !== null) {
    return (
      <a href={url} target="_blank" rel="noopener">
        {path} <IconExternalLink size={14} stroke={1.75} aria-hidden />
      </a>
    )
  }
  return (
    <>
      <code>{path}</code>
      {slug.data !== undefined && (
        <span className={classes['checked']} data-ink={slug.data.free ? 'ok' : 'warn'}>
          {slug.data.free ? (
            <IconCheck size={14} stroke={1.75} aria-hidden />
          ) : (
            <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
          )}
          {slug.data.free ? head.available : head.taken}
        </span>
      )}
    </>
  )
}

function useFeature({ id, content, featured }: DeskProject, onPlaced: () => void): () => void {
  const mutation = useFeatureProject()
  return () => {
    if (mutation.isPending) return
    mutation.mutate(
      { id, featured: !featured },
      {
        onSuccess() {
          onPlaced()
          const text = featured ? head.isNotFeatured : head.isFeatured
          showToast({ kind: 'done', subject: content.title, text })
        },
        onError: (error) =>
          showToast({
            kind: 'error',
            subject: content.title,
            text: head.featureFailed(asApiError(error).message),
          }),
      },
    )
  }
}

function featureAction(featured: boolean, run: () => void): Action {
  const label = featured ? head.actions.unfeature : head.actions.feature
  return { id: 'feature-project', label, group: 'Decide', keys: ['f'], run }
}

function describeStatus({ status, submittedAt, decidedAt, decidedBy }: DeskProject, now: number): string {
  const word = upperFirst(status)
  if (status === 'pending' || decidedAt === null)
    return `${word}, ${formatAge(now - Date.parse(submittedAt))}`
  return head.statusBy(`${word} ${formatWhen(decidedAt, now)}`, decidedBy)
}
