import { useDelayed } from '../../lib/time/use-delayed.ts'
import classes from './skeleton.module.css'

/** Placeholder rows while data loads. Empty for the first 150 ms; after 4 s it also says what is loading. */
export function Skeleton({ rows, height = 32, what }: { rows: number; height?: number; what: string }) {
  const isVisible = useDelayed(true, 150)
  const isSlow = useDelayed(true, 4000)
  if (!isVisible) return <div className={classes['wait']} />
  return (
    <div className={classes['skeleton']} role="status" aria-label={`Loading ${what}`}>
      {Array.from({ length: rows }, (_, row) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={row} className={classes['row']} style={{ height }}>
          <span style={{ width: `${[38, 24, 31, 20, 35][row % 5]}%` }} />
          <span style={{ width: '10%' }} />
        </div>
      ))}
      {isSlow && <p data-text="note">Still loading {what}…</p>}
    </div>
  )
}
