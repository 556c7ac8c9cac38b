import { memo, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { plural } from '../../lib/format.ts'
import { lineRows, planRows } from '../../../shared/diff/line-rows.ts'
import type { LineDiff as Lines } from '../../../shared/diff/text-diff.ts'
import classes from './text-diff.module.css'
import { TextParts } from './text-diff.tsx'

/** Rows that are made at once, so that the page never waits for all of a long text. */
const step = 100
const signs = { same: '', removed: '−', added: '+' }

/** Lines with their signs; those of a long text come as one gets to them. */
export function LineDiff({ diff, label, context = 3 }: { diff: Lines; label: string; context?: number }) {
  const plan = useMemo(() => planRows(diff.runs, context), [diff, context])
  const [count, setCount] = useState(step)
  const left = plan.length - count
  return (
    <div className={classes['lines']} role="group" aria-label={label}>
      {Array.from({ length: Math.ceil(Math.min(count, plan.length) / step) }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Rows key={index} plan={plan} from={index * step} />
      ))}
      {left > 0 && <More key={count} left={left} onMore={() => setCount(count + step)} />}
    </div>
  )
}

/** What is not shown yet: it comes when this comes into sight, or is pressed. */
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
        {plural(row.count, 'line')} as before
      </p>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <div key={index} className={classes['line']} data-kind={row.kind}>
        <span className={classes['sign']} aria-hidden>
          {signs[row.kind]}
        </span>
        <span className={classes['text']}>
          <TextParts parts={row.parts} />
        </span>
      </div>
    ),
  )
})
