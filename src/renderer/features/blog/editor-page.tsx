import { IconArticleOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { Region } from '../../components/feedback/region.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { ApiError } from '../../lib/server/api-error.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { postQuery } from './blog.api.ts'
import { texts } from './blog.texts.ts'
import { Editor } from './components/editor.tsx'
import classes from './editor-page.module.css'
import type { LocalDraft } from './local-drafts.ts'
import { takeDraft } from './use-post-editor.ts'

const { page } = texts

/** The editor of one post. */
export function EditorPage({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({ ...postQuery(id), enabled: Number.isSafeInteger(id) })
  const recovered = useRecoveredDraft(id)
  useTitle(data?.title === '' || data === undefined ? page.title : data.title, texts.list.title)
  // A post that is deleted while it is being edited stays on the screen with its unsaved changes.
  const isMissing = data === undefined && error instanceof ApiError && error.code === 'NOT_FOUND'
  if (!Number.isSafeInteger(id) || isMissing) {
    return (
      <Region name="sheet" className={classes['wait']}>
        <EmptyState icon={IconArticleOff} title={page.notFound.title} heading>
          <p>{page.notFound.text}</p>
          <Link href="/content/blog">{page.notFound.all}</Link>
        </EmptyState>
      </Region>
    )
  }
  if (data === undefined || recovered === undefined) {
    return (
      <Region name="sheet" className={classes['wait']}>
        {error === null ? (
          <Skeleton rows={10} height={32} what={page.loading} />
        ) : (
          <Failure error={error} what={page.loadFailed} retry={() => void refetch()} />
        )}
      </Region>
    )
  }
  return <Editor post={data} recovered={recovered} />
}

/** Unsaved changes of a desk that was closed; undefined while they are being looked up. */
function useRecoveredDraft(id: number): LocalDraft | null | undefined {
  const [recovered, setRecovered] = useState<LocalDraft | null>()
  useEffect(() => {
    let ended = false
    void takeDraft(id).then(
      (draft) => !ended && setRecovered(draft),
      () => !ended && setRecovered(null),
    )
    return () => {
      ended = true
    }
  }, [id])
  return recovered
}
