import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { PostContent } from '../../../../shared/contracts/content.ts'
import type { DeskPost, PostVersion } from '../../../../shared/contracts/desk-posts.ts'
import { Loading } from '../../../components/feedback/loading.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { When } from '../../../components/list/when.tsx'
import { showToast } from '../../../lib/state/toasts.ts'
import { NotSavedError, useRestoreVersion, versionQuery, versionsQuery } from '../blog.api.ts'
import type { PostSaver } from '../post-saver.ts'
import { ContentDiff } from './content-diff.tsx'
import { texts } from '../blog.texts.ts'
import classes from './history-panel.module.css'
import { Panel } from './panel.tsx'

interface Props {
  post: DeskPost
  content: PostContent
  saver: PostSaver
  onClose: () => void
}

const { history } = texts

/** Earlier versions of the post, each of which can be compared and restored. */
export function HistoryPanel({ post, content, saver, onClose }: Props) {
  const versions = useQuery(versionsQuery(post.id))
  const [chosen, setChosen] = useState<number | null>(null)
  const items = versions.data?.items ?? []
  const selected = items.find(({ id }) => id === chosen) ?? null
  return (
    <Panel title={history.title} onClose={onClose}>
      <Loading query={versions} rows={5} height={44} what={history.loading} failed={history.loadFailed} />
      {versions.data !== undefined && items.length === 0 && <p data-ink="calm">{history.empty}</p>}
      {items.length > 0 && (
        <ol className={classes['list']} aria-label={history.list}>
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
                <span>{history.by(history.kinds[version.kind], version.savedBy)}</span>
                <span className={classes['size']}>
                  {version.public && <b>{history.live}</b>} {history.size(version.characters)}
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

/** How a version differs from the current text, and the button that restores it. */
function Version({ post, version, content, saver }: VersionProps) {
  const { data, error } = useQuery(versionQuery(post.id, version))
  // Saves the current text first, so that it becomes a version too.
  const restore = useRestoreVersion(post.id, saver)
  const notSaved = restore.error instanceof NotSavedError
  const before = useMemo(() => data?.content ?? null, [data])
  const restoreVersion = async (): Promise<void> => {
    if (restore.isPending) return
    const restored = await restore.mutateAsync(version.id)
    // A text that was changed in the meantime is not replaced; saving it then reports a conflict.
    saver.receive(restored)
    showToast({ kind: 'done', text: history.restored })
  }
  return (
    <section className={classes['one']} aria-label={history.selected}>
      {error !== null && <Failure error={error} what={history.versionFailed} />}
      {before !== null && (
        <>
          <div className={classes['act']}>
            <Button
              variant="filled"
              loading={restore.isPending}
              onClick={() => void restoreVersion().catch(() => undefined)}
            >
              {history.restore}
            </Button>
            <p data-text="hint">{history.restoreHint}</p>
          </div>
          {notSaved && <p data-ink="warn">{history.notSaved}</p>}
          {restore.error !== null && !notSaved && (
            <Failure error={restore.error} what={history.restoreFailed} />
          )}
          <ContentDiff before={before} after={content} label={history.diff} />
        </>
      )}
    </section>
  )
}
