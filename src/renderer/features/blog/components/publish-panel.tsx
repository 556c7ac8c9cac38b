import { Button, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import { Choice } from '../../../components/form/choice.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Keycap } from '../../../components/form/keycap.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { formatStamp } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { usePublishPost } from '../blog.api.ts'
import { publishProblems } from '../post-content.ts'
import type { PublishProblem } from '../post-content.ts'
import type { PostSaver } from '../post-saver.ts'
import { fromLocalField, proposedTime, timeProblem, toLocalField } from '../publish-time.ts'
import { useSlug } from '../use-slug.ts'
import { Panel } from './panel.tsx'
import classes from './publish-panel.module.css'
import { TakeBack } from './take-back.tsx'

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

interface Props {
  post: DeskPost
  content: PostContent
  saver: PostSaver
  onClose: () => void
  onMend: (problem: PublishProblem) => void
}

/** What publishing will do, what is still missing, when; and the ways back. */
export function PublishPanel({ post, content, saver, onClose, onMend }: Props) {
  const publish = usePublishPost(post.id)
  const [when, setWhen] = useState<'now' | 'time'>(post.state === 'scheduled' ? 'time' : 'now')
  const [time, setTime] = useState(() => toLocalField(post.publishAt ?? proposedTime(Date.now())))
  const [asked, setAsked] = useState(false)
  const [unsaved, setUnsaved] = useState(false)
  const slug = useSlug(post.id, content.slug)
  const now = useNow(1000)
  const isPublic = post.state === 'published'
  const atTime = when === 'time' && !isPublic
  const problems: PublishProblem[] = [
    ...publishProblems(content),
    ...(slug.state === 'taken'
      ? [{ sentence: 'Another post has this address.', at: 'details' as const }]
      : []),
  ]
  const wrongTime = atTime ? timeProblem(time, now) : null

  const confirm = async (): Promise<void> => {
    setAsked(true)
    if (problems.length > 0 || wrongTime !== null || publish.isPending) return
    const isSaved = await saver.flush()
    setUnsaved(!isSaved)
    if (!isSaved) return
    const at = atTime ? fromLocalField(time) : null
    const done = await publish.mutateAsync({ revision: saver.get().revision, at })
    saver.hear(done)
    onClose()
    const { url } = done
    showToast({
      kind: 'done',
      subject: done.title,
      text:
        done.state === 'scheduled' && done.publishAt !== null
          ? `becomes public ${formatStamp(done.publishAt, Date.now())}.`
          : 'is public.',
      ...(url === null
        ? {}
        : { action: { label: 'Open', run: () => void window.open(url, '_blank', 'noopener') } }),
    })
  }
  const run = (): void => void confirm().catch(() => undefined)
  useActions([
    {
      id: 'confirm-publish',
      label: 'publish as it stands here',
      group: 'Decide',
      keys: ['mod+Enter'],
      inFields: true,
      run,
    },
  ])
  return (
    <Panel title="Publish" onClose={onClose}>
      {post.url !== null && (
        <p>
          Public at{' '}
          <a href={post.url} target="_blank" rel="noreferrer">
            {post.url} <IconExternalLink size={14} stroke={1.75} aria-hidden />
          </a>
          {post.changed ? '. What is written here differs from it.' : '.'}
        </p>
      )}
      {!isPublic && (
        <div>
          <Choice
            label="When"
            value={when}
            onChange={setWhen}
            options={[
              { key: 'now', label: 'Now' },
              { key: 'time', label: 'At a time' },
            ]}
          />
        </div>
      )}
      {atTime && (
        <TextInput
          type="datetime-local"
          label="Becomes public"
          description={`In the time of this computer, ${timeZone}.`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          className={classes['time'] ?? ''}
          value={time}
          error={asked ? wrongTime : null}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
      )}
      <Problems problems={problems} onMend={onMend} />
      <p className={classes['effect']}>{effectOf(post, content, atTime ? fromLocalField(time) : null)}</p>
      {unsaved && <p className={classes['wrong']}>What is written is not saved yet; that comes first.</p>}
      {publish.error !== null && <Failure error={publish.error} what="Nothing was published" />}
      <div>
        <Button
          variant="filled"
          data-first
          loading={publish.isPending}
          aria-disabled={problems.length > 0}
          aria-describedby="publish-problems"
          rightSection={<Keycap keys="mod+Enter" quiet />}
          onClick={run}
        >
          {atTime ? 'Schedule' : isPublic ? 'Publish the changes' : 'Publish now'}
        </Button>
      </div>
      <TakeBack post={post} saver={saver} />
    </Panel>
  )
}

function Problems({
  problems,
  onMend,
}: {
  problems: readonly PublishProblem[]
  onMend: (problem: PublishProblem) => void
}) {
  return (
    <div id="publish-problems" className={classes['list']}>
      {problems.length > 0 && (
        <ul className={classes['problems']} aria-label="What is missing">
          {problems.map((problem, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${problem.sentence} ${index}`}>
              <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
              <span>{problem.sentence}</span>
              <Button size="xs" onClick={() => onMend(problem)}>
                Go there
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function effectOf(post: DeskPost, content: PostContent, at: string | null): string {
  const address = content.slug === '' ? 'at its address' : `at /blog/${content.slug}`
  if (post.state === 'published') {
    return post.changed || content.slug !== post.slug
      ? `The public reads what is written here, ${address}. The day of publication stays.`
      : 'The public reads exactly this already.'
  }
  const when = at === null ? 'at once' : formatStamp(at, Date.now())
  return `Becomes public ${when}, ${address}, in the list of posts, the feed and the sitemap.`
}
