import type { FigureWords } from '../cost/cost-words.ts'
import classes from './figure-row.module.css'

/** The figures of a view, side by side: what, how much, and how that is known. */
export function FigureRow({ figures }: { figures: readonly FigureWords[] }) {
  return (
    <dl className={classes['figures']}>
      {figures.map(({ label, value, note }) => (
        <div key={label} data-figure={label}>
          <dt>{label}</dt>
          <dd className={classes['value']} data-unknown={value === 'unknown' || undefined}>
            {value}
          </dd>
          <dd className={classes['note']} title={note}>
            {note}
          </dd>
        </div>
      ))}
    </dl>
  )
}
