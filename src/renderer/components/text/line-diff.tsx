import { memo, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { plural } from '../../lib/format.ts'
import { lineRows, planRows } from '../../../shared/diff/line-rows.ts'
import type { LineDiff as Lines } from '../../../shared/diff/text-diff.ts'
import classes from './text-diff.module.css'
import { TextParts } from './text-diff.tsx'

/** Rows rendered per batch, so that a long text does not block the page. */
const step = 100
/** Unchanged lines shown before and after a change. */
const contextLines = 3
const signs = { same: '', removed: '−', added: '+' }
const inks = { same: undefined, removed: 'bad', added: 'ok' }

/** Changed lines with − and + signs. A long diff renders more rows as they scroll into view. */
export function LineDiff({ diff, label }: { diff: Lines; label: string }) {
  const plan = useMemo(() => planRows(diff.runs, contextLines), [diff])
  const [count, setCount] = useState(step)
  const left = plan.length - count
  return (
    <div className={classes['lines']} data-mono role="group" aria-label={label}>
      {Array.from({ length: Math.ceil(Math.min(count, plan.length) / step) }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Rows key={index} plan={plan} from={index * step} />
      ))}
      {left > 0 && <More key={count} left={left} onMore={() => setCount(count + step)} />}
    </div>
  )
}

/** Renders the next batch when it scrolls into view or is pressed. */
function More({ left, onMore }: { left: number; onMore: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const more = useEffectEvent(onMore)
  useEffect(() => {
    const element = button.current
    if (element === null) return undefined
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) more()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <button ref={button} type="button" className={classes['more']} onClick={onMore}>
      {plural(left, 'more line')}
    </button>
  )
}

const Rows = memo(function Rows({ plan, from }: { plan: ReturnType<typeof planRows>; from: number }) {
  const rows = useMemo(() => lineRows(plan.slice(from, from + step)), [plan, from])
  return rows.map((row, index) =>
    row.kind === 'folded' ? (
      // oxlint-disable-next-line react/no-array-index-key
      <p key={index} className={classes['folded']}>
        {plural(row.count, 'unchanged line')}
      </p>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <div key={index} className={classes['line']} data-kind={row.kind}>
        <span className={classes['sign']} aria-hidden data-ink={inks[row.kind]}>
          {signs[row.kind]}
        </span>
        <span className={classes['text']}>
          <TextParts parts={row.parts} />
        </span>
      </div>
    ),
  )
})
