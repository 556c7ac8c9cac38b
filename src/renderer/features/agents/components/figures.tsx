import { Link } from 'wouter'
import type { Figure } from '../cost/cost-words.ts'
import classes from './figures.module.css'

/** The figures of a view, side by side. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <div className={classes['figures']}>
      {figures.map(({ label, value, note, href }) => (
        <section key={label} aria-label={label} data-figure={label}>
          <dl>
            <dt>{href === undefined ? label : <Link href={href}>{label}</Link>}</dt>
            <dd className={classes['value']} data-unknown={value === 'unknown' || undefined}>
              {value}
            </dd>
            <dd className={classes['note']} title={typeof note === 'string' ? note : undefined}>
              {note}
            </dd>
          </dl>
        </section>
      ))}
    </div>
  )
}
