import { IconArrowLeft, IconBinary, IconMessageQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { CopyButton } from '../../../components/form/copy-button.tsx'
import { PlainText } from '../../../components/text/plain-text.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { useFocus } from '../../../lib/keys/use-focus.ts'
import { disassemble } from './disassemble.ts'
import type { FunctionText } from './disassemble.ts'
import { formatOffset } from './offsets.ts'
import type { OpenModule } from './open-module.ts'
import type { ByteRange } from './hex-view.tsx'
import { texts as reviewTexts } from '../review.texts.ts'
import { texts } from './module-views.texts.ts'
import classes from './module-viewer.module.css'

const lineHeight = 18

/** A name as long as a message may contain it. */
const cutName = (name: string): string => [...name.toWellFormed()].slice(0, 200).join('')

interface Props {
  module: OpenModule
  place: number
  onBack: () => void
  onBytes: (range: ByteRange) => void
  /** Asks the publisher about it; null if they can't be asked. */
  onAsk: ((index: number, name: string | null) => void) | null
}

/** The disassembly of one function, made in a sandboxed frame. */
export function FunctionCode({ module, place, onBack, onBytes, onAsk }: Props) {
  const back = useFocus<HTMLButtonElement>()
  const query = useQuery({
    queryKey: ['inside', module.key, 'function', place],
    queryFn: ({ signal }) => disassemble(module, place, signal),
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
    structuralSharing: false,
  })
  useActions([
    {
      id: 'inside-back',
      label: texts.function.backCommand,
      group: 'Look',
      keys: ['Escape'],
      keysOnly: true,
      run: onBack,
    },
  ])
  const { data } = query
  const read = data?.read
  return (
    <div className={classes['view']}>
      <div className={classes['tools']}>
        <ActionButton ref={back} size="sm" icon={IconArrowLeft} onClick={onBack}>
          {texts.function.back}
        </ActionButton>
        <p className={classes['title']}>
          {read !== undefined && (
            <>
              {read.name === null ? (
                texts.functions.unnamed
              ) : (
                <code>
                  <PlainText text={read.name} />
                </code>
              )}
              <span data-text="note">
                {texts.function.position(
                  read.index,
                  read.one.size,
                  formatOffset(read.one.fileOffset, module.outline.size),
                )}
              </span>
            </>
          )}
        </p>
        {read !== undefined && (
          <ActionButton
            size="sm"
            icon={IconBinary}
            onClick={() => onBytes({ offset: read.one.fileOffset, length: read.one.size })}
          >
            {texts.function.bytes}
          </ActionButton>
        )}
        {read !== undefined && onAsk !== null && (
          <ActionButton
            size="sm"
            icon={IconMessageQuestion}
            onClick={() => onAsk(read.index, read.name && cutName(read.name))}
          >
            {reviewTexts.conversation.open}
          </ActionButton>
        )}
        {data?.kind === 'text' && (
          <CopyButton size="sm" label={texts.function.copy} text={data.lines.join('\n')} />
        )}
      </div>
      <div className={classes['pane']}>
        <Loading
          query={query}
          rows={8}
          height={28}
          what={texts.function.what}
          failed={texts.function.loadFailed}
        />
        {data !== undefined && <Reading data={data} fileSize={module.outline.size} />}
      </div>
    </div>
  )
}

function Reading({ data, fileSize }: { data: FunctionText | null; fileSize: number }) {
  if (data === null) {
    return (
      <p className={classes['sentence']} data-text="hint">
        {texts.function.localsUnreadable}
      </p>
    )
  }
  if (data.kind === 'refused') {
    return (
      <div className={classes['sentence']} data-text="hint" role="alert">
        <p>
          <b>{texts.function.failed}</b> {data.reason}
        </p>
        <p>{texts.function.failedHint}</p>
      </div>
    )
  }
  const notice = noticeOf(data, fileSize)
  return (
    <div className={classes['listing']}>
      {notice !== null && <p className={classes['notice']}>{notice}</p>}
      <Lines lines={data.lines} label={texts.function.instructions(data.read.index)} />
    </div>
  )
}

function noticeOf(
  { read, lines, cut, stop }: FunctionText & { kind: 'text' },
  fileSize: number,
): string | null {
  if (stop !== null) {
    const place = formatOffset(read.one.fileOffset + stop.offset, fileSize)
    return texts.function.stopped(place, stop.reason)
  }
  if (!cut) return null
  return texts.function.truncated(lines.length, read.one.size)
}

/** Text of many lines, of which only the visible ones are rendered. */
function Lines({ lines, label }: { lines: readonly string[]; label: string }) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 12,
  })
  return (
    <div ref={scroller} className={classes['lines']} tabIndex={0} data-mono data-ring="inside">
      <div role="list" aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            role="listitem"
            aria-setsize={lines.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            <Line text={lines[index] ?? ''} />
          </div>
        ))}
      </div>
    </div>
  )
}

/** Comments of the disassembler are dimmed. */
function Line({ text }: { text: string }) {
  return text.split(/(\(;(?:[^;]|;(?!\)))*(?:;\))?|;;.*)/).map((piece, index) =>
    piece.startsWith(';;') || piece.startsWith('(;') ? (
      // oxlint-disable-next-line react/no-array-index-key
      <i key={index}>
        <PlainText text={piece} />
      </i>
    ) : (
      piece
    ),
  )
}
