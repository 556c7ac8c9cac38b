import { Suspense, lazy, useMemo, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { Region } from '../../../components/feedback/region.tsx'
import type { DeskPost } from '../../../../shared/contracts/desk-posts.ts'
import type { Image } from '../../../../shared/contracts/images.ts'
import { Bones } from '../../../components/feedback/bones.tsx'
import { ErrorBoundary } from '../../../components/feedback/error-boundary.tsx'
import { ToastArea } from '../../../components/feedback/toast-area.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { formatFullDate } from '../../../lib/time/time.ts'
import type { LocalDraft } from '../local-drafts.ts'
import type { MarkdownHandle } from '../markdown-editor/editor-handle.ts'
import type { Caret } from '../markdown-editor/markdown-field.tsx'
import { digestOf, imageTarget } from '../picture-references.ts'
import { withTitle } from '../post-content.ts'
import type { PublishProblem } from '../post-content.ts'
import { usePostEditor } from '../use-post-editor.ts'
import { useUploads } from '../use-uploads.ts'
import type { PendingPicture } from '../use-uploads.ts'
import { useWriting } from '../use-writing.ts'
import { DetailsPanel } from './details-panel.tsx'
import { EditorFoot } from './editor-foot.tsx'
import { EditorHead } from './editor-head.tsx'
import type { PanelName } from './editor-head.tsx'
import { EditorNotices } from './editor-notices.tsx'
import { EditorTools } from './editor-tools.tsx'
import classes from './editor.module.css'
import { HistoryPanel } from './history-panel.tsx'
import { PictureCard } from './picture-card.tsx'
import { PostPreview } from './post-preview.tsx'
import { PublishPanel } from './publish-panel.tsx'

const MarkdownField = lazy(async () => ({
  default: (await import('../markdown-editor/markdown-field.tsx')).MarkdownField,
}))

const panels = ['details', 'history', 'publish'] as const

/** The text beside its preview; details, history and publishing take the preview's place. */
export function Editor({ post, left }: { post: DeskPost; left: LocalDraft | null }) {
  const { draft, saver, recoveredAt } = usePostEditor(post, left)
  const { content } = draft
  const handle = useRef<MarkdownHandle>(null)
  const [caret, setCaret] = useState<Caret>({ line: 1, column: 1 })
  const [come, setCome] = useState<ReadonlyMap<string, Image>>(new Map())
  const [fresh, setFresh] = useState<string | null>(null)
  // Enter in the title may come before the editor is there.
  const [awaited, setAwaited] = useState(false)
  const uploads = useUploads((target, image) => {
    setCome((known) => new Map(known).set(image.sha256, image))
    handle.current?.settle(target, imageTarget(image.sha256))
  })
  const others = useWriting(post.id, content.markdown)
  const images = useMemo(
    () => new Map([...post.images.map((image) => [image.sha256, image] as const), ...come]),
    [post.images, come],
  )
  const [panel, setPanel] = usePanel(post.id)
  const isPublic = post.state === 'published'

  const addPictures = (files: readonly File[], how: PendingPicture['how'], at?: number): void => {
    const targets = uploads.start(files, how, content.markdown)
    setFresh(targets[0] ?? null)
    handle.current?.insertPictures(targets, at)
  }
  const mend = ({ at }: PublishProblem): void => {
    if (at === 'title') document.getElementById('post-title')?.focus()
    else if (at === 'text') handle.current?.focus()
    else if (at === 'details') setPanel('details')
    else handle.current?.goToPicture(at)
  }
  useActions([
    {
      id: 'save-post',
      label: 'save now',
      group: 'Decide',
      keys: ['mod+s'],
      inFields: true,
      run: () => void saver.flush(),
    },
    {
      id: 'publish-post',
      label: 'publish…',
      group: 'Decide',
      keys: ['mod+Enter'],
      inFields: true,
      run: () => setPanel('publish'),
    },
    { id: 'post-details', label: 'details of the post', group: 'Look', run: () => setPanel('details') },
    { id: 'post-history', label: 'history of the post', group: 'Look', run: () => setPanel('history') },
    {
      id: 'close-panel',
      label: 'back to the preview',
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
      // A file that misses the text would take the page's place.
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const files = [...event.dataTransfer.files]
        if (event.defaultPrevented || files.length === 0) return
        event.preventDefault()
        addPictures(files, 'dropped')
      }}
    >
      <EditorHead
        post={post}
        draft={draft}
        panel={panel}
        onPanel={setPanel}
        onTitle={(title) => saver.edit((old) => withTitle(old, title, isPublic))}
        onText={() => {
          setAwaited(true)
          handle.current?.focus()
        }}
      />
      <EditorTools
        others={others}
        onFormat={(kind) => handle.current?.format(kind)}
        onFiles={(files) => addPictures(files, 'chosen')}
      />
      <EditorNotices post={post} draft={draft} saver={saver} recoveredAt={recoveredAt} />
      <div className={classes['panes']} data-panel={panel ?? undefined}>
        <div className={classes['text']}>
          <ErrorBoundary what="The text">
            <Suspense fallback={<Bones rows={8} height={22} what="the editor" />}>
              <MarkdownField
                handle={handle}
                takeFocus={awaited}
                text={content.markdown}
                replaced={draft.replaced}
                readOnly={draft.state.kind === 'conflict'}
                onText={(markdown) => saver.edit((old) => ({ ...old, markdown }))}
                onCaret={setCaret}
                onFiles={addPictures}
                renderCard={({ reference }) => (
                  <PictureCard
                    reference={reference}
                    pending={uploads.pending.get(reference.target)}
                    image={images.get(digestOf(reference.target) ?? '')}
                    fresh={reference.target === fresh}
                    onAlt={(alt) => handle.current?.setAlt(reference, alt)}
                    onCancel={() => {
                      uploads.cancel(reference.target)
                      handle.current?.removePicture(reference)
                    }}
                    onRemove={() => {
                      uploads.cancel(reference.target)
                      handle.current?.removePicture(reference)
                    }}
                    onFile={(file) => uploads.again(reference.target, file)}
                    onDone={() => handle.current?.goToPicture(reference)}
                  />
                )}
              />
            </Suspense>
          </ErrorBoundary>
        </div>
        <div className={classes['preview']}>
          <ErrorBoundary what="The preview">
            <PostPreview
              content={content}
              byline={`${isPublic && post.publishAt !== null ? formatFullDate(post.publishAt) : 'not published yet'}, ${post.updatedBy}`}
              images={images}
              line={caret.line}
            />
          </ErrorBoundary>
        </div>
        {panel !== null && (
          <aside className={classes['panel']} key={panel}>
            <ErrorBoundary what="This panel">
              {panel === 'details' && <DetailsPanel {...panelProps} images={images} />}
              {panel === 'history' && <HistoryPanel {...panelProps} />}
              {panel === 'publish' && <PublishPanel {...panelProps} onMend={mend} />}
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

/** Which panel is open stands in the address. */
function usePanel(id: number): [PanelName | null, (panel: PanelName | null) => void] {
  const [, navigate] = useLocation()
  const asked = new URLSearchParams(useSearch()).get('panel')
  const panel = panels.find((name) => name === asked) ?? null
  return [
    panel,
    (next) => {
      // What closes gives the focus back to what opened it.
      if (next === null) document.querySelector<HTMLElement>(`[data-panel-button="${panel}"]`)?.focus()
      navigate(`/content/blog/${id}${next === null ? '' : `?panel=${next}`}`, { replace: true })
    },
  ]
}
