import { IconMapPin, IconSquare, IconSquareCheckFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { LibraryImage } from '../../../components/text/library-image.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import type { Column } from '../../../components/list/data-column.ts'
import { When } from '../../../components/list/when.tsx'
import { formatCount, formatSize } from '../../../lib/format.ts'
import { imageKind } from '../../../lib/describe-image.ts'
import type { MediaFilter } from '../media-filter.ts'
import type { ImageRow } from '../../../../shared/contracts/desk-images.ts'
import type { Deletable } from '../use-deletion.ts'
import type { Images } from '../use-images.ts'
import { pathOfUse } from '../path-of-use.ts'
import { texts } from '../media.texts.ts'
import classes from './media-table.module.css'

const { table } = texts

const columns: readonly Column[] = [
  { key: 'mark', label: table.columns.mark, unseen: true },
  { key: 'image', label: table.columns.image },
  { key: 'kind', label: table.columns.kind },
  { key: 'dimensions', label: table.columns.dimensions, numeric: true },
  { key: 'frames', label: table.columns.frames, numeric: true },
  { key: 'size', label: table.columns.size, numeric: true },
  { key: 'position', label: table.columns.location },
  { key: 'used', label: table.columns.used },
  { key: 'uploaded', label: table.columns.uploaded },
]
const widths = '20px 52px 44px 92px 48px 64px 56px minmax(96px, 1fr) 148px'

interface Props {
  images: Images
  use: MediaFilter['use']
  shown: string | null
  marked: readonly Deletable[]
  onMark: (image: Deletable) => void
  onOpen: (image: ImageRow) => void
}

/** The images as rows. Unused ones can be marked and deleted together. */
export function MediaTable({ images, use, shown, marked, onMark, onOpen }: Props) {
  const isMarked = (row: ImageRow): boolean => marked.some(({ sha256 }) => sha256 === row.sha256)
  const cells = (index: number): readonly ReactNode[] | null => {
    const row = images.rowAt(index)
    if (row === undefined) return null
    const removed = images.isRemoved(row)
    return [
      row.usedBy.length > 0 || removed ? null : <Mark key="mark" on={isMarked(row)} />,
      <Thumb key="image" row={row} removed={removed} isShown={row.sha256 === shown} />,
      imageKind(row),
      `${row.width} × ${row.height}`,
      formatCount(row.frames),
      formatSize(row.size),
      row.hasPosition ? <Position key="position" /> : null,
      removed ? table.removed : <Uses key="used" row={row} />,
      <span key="uploaded">
        <When at={row.uploadedAt} /> <span data-ink="calm">{row.uploadedBy ?? table.publicForm}</span>
      </span>,
    ]
  }
  const withRow = (index: number, work: (row: ImageRow) => void): void => {
    const row = images.rowAt(index)
    if (row !== undefined && !images.isRemoved(row)) work(row)
  }
  return (
    <div className={classes['table']}>
      <VirtualTable
        label={table.label}
        columns={columns}
        widths={widths}
        total={images.total}
        rowHeight={48}
        cells={cells}
        view={use}
        loadVisible={images.loadVisible}
        onOpen={(index) => withRow(index, onOpen)}
        onMark={(index) =>
          withRow(index, (row) => {
            if (row.usedBy.length === 0) onMark(row)
          })
        }
        row={(index) => {
          const row = images.rowAt(index)
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

function Thumb({ row, removed, isShown }: { row: ImageRow; removed: boolean; isShown: boolean }) {
  const digest = row.sha256.slice(0, 8)
  const name = isShown ? table.open(digest) : digest
  return (
    <span className={classes['thumb']} data-shown={isShown || undefined}>
      {removed ? null : <LibraryImage sha256={row.sha256} step="small" alt={name} decoding="async" />}
    </span>
  )
}

function Position() {
  return (
    <span className={classes['position']} data-ink="warn" title={texts.hasLocation}>
      <IconMapPin size={14} stroke={1.75} aria-hidden /> {table.location}
    </span>
  )
}

/** The first post or project that uses the image. The details list all of them, with links for the keyboard. */
function Uses({ row }: { row: ImageRow }) {
  const [first] = row.usedBy
  if (first === undefined) return <span data-ink="calm">{table.notUsed}</span>
  const more = row.usedBy.length - 1
  return (
    <span className={classes['uses']}>
      <Link href={pathOfUse(first)} tabIndex={-1}>
        {first.title === '' ? texts.untitled : first.title}
      </Link>
      {more > 0 && <span>{table.more(more)}</span>}
    </span>
  )
}
