import { Button, TextInput } from '@mantine/core'
import { IconMapPin, IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { maxAltCharacters, uploadReferencePrefix } from '../../../../shared/contracts/content.ts'
import type { Image } from '../../../../shared/contracts/images.ts'
import { useFilePicker } from '../../../components/form/use-file-picker.tsx'
import { LibraryImage } from '../../../components/text/library-image.tsx'
import { formatSize } from '../../../lib/format.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { acceptedImages } from '../../../lib/upload/upload-image.ts'
import { digestOf } from '../image-references.ts'
import type { ImageReference } from '../image-references.ts'
import type { PendingImage } from '../use-uploads.ts'
import { texts } from '../blog.texts.ts'
import { FieldLabel } from '../../../components/form/field-label.tsx'
import classes from './image-card.module.css'

const { imageCard: card } = texts

interface Props {
  reference: ImageReference
  pending: PendingImage | undefined
  /** The image in the media library; undefined until it has been uploaded. */
  image: Image | undefined
  /** Whether the image was just inserted, so that the card takes the focus. */
  fresh: boolean
  onAlt: (alt: string) => void
  onCancel: () => void
  onRemove: () => void
  onFile: (file: File) => void
  /** Returns the focus to the text. */
  onDone: () => void
}

/** The card below an image in the text: upload progress and alt text. */
export function ImageCard(props: Props) {
  const { reference, pending, image, fresh, onAlt, onCancel, onRemove, onFile, onDone } = props
  const digest = digestOf(reference.target)
  const interrupted = digest === null && pending === undefined
  const failure = interrupted ? card.interrupted : (pending?.failure ?? null)
  const missing = reference.alt.trim() === ''
  return (
    <div className={classes['card']} role="group" aria-label={card.label(nameOf(reference, pending))}>
      <Thumbnail preview={pending?.preview ?? null} sha256={digest}>
        {(size) => (
          <>
            <div className={classes['head']}>
              <b>{nameOf(reference, pending)}</b>
              <span className={classes['kind']} data-text="note">
                {[pending && card.how[pending.how], kindOf(pending), size]
                  .filter((part) => part != null)
                  .join(', ')}
              </span>
              {failure !== null && <FileButton onFile={onFile}>{card.chooseAgain}</FileButton>}
              {pending !== undefined && failure === null ? (
                <Button size="sm" onClick={onCancel}>
                  {card.cancel}
                </Button>
              ) : (
                <Button size="sm" onClick={onRemove}>
                  {card.remove}
                </Button>
              )}
            </div>
            {failure !== null && (
              <p data-text="hint" data-ink="bad" role="alert">
                {failure}
              </p>
            )}
            {pending !== undefined && failure === null && <Progress pending={pending} />}
            {image?.hasPosition === true && (
              <p data-text="hint">
                <IconMapPin size={14} stroke={1.75} aria-hidden /> {texts.hasLocation}
              </p>
            )}
          </>
        )}
      </Thumbnail>
      <TextInput
        label={
          <FieldLabel
            text={card.alt}
            note={missing ? card.altNeeded : null}
            used={[reference.alt.length, maxAltCharacters]}
          />
        }
        aria-label={card.alt}
        value={reference.alt}
        maxLength={maxAltCharacters}
        spellCheck
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={fresh}
        onChange={(event) => onAlt(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          onDone()
        }}
      />
    </div>
  )
}

function nameOf({ target }: ImageReference, pending: PendingImage | undefined): string {
  if (pending !== undefined) return pending.file.name
  const digest = digestOf(target)
  return digest === null ? target.slice(uploadReferencePrefix.length) : `${digest.slice(0, 8)}…`
}

function kindOf(pending: PendingImage | undefined): string | null {
  const kind = pending?.file.type.split('/')[1] ?? ''
  return kind === '' ? null : kind.toUpperCase()
}

/** A preview of the image. Its dimensions are known once the browser has loaded it. */
function Thumbnail({
  preview,
  sha256,
  children,
}: {
  /** Object URL of a file that is being uploaded. */
  preview: string | null
  sha256: string | null
  children: (size: string | null) => ReactNode
}) {
  const [size, setSize] = useState<string | null>(null)
  const [broken, setBroken] = useState(false)
  const placeholder = <IconPhoto size={20} stroke={1.75} aria-hidden />
  return (
    <div className={classes['top']}>
      <div className={classes['thumbnail']}>
        {preview !== null && !broken ? (
          <img
            src={preview}
            alt=""
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize(`${naturalWidth} × ${naturalHeight}`)
            }
            onError={() => setBroken(true)}
          />
        ) : sha256 === null ? (
          placeholder
        ) : (
          <LibraryImage sha256={sha256} step="small" alt="" fallback={placeholder} />
        )}
      </div>
      <div className={classes['about']}>{children(preview === null ? null : size)}</div>
    </div>
  )
}

function Progress({ pending }: { pending: PendingImage }) {
  const now = useNow(1000)
  const { sent, total } = pending.progress
  const share = total === 0 ? 0 : Math.min(1, sent / total)
  const percent = Math.floor(share * 100)
  const spent = now - pending.startedAt
  const left = share > 0.02 && spent > 1000 ? (spent / share) * (1 - share) : null
  return (
    <>
      <div
        className={classes['bar']}
        role="progressbar"
        aria-label={card.progress(pending.file.name)}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
      <p data-text="hint">
        {share >= 1
          ? card.processing
          : `${card.sent(formatSize(sent), formatSize(total), percent)}${left === null ? '' : card.timeLeft(formatAge(left + 999))}`}
      </p>
    </>
  )
}

function FileButton({ onFile, children }: { onFile: (file: File) => void; children: ReactNode }) {
  const { open, field } = useFilePicker({
    accept: acceptedImages,
    onFiles: ([file]) => file !== undefined && onFile(file),
  })
  return (
    <>
      <Button size="sm" onClick={open}>
        {children}
      </Button>
      {field}
    </>
  )
}
