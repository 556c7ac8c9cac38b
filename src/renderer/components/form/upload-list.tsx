import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconPhotoPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { formatSize } from '../../lib/format.ts'
import { acceptedImages } from '../../lib/upload/upload-image.ts'
import type { ListedUpload, UploadsList } from '../../lib/upload/use-upload-list.ts'
import { Keycap } from './keycap.tsx'
import { ProgressBar } from '../feedback/progress-bar.tsx'
import classes from './upload-list.module.css'

/** Opens the file dialog for pictures. */
export function AddPictures({
  label,
  off = false,
  filled = false,
  keys,
  onFiles,
}: {
  label: string
  off?: boolean
  filled?: boolean
  /** What does the same, where something does. */
  keys?: string
  onFiles: (files: File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        data-add
        size="sm"
        variant={filled ? 'filled' : 'default'}
        aria-disabled={off}
        leftSection={<IconPhotoPlus size={16} stroke={1.75} />}
        rightSection={keys === undefined ? undefined : <Keycap keys={keys} quiet />}
        onClick={() => {
          if (!off) input.current?.click()
        }}
      >
        {label}…
      </Button>
      <input
        ref={input}
        type="file"
        accept={acceptedImages}
        multiple
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** The pictures that are on their way, and those that were not taken, with the reason. */
export function UploadList({ uploads }: { uploads: UploadsList }) {
  if (uploads.list.length === 0) return null
  return (
    <ul className={classes['list']} aria-label="Uploads">
      {uploads.list.map((upload) => (
        <li key={upload.key} data-failed={upload.failure !== null || undefined}>
          <UploadLine
            upload={upload}
            onDrop={() => uploads.drop(upload.key)}
            onAgain={() => uploads.again(upload.key)}
          />
        </li>
      ))}
    </ul>
  )
}

interface LineProps {
  upload: ListedUpload
  onDrop: () => void
  onAgain: () => void
}

function UploadLine({ upload, onDrop, onAgain }: LineProps) {
  const { file, progress, failure, waiting } = upload
  if (failure !== null) {
    return (
      <>
        <p role="alert">
          <IconAlertTriangle size={14} stroke={1.75} aria-hidden /> <b>{file.name}</b> {failure}
        </p>
        <Button size="xs" onClick={onAgain}>
          Try again
        </Button>
        <Tooltip label="Close this message">
          <ActionIcon size="xs" aria-label={`Close the message about ${file.name}`} onClick={onDrop}>
            <IconX size={14} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </>
    )
  }
  const { sent, total } = progress
  const percent = total === 0 ? 0 : Math.floor((sent / total) * 100)
  return (
    <>
      <p>
        <b>{file.name}</b> {waiting ? 'waits for those before it' : wordsOf(sent, total, percent)}
      </p>
      <ProgressBar label={`${file.name} is being uploaded`} done={percent / 100} />
      <Button size="xs" onClick={onDrop} aria-label={`Cancel ${file.name}`}>
        Cancel
      </Button>
    </>
  )
}

function wordsOf(sent: number, total: number, percent: number): string {
  if (sent >= total && total > 0) return `${formatSize(total)} sent, being looked at`
  return `${formatSize(sent)} of ${formatSize(total)}, ${percent} %`
}
