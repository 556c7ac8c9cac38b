import { ActionIcon, Tooltip } from '@mantine/core'
import { IconMapPin, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { CopyButton, CopyIcon } from '../../../components/form/copy-button.tsx'
import { Facts } from '../../../components/facts.tsx'
import { When } from '../../../components/list/when.tsx'
import { ZoomableImage } from '../../../components/text/zoomable-image.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { formatBytes, formatCount, shortDigest } from '../../../lib/format.ts'
import { imageKind, imageMarkdown } from '../../../lib/describe-image.ts'
import type { ImageRow } from '../../../../shared/contracts/desk-images.ts'
import { pathOfUse } from '../path-of-use.ts'
import { texts } from '../media.texts.ts'
import classes from './image-details.module.css'

const { details } = texts

interface Props {
  image: ImageRow
  onClose: () => void
  onDelete: () => void
}

export function ImageDetails({ image, onClose, onDelete }: Props) {
  useActions([
    { id: 'close-details', label: details.closeAction, group: 'Move', keys: ['Escape'], run: onClose },
  ])
  const { sha256, usedBy, hasPosition } = image
  const [large, setLarge] = useState(false)
  return (
    <aside className={classes['details']} data-large={large || undefined} aria-label={details.label}>
      <header className={classes['head']}>
        <h2>
          {imageKind(image)}, {image.width} × {image.height}
        </h2>
        <Tooltip label={details.close}>
          <ActionIcon size="sm" aria-label={details.close} onClick={onClose}>
            <IconX size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </header>
      <ZoomableImage
        sha256={sha256}
        alt={large ? details.zoomOut : details.zoomIn}
        large={large}
        onLarge={setLarge}
      />
      {hasPosition && (
        <p className={classes['position']}>
          <IconMapPin size={14} stroke={1.75} aria-hidden /> {texts.hasLocation}
        </p>
      )}
      <h3>{details.usedBy}</h3>
      <UsedBy usedBy={usedBy} />
      <Facts facts={factsOf(image)} />
      <div data-actions>
        <CopyButton size="sm" label={details.copyMarkdown} text={imageMarkdown(sha256)} />
        {usedBy.length === 0 && (
          <ActionButton size="sm" color="red" icon={IconTrash} onClick={onDelete}>
            {details.delete}
          </ActionButton>
        )}
      </div>
    </aside>
  )
}

function UsedBy({ usedBy }: Pick<ImageRow, 'usedBy'>) {
  if (usedBy.length === 0) return <p data-ink="calm">{details.notUsed}</p>
  return (
    <ul className={classes['uses']}>
      {usedBy.map((use) => (
        <li key={`${use.kind} ${use.id}`}>
          <Link href={pathOfUse(use)}>{use.title === '' ? texts.untitled : use.title}</Link>
          <span>{use.kind === 'post' ? details.post : details.project}</span>
        </li>
      ))}
    </ul>
  )
}

function factsOf({ frames, size, sha256, uploadedAt, uploadedBy, renditions }: ImageRow) {
  const widths = [...new Set(renditions.map(({ width }) => width))].toSorted((a, b) => a - b)
  return [
    ...(frames === 1 ? [] : [{ label: details.facts.frames, value: formatCount(frames) }]),
    { label: details.facts.size, value: formatBytes(size) },
    { label: details.facts.copies, value: details.copies(widths) },
    { label: details.facts.uploaded, value: <When at={uploadedAt} /> },
    { label: details.facts.by, value: uploadedBy ?? details.publicForm },
    {
      label: details.facts.digest,
      value: (
        <>
          <code title={sha256}>{shortDigest(sha256)}</code> <CopyIcon text={sha256} what={details.digest} />
        </>
      ),
    },
  ]
}
