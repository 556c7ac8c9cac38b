import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconPhotoPlus, IconX } from '@tabler/icons-react'
import { ActionButton } from './action-button.tsx'
import { formatSize } from '../../lib/format.ts'
import { acceptedImages } from '../../lib/upload/upload-image.ts'
import type { ListedUpload, UploadsList } from '../../lib/upload/use-upload-list.ts'
import { useFilePicker } from './use-file-picker.tsx'
import { ProgressBar } from '../feedback/progress-bar.tsx'
import classes from './upload-list.module.css'

/** A button that opens the file dialog for images. */
export function AddImagesButton({
  label,
  disabled = false,
  filled = false,
  keys,
  onFiles,
}: {
  label: string
  disabled?: boolean
  filled?: boolean
  /** The shortcut of the same action, if there is one. */
  keys?: string
  onFiles: (files: File[]) => void
}) {
  const { open, field } = useFilePicker({ accept: acceptedImages, multiple: true, label, onFiles })
  return (
    <>
      <ActionButton
        data-add
        size="sm"
        variant={filled ? 'filled' : 'default'}
        aria-disabled={disabled}
        icon={IconPhotoPlus}
        keys={keys}
        onClick={() => {
          if (!disabled) open()
        }}
      >
        {label}…
      </ActionButton>
      {field}
    </>
  )
}

/** Uploads in progress, and failed ones with the reason. */
export function UploadList({ uploads }: { uploads: UploadsList }) {
  if (uploads.list.length === 0) return null
  return (
    <ul className={classes['list']} aria-label="Uploads">
      {uploads.list.map((upload) => (
        <li key={upload.key} data-failed={upload.failure !== null || undefined}>
          <UploadLine
            upload={upload}
            onRemove={() => uploads.remove(upload.key)}
            onRetry={() => uploads.retry(upload.key)}
          />
        </li>
      ))}
    </ul>
  )
}

interface LineProps {
  upload: ListedUpload
  onRemove: () => void
  onRetry: () => void
}

function UploadLine({ upload, onRemove, onRetry }: LineProps) {
  const { file, progress, failure, waiting } = upload
  if (failure !== null) {
    return (
      <>
        <p role="alert">
          <IconAlertTriangle size={14} stroke={1.75} aria-hidden data-ink="bad" /> <b>{file.name}</b>{' '}
          {failure}
        </p>
        <Button size="xs" onClick={onRetry}>
          Try again
        </Button>
        <Tooltip label="Remove from list">
          <ActionIcon size="xs" aria-label={`Remove ${file.name} from the list`} onClick={onRemove}>
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
        <b>{file.name}</b> {waiting ? 'queued' : progressText(sent, total, percent)}
      </p>
      <ProgressBar label={`Uploading ${file.name}`} done={percent / 100} />
      <Button size="xs" onClick={onRemove} aria-label={`Cancel ${file.name}`}>
        Cancel
      </Button>
    </>
  )
}

function progressText(sent: number, total: number, percent: number): string {
  if (sent >= total && total > 0) return `${formatSize(total)} uploaded, processing…`
  return `${formatSize(sent)} of ${formatSize(total)}, ${percent}%`
}
