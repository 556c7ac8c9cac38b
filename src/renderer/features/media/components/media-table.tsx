import { IconMapPin, IconSquare, IconSquareCheckFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { LibraryImage } from '../../../components/text/library-image.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import type { Column } from '../../../components/list/data-column.ts'
import { When } from '../../../components/list/when.tsx'
import { formatCount, formatSize } from '../../../lib/format.ts'
import { imageKind } from '../../../lib/upload/images.ts'
import type { MediaFilter } from '../media-filter.ts'
import type { PictureRow } from '../media.api.ts'
import type { Deletable } from '../use-deletion.ts'
import type { Pictures } from '../use-pictures.ts'
import { placeOfUse } from '../place-of-use.ts'
import classes from './media-table.module.css'

const columns: readonly Column[] = [
  { key: 'mark', label: 'Selected', unseen: true },
  { key: 'picture', label: 'Picture' },
  { key: 'kind', label: 'Kind' },
  { key: 'dimensions', label: 'Pixels', numeric: true },
  { key: 'frames', label: 'Frames', numeric: true },
  { key: 'size', label: 'Size', numeric: true },
  { key: 'position', label: 'Place' },
  { key: 'used', label: 'Used in' },
  { key: 'uploaded', label: 'Uploaded' },
]
const widths = '20px 52px 44px 92px 48px 64px 56px minmax(96px, 1fr) 148px'

interface Props {
  pictures: Pictures
  use: MediaFilter['use']
  shown: string | null
  marked: readonly Deletable[]
  onMark: (picture: Deletable) => void
  onOpen: (picture: PictureRow) => void
}

/** The pictures in rows; those that nothing uses can be marked, and go together. */
export function MediaTable({ pictures, use, shown, marked, onMark, onOpen }: Props) {
  const isMarked = (row: PictureRow): boolean => marked.some(({ sha256 }) => sha256 === row.sha256)
  const cells = (place: number): readonly ReactNode[] | null => {
    const row = pictures.rowAt(place)
    if (row === undefined) return null
    const gone = pictures.isGone(row)
    return [
      row.usedBy.length > 0 || gone ? null : <Mark key="mark" on={isMarked(row)} />,
      <Thumb key="picture" row={row} gone={gone} isShown={row.sha256 === shown} />,
      imageKind(row),
      `${row.width} × ${row.height}`,
      formatCount(row.frames),
      formatSize(row.size),
      row.hasPosition ? <Position key="position" /> : null,
      gone ? 'no more in this list' : <Uses key="used" row={row} />,
      <span key="uploaded">
        <When at={row.uploadedAt} /> <span className={classes['by']}>{row.uploadedBy ?? 'public form'}</span>
      </span>,
    ]
  }
  const withRow = (place: number, work: (row: PictureRow) => void): void => {
    const row = pictures.rowAt(place)
    if (row !== undefined && !pictures.isGone(row)) work(row)
  }
  return (
    <div className={classes['table']}>
      <VirtualTable
        label="Pictures"
        columns={columns}
        widths={widths}
        total={pictures.total}
        rowHeight={48}
        cells={cells}
        view={use}
        onVisible={(first, last) => pictures.look({ first, end: last + 1 })}
        onOpen={(place) => withRow(place, onOpen)}
        onMark={(place) =>
          withRow(place, (row) => {
            if (row.usedBy.length === 0) onMark(row)
          })
        }
        row={(place) => {
          const row = pictures.rowAt(place)
          return { selected: row !== undefined && isMarked(row) }
        }}
      />
    </div>
  )
}

function Mark({ on }: { on: boolean }) {
  const Icon = on ? IconSquareCheckFilled : IconSquare
  return (
    <span className={classes['mark']} data-mark data-on={on || undefined}>
      <Icon size={16} stroke={1.75} aria-hidden />
    </span>
  )
}

function Thumb({ row, gone, isShown }: { row: PictureRow; gone: boolean; isShown: boolean }) {
  const name = `${row.sha256.slice(0, 8)}${isShown ? ', its details are open' : ''}`
  return (
    <span className={classes['thumb']} data-shown={isShown || undefined}>
      {gone ? null : <LibraryImage sha256={row.sha256} step="small" alt={name} decoding="async" />}
    </span>
  )
}

function Position() {
  return (
    <span className={classes['position']} title="This picture carries a place. Public copies will not.">
      <IconMapPin size={14} stroke={1.75} aria-hidden /> place
    </span>
  )
}

/** The first of what uses it; the details have all. The keyboard reaches the links there. */
function Uses({ row }: { row: PictureRow }) {
  const [first] = row.usedBy
  if (first === undefined) return <span className={classes['unused']}>nothing</span>
  const more = row.usedBy.length - 1
  return (
    <span className={classes['uses']}>
      <Link href={placeOfUse(first)} tabIndex={-1}>
        {first.title === '' ? 'Without a title' : first.title}
      </Link>
      {more > 0 && <span>and {more} more</span>}
    </span>
  )
}
