import { useEffect, useId, useState } from 'react'
import type { FunctionView } from '../../../../shared/wasm/function-view.ts'
import { beginMessage } from '../../../components/thread/message-draft.ts'
import { Choice } from '../../../components/form/choice.tsx'
import { formatCount } from '../../../lib/format.ts'
import { useStore } from '../../../lib/state/store.ts'
import type { OpenModule } from './open-module.ts'
import { requestedPlace } from './show-in-module.ts'
import type { RequestedPlace } from './show-in-module.ts'
import { FunctionCode } from './function-code.tsx'
import { FunctionList } from './function-list.tsx'
import { HexView } from './hex-view.tsx'
import type { ByteRange } from './hex-view.tsx'
import { SectionList } from './section-list.tsx'
import { StringList } from './string-list.tsx'
import { texts as reviewTexts } from '../review.texts.ts'
import { texts } from './module-views.texts.ts'
import classes from './module-viewer.module.css'

type View = 'functions' | 'strings' | 'hex' | 'sections'

interface FunctionsPlace {
  view: FunctionView
  row: number
  /** The open function, if any. */
  open: number | null
}

const largestFirst: FunctionsPlace = {
  view: { sort: 'size', descending: true, filter: '' },
  row: 0,
  open: null,
}

/** The views of an open module: functions, strings, hex and sections. */
export function ModuleViews({
  releaseId,
  mayAsk,
  module,
}: {
  releaseId: number
  /** Whether the publisher can be asked about a function. */
  mayAsk: boolean
  module: OpenModule
}) {
  const { outline } = module
  const isModule = outline.problem === null
  const [view, setView] = useState<View>(isModule ? 'functions' : 'hex')
  const [functions, setFunctions] = useState(largestFirst)
  const [marked, setMarked] = useState<ByteRange>({ offset: 0, length: 0 })
  /** Whether the view was opened from another one, and so takes the focus. */
  const [sent, setSent] = useState(false)
  const panel = useId()
  const showRange = ({ offset, length }: ByteRange): void => {
    setMarked({ offset, length })
    setSent(true)
    setView('hex')
  }
  /** An imported function has no code. */
  const showFunction = (index: number): void => {
    const place = index - outline.functions.imported
    if (!isModule || place < 0 || place >= outline.functions.count) return
    setFunctions({ ...functions, open: place })
    setView('functions')
  }
  const choose = (next: View): void => {
    setSent(false)
    setView(next)
  }
  const requested = useStore(requestedPlace)
  const isRequested = requested?.releaseId === releaseId
  const [shown, setShown] = useState<RequestedPlace | null>(null)
  if (isRequested && requested !== shown) {
    setShown(requested)
    if ('index' in requested) showFunction(requested.index)
    else showRange(requested)
  }
  useEffect(() => {
    if (isRequested) requestedPlace.set(null)
  }, [isRequested])

  const strings = Object.values(outline.strings).reduce((sum, total) => sum + total, 0)
  const options = [
    { key: 'functions', label: texts.views.functions, count: formatCount(outline.functions.count) },
    { key: 'strings', label: texts.views.strings, count: formatCount(strings) },
    { key: 'hex', label: texts.views.hex },
    { key: 'sections', label: texts.views.sections, count: formatCount(outline.sections.length) },
  ] as const
  return (
    <>
      <div className={classes['views']}>
        <Choice
          label={texts.views.label}
          value={view}
          onChange={choose}
          panel={panel}
          options={isModule ? options : options.filter(({ key }) => key === 'hex')}
        />
      </div>
      <div id={panel} role="tabpanel" aria-label={options.find(({ key }) => key === view)?.label}>
        {view === 'functions' && functions.open === null && (
          <FunctionList
            module={module}
            start={functions}
            back={sent}
            onOpen={(place, left) => setFunctions({ ...left, open: place })}
          />
        )}
        {view === 'functions' && functions.open !== null && (
          <FunctionCode
            key={functions.open}
            module={module}
            place={functions.open}
            onBack={() => {
              setSent(true)
              setFunctions({ ...functions, open: null })
            }}
            onBytes={showRange}
            onAsk={
              mayAsk
                ? (index, name) =>
                    beginMessage(releaseId, {
                      kind: 'function',
                      index,
                      name,
                      label: reviewTexts.conversation.function(index, name),
                    })
                : null
            }
          />
        )}
        {view === 'strings' && <StringList module={module} onOpen={showRange} />}
        {view === 'hex' && <HexView module={module} marked={marked} sent={sent} onShow={setMarked} />}
        {view === 'sections' && <SectionList module={module} onOpen={showRange} />}
      </div>
    </>
  )
}
