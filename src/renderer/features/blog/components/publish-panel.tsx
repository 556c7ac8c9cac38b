import { Button, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Choice } from '../../../components/form/choice.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { confirmKeys, useActions } from '../../../lib/keys/actions.ts'
import { formatStamp } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { NotSavedError, usePublishPost } from '../blog.api.ts'
import { texts } from '../blog.texts.ts'
import { publishProblems } from '../post-content.ts'
import type { PublishProblem } from '../post-content.ts'
import type { PostSaver } from '../post-saver.ts'
import { fromLocalField, proposedTime, timeProblem, toLocalField } from '../publish-time.ts'
import { useSlug } from '../use-slug.ts'
import { Panel } from './panel.tsx'
import classes from './publish-panel.module.css'
import { UnpublishOrDelete } from './unpublish-or-delete.tsx'

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

const { publish: publishTexts } = texts

interface Props {
  post: DeskPost
  content: PostContent
  saver: PostSaver
  onClose: () => void
  onFix: (problem: PublishProblem) => void
}

/** When to publish, what publishing does and what still prevents it; also unpublishing and deleting. */
export function PublishPanel({ post, content, saver, onClose, onFix }: Props) {
  const publish = usePublishPost(post.id, saver)
  const notSaved = publish.error instanceof NotSavedError
  const [when, setWhen] = useState<'now' | 'time'>(post.state === 'scheduled' ? 'time' : 'now')
  const [time, setTime] = useState(() => toLocalField(post.publishAt ?? proposedTime(Date.now())))
  const [attempted, setAttempted] = useState(false)
  const slug = useSlug(post.id, content.slug)
  const now = useNow(1000)
  const isPublic = post.state === 'published'
  const atTime = when === 'time' && !isPublic
  const problems: PublishProblem[] = [
    ...publishProblems(content),
    ...(slug.state === 'taken'
      ? [{ sentence: publishTexts.problems.takenSlug, at: 'details' as const }]
      : []),
  ]
  const wrongTime = atTime ? timeProblem(time, now) : null

  const confirm = async (): Promise<void> => {
    setAttempted(true)
    if (problems.length > 0 || wrongTime !== null || publish.isPending) return
    const done = await publish.mutateAsync(atTime ? fromLocalField(time) : null)
    saver.receive(done)
    onClose()
    const { url } = done
    showToast({
      kind: 'done',
      subject: done.title,
      text:
        done.state === 'scheduled' && done.publishAt !== null
          ? publishTexts.scheduled(formatStamp(done.publishAt, now))
          : publishTexts.done,
      ...(url === null
        ? {}
        : { action: { label: publishTexts.open, run: () => void window.open(url, '_blank', 'noopener') } }),
    })
  }
  const run = (): void => void confirm().catch(() => undefined)
  useActions([{ ...confirmKeys, id: 'confirm-publish', label: publishTexts.action, run }])
  return (
    <Panel title={publishTexts.title} onClose={onClose}>
      {post.url !== null && (
        <p>
          {publishTexts.publicAt}{' '}
          <a href={post.url} target="_blank" rel="noreferrer">
            {post.url} <IconExternalLink size={14} stroke={1.75} aria-hidden />
          </a>
          {post.changed ? publishTexts.edited : '.'}
        </p>
      )}
      {!isPublic && (
        <div>
          <Choice
            label={publishTexts.when}
            value={when}
            onChange={setWhen}
            options={[
              { key: 'now', label: publishTexts.now },
              { key: 'time', label: publishTexts.later },
            ]}
          />
        </div>
      )}
      {atTime && (
        <TextInput
          type="datetime-local"
          label={publishTexts.time}
          description={publishTexts.timeZone(timeZone)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          className={classes['time'] ?? ''}
          value={time}
          error={attempted ? wrongTime : null}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
      )}
      <Problems problems={problems} onFix={onFix} />
      <p data-ink="calm">{effectOf(post, content, atTime ? fromLocalField(time) : null)}</p>
      {notSaved && <p data-ink="warn">{publishTexts.notSaved}</p>}
      {publish.error !== null && !notSaved && <Failure error={publish.error} what={publishTexts.failed} />}
      <div>
        <ActionButton
          variant="filled"
          data-first
          loading={publish.isPending}
          aria-disabled={problems.length > 0}
          aria-describedby="publish-problems"
          keys="mod+Enter"
          onClick={run}
        >
          {atTime
            ? publishTexts.button.schedule
            : isPublic
              ? publishTexts.button.changes
              : publishTexts.button.now}
        </ActionButton>
      </div>
      <UnpublishOrDelete post={post} saver={saver} />
    </Panel>
  )
}

function Problems({
  problems,
  onFix,
}: {
  problems: readonly PublishProblem[]
  onFix: (problem: PublishProblem) => void
}) {
  return (
    <div id="publish-problems" className={classes['list']}>
      {problems.length > 0 && (
        <ul className={classes['problems']} aria-label={publishTexts.problems.label}>
          {problems.map((problem, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${problem.sentence} ${index}`}>
              <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
              <span>{problem.sentence}</span>
              <Button size="xs" onClick={() => onFix(problem)}>
                {publishTexts.problems.fix}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function effectOf(post: DeskPost, content: PostContent, at: string | null): string {
  const { effects } = publishTexts
  const place = effects.at(content.slug)
  if (post.state === 'published') {
    return post.changed || content.slug !== post.slug ? effects.changes(place) : effects.same
  }
  return at === null ? effects.now(place) : effects.scheduled(place, formatStamp(at, Date.now()))
}
