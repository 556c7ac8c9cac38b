import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Failure } from '../../../components/feedback/failure.tsx'
import { DataTable } from '../../../components/list/data-table.tsx'
import type { DataColumn } from '../../../components/list/data-column.ts'
import { hexRange, hexRow, hexRowBytes, landmarks, rangeOf } from './hex-rows.ts'
import type { HexRow } from './hex-rows.ts'
import { formatOffset, readOffset } from './offsets.ts'
import type { ModuleOutline } from './module-questions.ts'
import type { OpenModule } from './open-module.ts'
import { texts } from './module-views.texts.ts'
import classes from './module-viewer.module.css'

export interface ByteRange {
  offset: number
  length: number
}

const columnsFor = ({ size, sections }: ModuleOutline, marked: ByteRange): readonly DataColumn<HexRow>[] => [
  { label: texts.hex.offset, mono: true, cell: ({ offset }) => formatOffset(offset, size).slice(2) },
  { label: texts.hex.bytes, mono: true, cell: (row) => <Bytes row={row} marked={marked} /> },
  { label: texts.hex.ascii, mono: true, cell: 'text' },
  { label: texts.hex.section, quiet: true, cell: ({ offset }) => landmarks(sections, offset).join(', ') },
]

/** The bytes of the file, 64 KiB at a time, with the selected range highlighted. */
export function HexView({
  module,
  marked,
  sent,
  onShow,
}: {
  module: OpenModule
  marked: ByteRange
  /** Whether the view was opened from another one, and so takes the focus. */
  sent: boolean
  onShow: (range: ByteRange) => void
}) {
  const { size, sections } = module.outline
  const from = rangeOf(marked.offset, size)
  const { data, error, refetch } = useQuery({
    queryKey: ['inside', module.key, 'bytes', from],
    queryFn: () => module.ask('bytes', { from, count: hexRange }),
    staleTime: Infinity,
    gcTime: 10_000,
    retry: false,
    structuralSharing: false,
  })
  const last = Math.min(size, from + hexRange)
  const show = (offset: number): void => onShow({ offset, length: 1 })
  return (
    <div className={classes['view']}>
      <div className={classes['tools']}>
        <OffsetField size={size} offset={marked.offset} onJump={show} />
        <NativeSelect
          size="sm"
          className={classes['jump'] ?? ''}
          aria-label={texts.hex.goToSection}
          value=""
          onChange={(event) => {
            const section = sections[Number(event.currentTarget.value)]
            if (event.currentTarget.value !== '' && section !== undefined) show(section.offset)
          }}
        >
          <option value="">{texts.hex.sectionPlaceholder}</option>
          {sections.slice(0, 200).map(({ name, offset }, index) => (
            <option key={offset} value={index}>
              {texts.hex.sectionAt(name, formatOffset(offset, size))}
            </option>
          ))}
        </NativeSelect>
        <div className={classes['ranges']} data-text="note">
          <RangeButton label={texts.hex.previous} at={from === 0 ? null : from - hexRange} onShow={show}>
            <IconChevronLeft size={16} stroke={1.75} />
          </RangeButton>
          <span>{texts.hex.range(formatOffset(from, size), formatOffset(last - 1, size))}</span>
          <RangeButton label={texts.hex.next} at={last === size ? null : last} onShow={show}>
            <IconChevronRight size={16} stroke={1.75} />
          </RangeButton>
        </div>
      </div>
      <div className={`${classes['pane']} ${classes['hex']}`}>
        {error === null ? (
          <DataTable
            label={texts.hex.table(formatOffset(from, size), formatOffset(last - 1, size))}
            rows={{
              total: Math.ceil((last - from) / hexRowBytes),
              rowAt: (index) => data && hexRow(data, from, index),
              view: `${from} ${marked.offset}`,
              start: Math.floor((marked.offset - from) / hexRowBytes),
            }}
            columns={columnsFor(module.outline, marked)}
            widths="var(--inside-hex)"
            gap={8}
            rowHeight={20}
            takeFocus={sent}
          />
        ) : (
          <Failure error={error} what={texts.hex.loadFailed} retry={() => void refetch()} />
        )}
      </div>
    </div>
  )
}

/** Not `disabled` at the ends of the file, so that the button keeps the focus. */
function RangeButton({
  label,
  at,
  onShow,
  children,
}: {
  label: string
  at: number | null
  onShow: (offset: number) => void
  children: ReactNode
}) {
  return (
    <Button
      size="sm"
      aria-label={label}
      onClick={() => at !== null && onShow(at)}
      {...(at === null ? { 'aria-disabled': true, 'data-disabled': true } : {})}
    >
      {children}
    </Button>
  )
}

function Bytes({ row, marked }: { row: HexRow; marked: ByteRange }) {
  const { offset, bytes } = row
  const first = marked.offset - offset
  const end = first + marked.length
  if (end <= 0 || first >= bytes.length) return spaced(bytes, 0)
  const from = Math.max(0, first)
  return (
    <>
      {spaced(bytes.slice(0, from), 0)}
      <mark>{spaced(bytes.slice(from, end), from).trimEnd()}</mark> {end === 8 ? ' ' : ''}
      {spaced(bytes.slice(end), end)}
    </>
  )
}

/** Bytes as hex digits, in two groups of eight. */
function spaced(bytes: readonly string[], at: number): string {
  return bytes.map((byte, index) => byte + ' '.repeat((at + index) % 16 === 7 ? 2 : 1)).join('')
}

function OffsetField({
  size,
  offset,
  onJump,
}: {
  size: number
  offset: number
  onJump: (offset: number) => void
}) {
  const [text, setText] = useState(formatOffset(offset, size))
  const [problem, setProblem] = useState<string | null>(null)
  const [lastOffset, setLastOffset] = useState(offset)
  if (lastOffset !== offset) {
    setLastOffset(offset)
    setText(formatOffset(offset, size))
    setProblem(null)
  }
  const jump = (): void => {
    const target = readOffset(text)
    if (target === null) setProblem(texts.hex.notAnOffset)
    else if (target >= size) setProblem(texts.hex.pastEnd(formatOffset(size - 1, size)))
    else {
      setProblem(null)
      onJump(target)
    }
  }
  return (
    <form
      className={classes['offset']}
      onSubmit={(event) => {
        event.preventDefault()
        jump()
      }}
    >
      <TextInput
        size="sm"
        aria-label={texts.hex.offset}
        spellCheck={false}
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button size="sm" type="submit">
        {texts.hex.goTo}
      </Button>
    </form>
  )
}
