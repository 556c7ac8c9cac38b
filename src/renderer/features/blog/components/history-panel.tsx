import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import type { DeskPost, PostVersion } from '../../../../shared/contracts/desk-posts.ts'
import { Bones } from '../../../components/feedback/bones.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { When } from '../../../components/list/when.tsx'
import { plural } from '../../../lib/format.ts'
import { showToast } from '../../../lib/state/toasts.ts'
import { useRestoreVersion, versionQuery, versionsQuery } from '../blog.api.ts'
import type { PostSaver } from '../post-saver.ts'
import { ContentDiff } from './content-diff.tsx'
import classes from './history-panel.module.css'
import { Panel } from './panel.tsx'

interface Props {
  post: DeskPost
  content: PostContent
  saver: PostSaver
  onClose: () => void
}

const kinds: Record<PostVersion['kind'], string> = {
  autosaved: 'saved while writing',
  published: 'published',
  restored: 'restored',
}

/** What the post was before; one of them can be gone on from. */
export function HistoryPanel({ post, content, saver, onClose }: Props) {
  const versions = useQuery(versionsQuery(post.id))
  const [chosen, setChosen] = useState<number | null>(null)
  const items = versions.data?.items ?? []
  const selected = items.find(({ id }) => id === chosen) ?? null
  return (
    <Panel title="History" onClose={onClose}>
      {versions.error !== null && (
        <Failure
          error={versions.error}
          what="The history cannot be read"
          retry={() => void versions.refetch()}
        />
      )}
      {versions.isPending && versions.error === null && <Bones rows={5} height={44} what="the history" />}
      {versions.data !== undefined && items.length === 0 && (
        <p className={classes['none']}>
          Nothing yet. What you write is kept here once an hour, and each time it is published.
        </p>
      )}
      {items.length > 0 && (
        <ol className={classes['list']} aria-label="Versions, newest first">
          {items.map((version) => (
            <li key={version.id}>
              <button
                type="button"
                className={classes['version']}
                aria-pressed={version.id === chosen}
                data-ring="inside"
                onClick={() => setChosen(version.id === chosen ? null : version.id)}
              >
                <b>
                  <When at={version.savedAt} />
                </b>
                <span>
                  {kinds[version.kind]} by {version.savedBy}
                </span>
                <span className={classes['size']}>
                  {version.public && <b>public</b>} {plural(version.characters, 'character')}
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {selected !== null && (
        <Version key={selected.id} post={post} version={selected} content={content} saver={saver} />
      )}
    </Panel>
  )
}

interface VersionProps {
  post: DeskPost
  version: PostVersion
  content: PostContent
  saver: PostSaver
}

/** How a version differs from what is written now, and the way back to it. */
function Version({ post, version, content, saver }: VersionProps) {
  const { data, error } = useQuery(versionQuery(post.id, version))
  const restore = useRestoreVersion(post.id)
  const [refused, setRefused] = useState(false)
  const before = useMemo(() => data?.content ?? null, [data])
  const goBack = async (): Promise<void> => {
    // What is written now becomes a version too, before another one takes its place.
    const isSaved = await saver.flush()
    setRefused(!isSaved)
    if (!isSaved) return
    const restored = await restore.mutateAsync({ version: version.id, revision: saver.get().revision })
    saver.take(restored)
    showToast({ kind: 'done', text: 'You go on from the earlier version. What was there is in the history.' })
  }
  return (
    <section className={classes['one']} aria-label="The chosen version">
      {error !== null && <Failure error={error} what="The version cannot be read" />}
      {before !== null && (
        <>
          <div className={classes['act']}>
            <Button
              variant="filled"
              loading={restore.isPending}
              onClick={() => void goBack().catch(() => undefined)}
            >
              Restore this version
            </Button>
            <p>What is written now stays in the history. What the public reads stays as it is.</p>
          </div>
          {refused && (
            <p className={classes['refused']}>What is written now is not saved yet; that comes first.</p>
          )}
          {restore.error !== null && <Failure error={restore.error} what="The version was not restored" />}
          <ContentDiff before={before} after={content} label="From this version to what is written now" />
        </>
      )}
    </section>
  )
}
