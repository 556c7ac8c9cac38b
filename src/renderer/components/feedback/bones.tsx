import { useLate } from '../../lib/time/use-late.ts'
import classes from './bones.module.css'

/** Shapes in the places of what is still being read; nothing for 150 ms, a sentence after 4 s. */
export function Bones({ rows, height = 32, what }: { rows: number; height?: number; what: string }) {
  const late = useLate(true, 150)
  const veryLate = useLate(true, 4000)
  if (!late) return <div className={classes['wait']} />
  return (
    <div className={classes['bones']} role="status" aria-label={`Reading ${what}`}>
      {Array.from({ length: rows }, (_, row) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={row} className={classes['row']} style={{ height }}>
          <span style={{ width: `${[38, 24, 31, 20, 35][row % 5]}%` }} />
          <span style={{ width: '10%' }} />
        </div>
      ))}
      {veryLate && <p className={classes['sentence']}>Still reading {what}.</p>}
    </div>
  )
}
