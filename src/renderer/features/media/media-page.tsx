import { IconArrowUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { ErrorBoundary } from '../../components/feedback/error-boundary.tsx'
import { Region } from '../../components/feedback/region.tsx'
import { Bones } from '../../components/feedback/bones.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { Keycap } from '../../components/form/keycap.tsx'
import { Segmented } from '../../components/list/segmented.tsx'
import { AddPictures, UploadList } from '../../components/form/upload-list.tsx'
import { useActions } from '../../lib/keys/actions.ts'
import { formatSize, plural } from '../../lib/format.ts'
import { showToast } from '../../lib/state/toasts.ts'
import { useFileDrop } from '../../lib/upload/use-file-drop.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { useUploadList } from '../../lib/upload/use-upload-list.ts'
import { MediaDock } from './components/media-dock.tsx'
import { MediaEmpty } from './components/media-empty.tsx'
import { MediaTable } from './components/media-table.tsx'
import { PictureDetails } from './components/picture-details.tsx'
import { mediaPath, readMediaFilter } from './media-filter.ts'
import type { MediaFilter } from './media-filter.ts'
import classes from './media-page.module.css'
import { unusedQuery } from './media.api.ts'
import type { Deletable } from './use-deletion.ts'
import { usePictures } from './use-pictures.ts'

/** Every picture of the library: what it is, where it is used, and what can go. */
export function MediaPage() {
  useTitle('Media')
  const [, navigate] = useLocation()
  const filter = readMediaFilter(useSearch())
  const pictures = usePictures(filter.use)
  const unused = useQuery(unusedQuery)
  const [marked, setMarked] = useState<readonly Deletable[]>([])
  const [deleting, setDeleting] = useState(false)
  const uploads = useUploadList((image) => {
    pictures.follow()
    showToast({
      kind: 'done',
      text: `${plural(image.renditions.length, 'copy', 'copies')} made. It is in the library.`,
    })
  })
  const page = useRef<HTMLDivElement>(null)
  const { isOver, ...drop } = useFileDrop(uploads.add)
  usePastedFiles(uploads.add)
  const open = (picture: string | null): void =>
    navigate(mediaPath({ ...filter, picture }), { replace: true })
  const toggle = ({ sha256, size }: Deletable): void =>
    setMarked((now) =>
      now.some((one) => one.sha256 === sha256)
        ? now.filter((one) => one.sha256 !== sha256)
        : [...now, { sha256, size }],
    )
  useMediaActions(pictures.news > 0 ? pictures.showNews : null)
  const shown = pictures.find(filter.picture)
  const isNothing = !pictures.loading && pictures.total === 0 && pictures.error === null

  return (
    <div ref={page} className={classes['page']} data-over={isOver || undefined} {...drop}>
      <Region name="sheet" as="section" className={classes['sheet']} aria-label="Media">
        <header className={classes['head']}>
          <h1>Media</h1>
          <Segmented label="Which pictures" current={filter.use} segments={segmentsOf(unused.data?.total)} />
          <span className={classes['count']}>
            {!pictures.loading && `${plural(pictures.total, 'picture')}, ${formatSize(pictures.bytes)}`}
          </span>
          <AddPictures label="Upload" filled keys="u" onFiles={uploads.add} />
        </header>
        {uploads.list.length > 0 && (
          <div className={classes['uploads']}>
            <UploadList uploads={uploads} />
          </div>
        )}
        {pictures.news > 0 && (
          <button type="button" className={classes['news']} onClick={pictures.showNews} data-ring="inside">
            <IconArrowUp size={14} stroke={1.75} aria-hidden />
            {plural(pictures.news, 'new picture')}
            <b>Show</b>
            <Keycap keys="." quiet />
          </button>
        )}
        {pictures.error !== null && (
          <div className={classes['trouble']}>
            <Failure error={pictures.error} what="The pictures cannot be read" retry={pictures.retry} />
          </div>
        )}
        {pictures.loading && pictures.error === null && <Bones rows={9} height={48} what="the pictures" />}
        {isNothing && <MediaEmpty use={filter.use} />}
        {pictures.total > 0 && (
          <div className={classes['columns']} data-details={shown !== undefined || undefined}>
            <MediaTable
              pictures={pictures}
              use={filter.use}
              shown={filter.picture}
              marked={marked}
              onMark={toggle}
              onOpen={({ sha256 }) => open(sha256 === filter.picture ? null : sha256)}
            />
            {shown !== undefined && (
              <PictureDetails
                key={shown.sha256}
                picture={shown}
                onClose={() => {
                  open(null)
                  page.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
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
      <ErrorBoundary what="The deletion">
        <MediaDock
          marked={marked}
          unused={unused.data}
          deleting={deleting}
          onDeleting={setDeleting}
          onMarked={setMarked}
          onEnd={() => {
            setMarked([])
            if (marked.some(({ sha256 }) => sha256 === filter.picture)) open(null)
            pictures.follow()
            page.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
          }}
        />
      </ErrorBoundary>
    </div>
  )
}

function segmentsOf(unused: number | undefined) {
  const one = (key: MediaFilter['use'], label: string, count?: number) => ({
    key,
    label,
    count,
    href: mediaPath({ use: key, picture: null }),
  })
  return [one('all', 'All'), one('used', 'Used'), one('unused', 'Unused', unused)]
}

function useMediaActions(onNews: (() => void) | null): void {
  useActions([
    {
      id: 'upload',
      label: 'upload pictures…',
      group: 'Look',
      keys: ['u'],
      run: () => document.querySelector<HTMLElement>('[data-region="sheet"] [data-add]')?.click(),
    },
    ...(onNews === null
      ? []
      : [{ id: 'news', label: 'show new rows', group: 'Anywhere' as const, keys: ['.'], run: onNews }]),
  ])
}

/** Pictures that are pasted while the page is open are uploaded. */
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
