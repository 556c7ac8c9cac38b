import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconMapPin, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { CopyButton, CopyIcon } from '../../../components/form/copy-button.tsx'
import { Facts } from '../../../components/facts.tsx'
import { When } from '../../../components/list/when.tsx'
import { ZoomPicture } from '../../../components/text/zoom-picture.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { formatBytes, formatCount, plural, shortDigest } from '../../../lib/format.ts'
import { imageKind, imageMarkdown } from '../../../lib/upload/images.ts'
import type { PictureRow } from '../media.api.ts'
import { placeOfUse } from '../place-of-use.ts'
import classes from './picture-details.module.css'

interface Props {
  picture: PictureRow
  onClose: () => void
  onDelete: () => void
}

/** All that is known of a picture. */
export function PictureDetails({ picture, onClose, onDelete }: Props) {
  useActions([
    { id: 'close-details', label: 'close the details', group: 'Move', keys: ['Escape'], run: onClose },
  ])
  const { sha256, usedBy, hasPosition } = picture
  const [large, setLarge] = useState(false)
  return (
    <aside className={classes['details']} data-large={large || undefined} aria-label="The picture">
      <header className={classes['head']}>
        <h2>
          {imageKind(picture)}, {picture.width} × {picture.height}
        </h2>
        <Tooltip label="Close the details">
          <ActionIcon size="sm" aria-label="Close the details" onClick={onClose}>
            <IconX size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </header>
      <ZoomPicture
        sha256={sha256}
        alt={large ? 'Show it small' : 'Show it large'}
        large={large}
        onLarge={setLarge}
      />
      {hasPosition && (
        <p className={classes['position']}>
          <IconMapPin size={14} stroke={1.75} aria-hidden /> This picture carries a place. Public copies will
          not.
        </p>
      )}
      <h3>Used by</h3>
      <UsedBy usedBy={usedBy} />
      <Facts facts={factsOf(picture)} />
      <div className={classes['buttons']}>
        <CopyButton size="sm" label="Copy for Markdown" text={imageMarkdown(sha256)} />
        {usedBy.length === 0 && (
          <Button
            size="sm"
            color="red"
            leftSection={<IconTrash size={16} stroke={1.75} />}
            onClick={onDelete}
          >
            Delete…
          </Button>
        )}
      </div>
    </aside>
  )
}

function UsedBy({ usedBy }: Pick<PictureRow, 'usedBy'>) {
  if (usedBy.length === 0) return <p className={classes['none']}>Nothing.</p>
  return (
    <ul className={classes['uses']}>
      {usedBy.map((use) => (
        <li key={`${use.kind} ${use.id}`}>
          <Link href={placeOfUse(use)}>{use.title === '' ? 'Without a title' : use.title}</Link>
          <span>{use.kind === 'post' ? 'post' : 'showcase'}</span>
        </li>
      ))}
    </ul>
  )
}

function factsOf({ frames, size, sha256, uploadedAt, uploadedBy, renditions }: PictureRow) {
  const widths = [...new Set(renditions.map(({ width }) => width))].toSorted((a, b) => a - b)
  return [
    ...(frames === 1 ? [] : [{ label: 'frames', value: formatCount(frames) }]),
    { label: 'size', value: formatBytes(size) },
    { label: 'copies', value: `${plural(widths.length, 'width')}: ${widths.join(', ')}` },
    { label: 'uploaded', value: <When at={uploadedAt} /> },
    { label: 'by', value: uploadedBy ?? 'somebody through the public form' },
    {
      label: 'SHA-256',
      value: (
        <>
          <code title={sha256}>{shortDigest(sha256)}</code> <CopyIcon text={sha256} what="the digest" />
        </>
      ),
    },
  ]
}
