import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ErrorBoundary } from '../../components/feedback/error-boundary.tsx'
import { Region } from '../../components/feedback/region.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { NewsLine } from '../../components/list/news-line.tsx'
import { FieldSegments } from '../../components/list/field-segments.tsx'
import { AddImagesButton, UploadList } from '../../components/form/upload-list.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useViewFilter } from '../../lib/list/view-filter.ts'
import { useActions } from '../../lib/keys/actions.ts'
import { showToast } from '../../lib/state/toasts.ts'
import { useFileDrop } from '../../lib/upload/use-file-drop.ts'
import { useUploadList } from '../../lib/upload/use-upload-list.ts'
import { MediaDock } from './components/media-dock.tsx'
import { MediaEmpty } from './components/media-empty.tsx'
import { MediaTable } from './components/media-table.tsx'
import { ImageDetails } from './components/image-details.tsx'
import { mediaFilter } from './media-filter.ts'
import { texts } from './media.texts.ts'
import classes from './media-page.module.css'
import { unusedQuery } from './media.api.ts'
import type { Deletable } from './use-deletion.ts'
import { useImages } from './use-images.ts'

const { page } = texts

/** The media library: every image, where it is used, and which ones can be deleted. */
export function MediaPage() {
  const state = useViewFilter(mediaFilter)
  const { filter, show } = state
  const images = useImages(filter.use)
  const unused = useQuery(unusedQuery)
  const [marked, setMarked] = useState<readonly Deletable[]>([])
  const [deleting, setDeleting] = useState(false)
  const uploads = useUploadList((image) => {
    images.follow()
    showToast({
      kind: 'done',
      text: page.uploaded(image.renditions.length),
    })
  })
  const root = useRef<HTMLDivElement>(null)
  const { isOver, ...drop } = useFileDrop(uploads.add)
  usePastedFiles(uploads.add)
  const open = (image: string | null): void => show({ image })
  const toggle = ({ sha256, size }: Deletable): void =>
    setMarked((now) =>
      now.some((one) => one.sha256 === sha256)
        ? now.filter((one) => one.sha256 !== sha256)
        : [...now, { sha256, size }],
    )
  useMediaActions()
  const shown = images.find(filter.image)
  const isEmpty = !images.isPending && images.total === 0 && images.error === null

  return (
    <div ref={root} className={classes['page']} data-over={isOver || undefined} {...drop}>
      <Region name="sheet" as="section" className={classes['sheet']} aria-label={page.title}>
        <PageHead title={page.title}>
          <FieldSegments
            label={page.views.label}
            state={state}
            field="use"
            options={[
              ['all', page.views.all],
              ['used', page.views.used],
              ['unused', page.views.unused, unused.data?.total],
            ]}
            along={{ image: null }}
          />
          <span className={classes['count']} data-text="note">
            {!images.isPending && page.total(images.total, images.bytes)}
          </span>
          <AddImagesButton label={page.upload} filled keys="u" onFiles={uploads.add} />
        </PageHead>
        {uploads.list.length > 0 && (
          <div className={classes['uploads']}>
            <UploadList uploads={uploads} />
          </div>
        )}
        <NewsLine
          place="bar"
          text={images.news === 0 ? null : page.newImages(images.news)}
          onShow={images.showNews}
        />
        <Loading query={images} rows={9} height={48} what={page.loading} failed={page.loadFailed} />
        {isEmpty && <MediaEmpty use={filter.use} />}
        {images.total > 0 && (
          <div className={classes['columns']} data-details={shown !== undefined || undefined}>
            <MediaTable
              images={images}
              use={filter.use}
              shown={filter.image}
              marked={marked}
              onMark={toggle}
              onOpen={({ sha256 }) => open(sha256 === filter.image ? null : sha256)}
            />
            {shown !== undefined && (
              <ImageDetails
                key={shown.sha256}
                image={shown}
                onClose={() => {
                  open(null)
                  root.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
                }}
                onDelete={() => {
                  setMarked([shown])
                  setDeleting(true)
                }}
              />
            )}
          </div>
        )}
      </Region>
      <ErrorBoundary what={page.deletion}>
        <MediaDock
          marked={marked}
          unused={unused.data}
          deleting={deleting}
          onDeleting={setDeleting}
          onMarked={setMarked}
          onEnd={() => {
            setMarked([])
            if (marked.some(({ sha256 }) => sha256 === filter.image)) open(null)
            images.follow()
            root.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
          }}
        />
      </ErrorBoundary>
    </div>
  )
}

function useMediaActions(): void {
  useActions([
    {
      id: 'upload',
      label: page.actions.upload,
      group: 'Look',
      keys: ['u'],
      run: () => document.querySelector<HTMLElement>('[data-region="sheet"] [data-add]')?.click(),
    },
  ])
}

/** Uploads images that are pasted while the page is open. */
function usePastedFiles(add: (files: File[]) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length > 0) add(files)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => paste(event)
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
  }, [])
}
