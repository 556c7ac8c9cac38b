import { useEffect, useId, useState } from 'react'
import type { FunctionView } from '../../../../shared/wasm/function-view.ts'
import { Choice } from '../../../components/form/choice.tsx'
import { formatCount } from '../../../lib/format.ts'
import { useStore } from '../../../lib/state/store.ts'
import type { OpenModule } from './open-module.ts'
import { requestedBytes } from './show-bytes.ts'
import type { RequestedBytes } from './show-bytes.ts'
import { FunctionCode } from './function-code.tsx'
import { FunctionList } from './function-list.tsx'
import { HexView } from './hex-view.tsx'
import type { ByteRange } from './hex-view.tsx'
import { SectionList } from './section-list.tsx'
import { StringList } from './string-list.tsx'
import classes from './module-viewer.module.css'

type View = 'functions' | 'strings' | 'hex' | 'sections'

interface FunctionsPlace {
  view: FunctionView
  row: number
  /** The function that is open. */
  open: number | null
}

const largestFirst: FunctionsPlace = {
  view: { sort: 'size', descending: true, filter: '' },
  row: 0,
  open: null,
}

/** The four ways to look at an open module. */
export function ModuleViews({ releaseId, module }: { releaseId: number; module: OpenModule }) {
  const { outline } = module
  const isModule = outline.problem === null
  const [view, setView] = useState<View>(isModule ? 'functions' : 'hex')
  const [functions, setFunctions] = useState(largestFirst)
  const [marked, setMarked] = useState<ByteRange>({ offset: 0, length: 0 })
  /** Whether the view was opened by something in another one, which had the focus. */
  const [sent, setSent] = useState(false)
  const panel = useId()
  const showRange = ({ offset, length }: ByteRange): void => {
    setMarked({ offset, length })
    setSent(true)
    setView('hex')
  }
  const choose = (next: View): void => {
    setSent(false)
    setView(next)
  }
  const wanted = useStore(requestedBytes)
  const isWanted = wanted?.releaseId === releaseId
  const [shown, setShown] = useState<RequestedBytes | null>(null)
  if (isWanted && wanted !== shown) {
    setShown(wanted)
    showRange(wanted)
  }
  useEffect(() => {
    if (isWanted) requestedBytes.set(null)
  }, [isWanted])

  const strings = Object.values(outline.strings.totals).reduce((sum, total) => sum + total, 0)
  const options = [
    { key: 'functions', label: 'Functions', count: formatCount(outline.functions.count) },
    { key: 'strings', label: 'Strings', count: formatCount(strings) },
    { key: 'hex', label: 'Hex' },
    { key: 'sections', label: 'Sections', count: formatCount(outline.sections.length) },
  ] as const
  return (
    <>
      <div className={classes['views']}>
        <Choice
          label="Inside the module"
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
          />
        )}
        {view === 'strings' && <StringList module={module} onOpen={showRange} />}
        {view === 'hex' && <HexView module={module} marked={marked} sent={sent} onShow={setMarked} />}
        {view === 'sections' && <SectionList module={module} onOpen={showRange} />}
      </div>
    </>
  )
}
