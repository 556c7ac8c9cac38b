import { IconMapPin, IconSquare, IconSquareCheckFilled } from '@tabler/icons-react'
import { Link } from 'wouter'
import { LibraryImage } from '../../../components/text/library-image.tsx'
import { DataTable } from '../../../components/list/data-table.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
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

interface Props {
  images: Images
  use: MediaFilter['use']
  shown: string | null
  marked: readonly Deletable[]
  onMark: (image: Deletable) => void
  onOpen: (image: ImageRow) => void
}

const columnsOf = ({ images, shown, marked }: Props): readonly DataColumn<ImageRow>[] => [
  {
    label: table.columns.mark,
    unseen: true,
    width: 20,
    cell: (row) => row.usedBy.length === 0 && !images.isRemoved(row) && <Mark on={isIn(marked, row)} />,
  },
  {
    label: table.columns.image,
    width: 52,
    cell: (row) => <Thumb row={row} removed={images.isRemoved(row)} isShown={row.sha256 === shown} />,
  },
  { label: table.columns.kind, width: 44, cell: imageKind },
  {
    label: table.columns.dimensions,
    width: 92,
    numeric: true,
    cell: ({ width, height }) => `${width} × ${height}`,
  },
  { label: table.columns.frames, width: 48, numeric: true, cell: ({ frames }) => formatCount(frames) },
  { label: table.columns.size, width: 64, numeric: true, cell: ({ size }) => formatSize(size) },
  { label: table.columns.location, width: 56, cell: ({ hasPosition }) => hasPosition && <Position /> },
  {
    label: table.columns.used,
    width: [140, 1],
    cell: (row) => (images.isRemoved(row) ? table.removed : <Uses row={row} />),
  },
  {
    label: table.columns.uploaded,
    width: 148,
    cell: ({ uploadedAt, uploadedBy }) => (
      <>
        <When at={uploadedAt} /> <span data-ink="calm">{uploadedBy ?? table.publicForm}</span>
      </>
    ),
  },
]

const isIn = (marked: readonly Deletable[], row: ImageRow): boolean =>
  marked.some(({ sha256 }) => sha256 === row.sha256)

/** The images as rows. Unused ones can be marked and deleted together. */
export function MediaTable(props: Props) {
  const { images, use, marked, onMark, onOpen } = props
  return (
    <div className={classes['table']}>
      <DataTable
        label={table.label}
        rows={{ ...images, view: use }}
        columns={columnsOf(props)}
        rowHeight={48}
        state={(row) => ({ selected: isIn(marked, row) })}
        onOpen={(row) => {
          if (!images.isRemoved(row)) onOpen(row)
        }}
        onMark={(row) => {
          if (row.usedBy.length === 0 && !images.isRemoved(row)) onMark(row)
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
