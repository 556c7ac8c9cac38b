import { IconArticleOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { Region } from '../../components/feedback/region.tsx'
import { Bones } from '../../components/feedback/bones.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { ApiError } from '../../lib/server/api-error.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { postQuery } from './blog.api.ts'
import { Editor } from './components/editor.tsx'
import classes from './editor-page.module.css'
import { takeLeftDraft } from './local-drafts.ts'
import type { LocalDraft } from './local-drafts.ts'

/** One post, written. */
export function EditorPage({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({ ...postQuery(id), enabled: Number.isSafeInteger(id) })
  const left = useLeftDraft(id)
  useTitle(data?.title === '' || data === undefined ? 'Post' : data.title, 'Blog')
  // One that is deleted while it is being written stays on the screen with what is not saved.
  const isMissing = data === undefined && error instanceof ApiError && error.code === 'NOT_FOUND'
  if (!Number.isSafeInteger(id) || isMissing) {
    return (
      <Region name="sheet" className={classes['wait']}>
        <EmptyState icon={IconArticleOff} title="There is no such post" heading>
          <p>It may have been deleted.</p>
          <Link href="/content/blog">All posts</Link>
        </EmptyState>
      </Region>
    )
  }
  if (data === undefined || left === undefined) {
    return (
      <Region name="sheet" className={classes['wait']}>
        {error === null ? (
          <Bones rows={10} height={32} what="the post" />
        ) : (
          <Failure error={error} what="The post cannot be read" retry={() => void refetch()} />
        )}
      </Region>
    )
  }
  return <Editor post={data} left={left} />
}

/** What a desk that has ended left unsaved; undefined until that has been looked for. */
function useLeftDraft(id: number): LocalDraft | null | undefined {
  const [left, setLeft] = useState<LocalDraft | null>()
  useEffect(() => {
    let ended = false
    void takeLeftDraft(id).then(
      (draft) => !ended && setLeft(draft),
      () => !ended && setLeft(null),
    )
    return () => {
      ended = true
    }
  }, [id])
  return left
}
