import { Button } from '@mantine/core'
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
import { Keycap } from '../../../components/form/keycap.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { Status } from '../../../components/feedback/status.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import type { Action } from '../../../lib/keys/actions.ts'
import { asApiError } from '../../../lib/server/api-error.ts'
import { formatAge, formatWhen } from '../../../lib/time/time.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { beginDraft } from '../project-draft.ts'
import { projectSlugQuery, useFeatureProject } from '../showcase.api.ts'
import classes from './project-head.module.css'

interface Props {
  project: DeskProject
  list: ReactNode
  onPlaced: () => void
}

/** Title, state, author and address; what can be done with it beside deciding. */
export function ProjectHead({ project, list, onPlaced }: Props) {
  const now = useNow()
  const { content, status, featured } = project
  const feature = useFeature(project, onPlaced)
  const edit = (): void => beginDraft(project)
  useActions([
    { id: 'edit-project', label: 'edit this project', group: 'Look', keys: ['e'], run: edit },
    ...(status === 'approved' ? [featureAction(featured, feature)] : []),
  ])
  const Star = featured ? IconStarFilled : IconStar
  return (
    <header className={classes['head']}>
      {list}
      <div className={classes['top']}>
        <h1>
          <PlainText text={content.title} />
        </h1>
        <Status kind={status} chip>
          {statusWords(project, now)}
        </Status>
        <span className={classes['buttons']}>
          {status === 'approved' && (
            <Button
              aria-pressed={featured}
              leftSection={<Star size={16} stroke={1.75} />}
              rightSection={<Keycap keys="f" quiet />}
              onClick={feature}
            >
              {featured ? 'Featured' : 'Feature'}
            </Button>
          )}
          <Button
            leftSection={<IconPencil size={16} stroke={1.75} />}
            rightSection={<Keycap keys="e" quiet />}
            onClick={edit}
          >
            Edit
          </Button>
        </span>
      </div>
      <ul className={classes['facts']}>
        <li>
          by <PlainText text={content.author} />
        </li>
        <li>
          <ProjectAddress project={project} />
        </li>
      </ul>
    </header>
  )
}

/** Where the public reads it, or would. */
function ProjectAddress({ project }: { project: DeskProject }) {
  const { id, content, status, url } = project
  const slug = useQuery({ ...projectSlugQuery(content.slug, id), enabled: status !== 'approved' })
  const path = `/showcase/${content.slug}`
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
        <span className={classes['checked']} data-free={slug.data.free || undefined}>
          {slug.data.free ? (
            <IconCheck size={14} stroke={1.75} aria-hidden />
          ) : (
            <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
          )}
          {slug.data.free ? 'free' : 'taken'}
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
          const text = featured ? 'stands among the others now.' : 'stands before all others now.'
          showToast({ kind: 'done', subject: content.title, text })
        },
        onError: (error) =>
          showToast({
            kind: 'error',
            subject: content.title,
            text: `was not changed. ${asApiError(error).message}`,
          }),
      },
    )
  }
}

function featureAction(featured: boolean, run: () => void): Action {
  const label = featured ? 'feature this project no longer' : 'feature this project'
  return { id: 'feature-project', label, group: 'Decide', keys: ['f'], run }
}

function statusWords({ status, submittedAt, decidedAt, decidedBy }: DeskProject, now: number): string {
  const word = `${status.slice(0, 1).toUpperCase()}${status.slice(1)}`
  if (status === 'pending' || decidedAt === null)
    return `${word}, ${formatAge(now - Date.parse(submittedAt))}`
  return `${word} ${formatWhen(decidedAt, now)}${decidedBy === null ? '' : ` by ${decidedBy}`}`
}
