import { Suspense, lazy, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { Region } from '../../../components/feedback/region.tsx'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import type { Image } from '../../../../shared/contracts/images.ts'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { ErrorBoundary } from '../../../components/feedback/error-boundary.tsx'
import { ToastArea } from '../../../components/feedback/toast-area.tsx'
import { confirmKeys, useActions } from '../../../lib/keys/actions.ts'
import { formatFullDate } from '../../../lib/time/time.ts'
import type { LocalDraft } from '../local-drafts.ts'
import type { MarkdownHandle } from '../markdown-editor/editor-handle.ts'
import type { Caret } from '../markdown-editor/markdown-field.tsx'
import { digestOf, imageTarget } from '../image-references.ts'
import { withTitle } from '../post-content.ts'
import type { PublishProblem } from '../post-content.ts'
import { texts } from '../blog.texts.ts'
import { usePostEditor } from '../use-post-editor.ts'
import { useUploads } from '../use-uploads.ts'
import type { PendingImage } from '../use-uploads.ts'
import { useEditorPresence } from '../use-editor-presence.ts'
import { DetailsPanel } from './details-panel.tsx'
import { EditorFoot } from './editor-foot.tsx'
import { EditorHead } from './editor-head.tsx'
import type { PanelName } from './editor-head.tsx'
import { EditorNotices } from './editor-notices.tsx'
import { EditorTools } from './editor-tools.tsx'
import classes from './editor.module.css'
import { HistoryPanel } from './history-panel.tsx'
import { ImageCard } from './image-card.tsx'
import { PostPreview } from './post-preview.tsx'
import { PublishPanel } from './publish-panel.tsx'

const MarkdownField = lazy(async () => ({
  default: (await import('../markdown-editor/markdown-field.tsx')).MarkdownField,
}))

const { editor } = texts

const panels = ['details', 'history', 'publish'] as const

/** The text next to its preview. The details, history and publish panels replace the preview. */
export function Editor({ post, recovered }: { post: DeskPost; recovered: LocalDraft | null }) {
  const { draft, saver, recoveredAt } = usePostEditor(post, recovered)
  const { content } = draft
  const handle = useRef<MarkdownHandle>(null)
  const [caret, setCaret] = useState<Caret>({ line: 1, column: 1 })
  const [uploaded, setUploaded] = useState<ReadonlyMap<string, Image>>(new Map())
  const [insertedTarget, setInsertedTarget] = useState<string | null>(null)
  // Enter in the title may be pressed before the editor has loaded.
  const [focusRequests, setFocusRequests] = useState(0)
  const uploads = useUploads((target, image) => {
    setUploaded((known) => new Map(known).set(image.sha256, image))
    handle.current?.settle(target, imageTarget(image.sha256))
  })
  const others = useEditorPresence(post.id, content.markdown)
  const images = useMemo(
    () => new Map([...post.images.map((image) => [image.sha256, image] as const), ...uploaded]),
    [post.images, uploaded],
  )
  const [panel, setPanel] = usePanel(post.id)
  const isPublic = post.state === 'published'

  const addImages = (files: readonly File[], how: PendingImage['how'], at?: number): void => {
    const targets = uploads.start(files, how, content.markdown)
    setInsertedTarget(targets[0] ?? null)
    handle.current?.insertImages(targets, at)
  }
  const goToProblem = ({ at }: PublishProblem): void => {
    if (at === 'title') document.getElementById('post-title')?.focus()
    else if (at === 'text') handle.current?.focus()
    else if (at === 'details') setPanel('details')
    else handle.current?.goToImage(at)
  }
  useActions([
    {
      id: 'save-post',
      label: editor.actions.save,
      group: 'Decide',
      keys: ['mod+s'],
      inFields: true,
      run: () => void saver.flush(),
    },
    { ...confirmKeys, id: 'publish-post', label: editor.actions.publish, run: () => setPanel('publish') },
    { id: 'post-details', label: editor.actions.details, group: 'Look', run: () => setPanel('details') },
    { id: 'post-history', label: editor.actions.history, group: 'Look', run: () => setPanel('history') },
    {
      id: 'close-panel',
      label: editor.actions.closePanel,
      group: 'Anywhere',
      keys: ['Escape'],
      inFields: true,
      keysOnly: true,
      run: () => setPanel(null),
    },
  ])
  const panelProps = { post, content, saver, onClose: () => setPanel(null) }
  return (
    <Region
      name="sheet"
      className={classes['editor']}
      // The browser would navigate to a file dropped outside the text.
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const files = [...event.dataTransfer.files]
        if (event.defaultPrevented || files.length === 0) return
        event.preventDefault()
        addImages(files, 'dropped')
      }}
    >
      <EditorHead
        post={post}
        draft={draft}
        panel={panel}
        onPanel={setPanel}
        onTitle={(title) => saver.edit((old) => withTitle(old, title, isPublic))}
        onText={() => setFocusRequests((count) => count + 1)}
      />
      <EditorTools
        others={others}
        onFormat={(kind) => handle.current?.format(kind)}
        onFiles={(files) => addImages(files, 'chosen')}
      />
      <EditorNotices post={post} draft={draft} saver={saver} recoveredAt={recoveredAt} />
      <div className={classes['panes']} data-panel={panel ?? undefined}>
        <div className={classes['text']}>
          <ErrorBoundary what={editor.text}>
            <Suspense fallback={<Skeleton rows={8} height={22} what={editor.loading} />}>
              <MarkdownField
                handle={handle}
                focusRequests={focusRequests}
                text={content.markdown}
                replaced={draft.replaced}
                readOnly={draft.state.kind === 'conflict'}
                onText={(markdown) => saver.edit((old) => ({ ...old, markdown }))}
                onCaret={setCaret}
                onFiles={addImages}
                renderCard={({ reference }) => (
                  <ImageCard
                    reference={reference}
                    pending={uploads.pending.get(reference.target)}
                    image={images.get(digestOf(reference.target) ?? '')}
                    fresh={reference.target === insertedTarget}
                    onAlt={(alt) => handle.current?.setAlt(reference, alt)}
                    onCancel={() => {
                      uploads.cancel(reference.target)
                      handle.current?.removeImage(reference)
                    }}
                    onRemove={() => {
                      uploads.cancel(reference.target)
                      handle.current?.removeImage(reference)
                    }}
                    onFile={(file) => uploads.retry(reference.target, file)}
                    onDone={() => handle.current?.goToImage(reference)}
                  />
                )}
              />
            </Suspense>
          </ErrorBoundary>
        </div>
        <div className={classes['preview']}>
          <ErrorBoundary what={editor.preview}>
            <PostPreview
              content={content}
              byline={`${isPublic && post.publishAt !== null ? formatFullDate(post.publishAt) : editor.notPublished}, ${post.updatedBy}`}
              images={images}
              line={caret.line}
            />
          </ErrorBoundary>
        </div>
        {panel !== null && (
          <aside className={classes['panel']} key={panel}>
            <ErrorBoundary what={editor.panel}>
              {panel === 'details' && <DetailsPanel {...panelProps} images={images} />}
              {panel === 'history' && <HistoryPanel {...panelProps} />}
              {panel === 'publish' && <PublishPanel {...panelProps} onFix={goToProblem} />}
            </ErrorBoundary>
          </aside>
        )}
      </div>
      <EditorFoot post={post} content={content} caret={caret} onDetails={() => setPanel('details')} />
      <div className={classes['toasts']}>
        <ToastArea />
      </div>
    </Region>
  )
}

/** The open panel is part of the URL. */
function usePanel(id: number): [PanelName | null, (panel: PanelName | null) => void] {
  const [, navigate] = useLocation()
  const name = new URLSearchParams(useSearch()).get('panel')
  const panel = panels.find((one) => one === name) ?? null
  return [
    panel,
    (next) => {
      // Closing a panel returns the focus to the button that opened it.
      if (next === null) document.querySelector<HTMLElement>(`[data-panel-button="${panel}"]`)?.focus()
      navigate(`/content/blog/${id}${next === null ? '' : `?panel=${next}`}`, { replace: true })
    },
  ]
}
